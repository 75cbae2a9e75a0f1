// Contact of a character, from samples to a field that the runtime evaluates.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include "sinew/offline/contact/learn_contact.h"
#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/base/half.h"
#include "sinew/runtime/contact/contact_tile.h"
#include "tests/support/error_of.h"
#include "tests/support/flesh_arm.h"
#include "tests/support/mesh_families.h"
#include "tests/support/small_presses.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

using sinew::testing::kSmallPressesInputs;
using sinew::testing::SmallPresses;

std::string MessageOf(const Bytes& bytes, const std::string& inputs = kSmallPressesInputs) {
  const std::string error = sinew::testing::ErrorOf([&] { DecodePresses(bytes, inputs, "a.presses"); });
  return error == "no error" ? "" : error;
}

TEST(Presses, ComeBackAsTheyWere) {
  EXPECT_EQ(DecodePresses(EncodePresses(SmallPresses(), kSmallPressesInputs), kSmallPressesInputs, "a"),
            SmallPresses());
}

TEST(Presses, EveryTruncationAndBrokenByteIsACleanError) {
  const Bytes bytes = EncodePresses(SmallPresses(), kSmallPressesInputs);
  for (size_t size = 0; size < bytes.size(); ++size) {
    Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(MessageOf(cut), "") << size;
    SealFile(cut);
    EXPECT_NE(MessageOf(cut), "") << size;
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    Bytes broken = bytes;
    broken[at] ^= std::byte{0x40};
    EXPECT_NE(MessageOf(broken), "") << at;
  }
}

TEST(Presses, SaysWhatIsWrong) {
  const auto message = [](const PressShard& shard) { return MessageOf(EncodePresses(shard, kSmallPressesInputs)); };
  EXPECT_NE(MessageOf(EncodePresses(SmallPresses(), "x"), "y").find("a.presses: inputs"), std::string::npos);
  PressShard shard = SmallPresses();
  shard.samples[0].vertices[1] = 3;
  EXPECT_NE(message(shard).find("sample 0, vertices"), std::string::npos);
  shard = SmallPresses();
  shard.samples[0].vertices = {2, 0};
  EXPECT_NE(message(shard).find("sample 0, vertices"), std::string::npos);
  shard = SmallPresses();
  shard.samples[0].r[2] = 0x7e00;
  EXPECT_NE(message(shard).find("sample 0, displacements"), std::string::npos);
  shard = SmallPresses();
  shard.samples[1].depth = std::numeric_limits<double>::infinity();
  EXPECT_NE(message(shard).find("sample 1, depth"), std::string::npos);
}

// A file of the first version, kept for ever.
TEST(Presses, ReadsTheFirstVersion) {
  const std::string path = SINEW_SOURCE_DIR "/tests/golden/presses_v1.presses";
  if (const char* folder = std::getenv("SINEW_WRITE_GOLDEN_CONTACT"); folder != nullptr) {
    WriteFileAtomic(path, EncodePresses(SmallPresses(), kSmallPressesInputs));
  }
  EXPECT_EQ(DecodePresses(ReadFile(path), kSmallPressesInputs, path), SmallPresses());
  EXPECT_EQ(ReadFile(path), EncodePresses(SmallPresses(), kSmallPressesInputs));
}

TriMesh Ball(float radius) { return sinew::testing::Moved(sinew::testing::Sphere(24, 16), {0, 0, 0}, radius); }

PressOptions FewPresses() {
  PressOptions options;
  options.states = 2;
  options.places = 4;
  options.rotations = 2;
  options.depths = 2;
  return options;
}

PressSubject ArmAndBall(const PressOptions& options) {
  return MakePressSubject(sinew::testing::FleshArm(), "arm.glb", Ball(0.06f), "ball.glb", "ball", options);
}

TEST(PressSubject, SpreadsPlacesOverTheAskedSkin) {
  PressOptions options = FewPresses();
  const PressSubject all = ArmAndBall(options);
  ASSERT_EQ(all.places.size(), 4u);
  const Joint& last = all.character.skeleton.joints.back();
  options.on = {last.name};
  const PressSubject half = ArmAndBall(options);
  EXPECT_LT(half.touched.size(), all.touched.size());
  for (const int v : half.places) EXPECT_GT(half.rest.positions(v, 0), -0.1f);
  // Places are apart along the skin.
  for (size_t i = 0; i < all.places.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_GT((all.rest.positions.row(all.places[i]) - all.rest.positions.row(all.places[j])).norm(), 0.1);
    }
  }
  const std::vector<PressPlan> plans = PlanPresses(all, FewPresses());
  EXPECT_EQ(plans.size(), 8u);
  int gaps = 0, depths = 0;
  for (const PressPlan& plan : plans) {
    for (const PressChain& chain : plan.chains) {
      gaps += chain.gap > 0 ? 1 : 0;
      depths += static_cast<int>(chain.depths.size());
      EXPECT_TRUE(std::is_sorted(chain.depths.begin(), chain.depths.end()));
      EXPECT_LE(chain.depths.back(), all.depth);
    }
  }
  EXPECT_NEAR(static_cast<double>(gaps) / (gaps + depths), 0.1, 0.04);
}

TEST(PressSubject, RefusesBadInput) {
  const auto refused = [](const TriMesh& collider, const PressOptions& options) -> std::string {
    try {
      MakePressSubject(sinew::testing::FleshArm(), "arm.glb", collider, "stool.glb", "stool", options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  TriMesh open = Ball(0.06f);
  open.triangles.conservativeResize(open.triangles.rows() - 1, 3);
  EXPECT_NE(refused(open, FewPresses()).find("stool.glb: is an open surface"), std::string::npos);
  TriMesh crossing = Ball(0.06f);
  const TriMesh moved = sinew::testing::Moved(Ball(0.06f), {0.05f, 0.013f, 0.007f}, 1);
  const Eigen::Index vertices = crossing.positions.rows(), triangles = crossing.triangles.rows();
  crossing.positions.conservativeResize(2 * vertices, 3);
  crossing.positions.bottomRows(vertices) = moved.positions;
  crossing.triangles.conservativeResize(2 * triangles, 3);
  crossing.triangles.bottomRows(triangles) = moved.triangles.array() + static_cast<int>(vertices);
  EXPECT_NE(refused(crossing, FewPresses()).find("crosses itself"), std::string::npos);
  PressOptions options = FewPresses();
  options.window = 5;
  EXPECT_NE(refused(Ball(0.06f), options).find("whole body"), std::string::npos);
  options = FewPresses();
  options.on = {"tail"};
  EXPECT_NE(refused(Ball(0.06f), options).find("no joint \"tail\""), std::string::npos);
}

TEST(PressSubject, RefusesCollidersWhoseGridABundleCannotHold) {
  TriMesh stick = Ball(0.002f);
  stick.positions.col(0) *= 80;
  EXPECT_THROW(MakePressSubject(sinew::testing::FleshArm(), "arm.glb", stick, "stick.glb", "stick", FewPresses()),
               InputError);
  PressOptions wide = FewPresses();
  wide.window = 0.02;
  const PressSubject subject =
      MakePressSubject(sinew::testing::FleshArm(), "arm.glb", stick, "stick.glb", "stick", wide);
  EXPECT_LE(subject.grid.counts.maxCoeff(), 1024);
}

TEST(HashOfPlan, ChangesWithAllThatSamplesAreMadeFrom) {
  const PressSubject subject = ArmAndBall(FewPresses());
  const PressPlan plan = PlanPresses(subject, FewPresses()).front();
  std::set<std::string> hashes;
  const auto add = [&](const PressSubject& of, const flesh::FleshSettings& settings) {
    EXPECT_TRUE(hashes.insert(HashOfPlan(of, HashOfSubject(of, settings), plan)).second) << hashes.size();
  };
  add(subject, {});
  for (int kind = 0; kind < 5; ++kind) {
    flesh::FleshSettings settings;
    if (kind == 0) settings.quality = flesh::Quality::kGood;
    if (kind == 1) settings.tets = 1500;
    if (kind == 2) settings.contact_distance = 0.001;
    if (kind == 3) settings.fat = 0.02;
    if (kind == 4) settings.poisson = 0.4;
    add(subject, settings);
  }
  for (int kind = 0; kind < 7; ++kind) {
    PressSubject other = subject;
    if (kind == 0) other.grid.origin[1] += 0.01;
    if (kind == 1) other.grid.spacing[2] *= 1.01;
    if (kind == 2) other.grid.counts[0] += 1;
    if (kind == 3) other.character.skeleton.joints[1].rest.translation.x += 0.01f;
    if (kind == 4) other.influences[3][0].second *= 0.9f;
    if (kind == 5) other.window *= 1.1;
    if (kind == 6) std::swap(other.rest.triangles(0, 0), other.rest.triangles(0, 1));
    add(other, {});
  }
}

TEST(HashOfTraining, ChangesWithTheOptions) {
  const std::vector<PressShard> shards = {SmallPresses()};
  std::set<std::string> hashes;
  for (int kind = 0; kind < 6; ++kind) {
    TrainOptions options;
    if (kind == 1) options.minutes = 60;
    if (kind == 2) options.seed = 2;
    if (kind == 3) options.rate = 1e-3;
    if (kind == 4) options.steps = 100;
    EXPECT_TRUE(hashes.insert(HashOfTraining(shards, kind == 5 ? 64 : 32, options)).second) << kind;
  }
  EXPECT_TRUE(hashes.insert(HashOfTraining({SmallPresses(), SmallPresses()}, 32, {})).second);
}

TEST(ReadPresses, RefusesSamplesOfAnotherStateOrSkin) {
  const PressSubject subject = ArmAndBall(FewPresses());
  const PressPlan plan = PlanPresses(subject, FewPresses()).back();
  const std::string hash = HashOfSubject(subject, {});
  const sinew::testing::TemporaryFolder folder;
  const auto refused = [&](uint32_t state, int vertices) -> std::string {
    PressShard shard;
    shard.state = state;
    shard.positions.assign(3 * static_cast<size_t>(vertices), 0.0f);
    WriteFileAtomic(folder / "a.presses", EncodePresses(shard, HashOfPlan(subject, hash, plan)));
    try {
      ReadPresses(folder / "a.presses", subject, hash, plan);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const int vertices = subject.rest.vertex_count();
  ASSERT_EQ(plan.state, 1);
  EXPECT_EQ(refused(1, vertices), "");
  EXPECT_NE(refused(0, vertices).find("another state or another skin"), std::string::npos);
  EXPECT_NE(refused(1, vertices - 1).find("another state or another skin"), std::string::npos);
}

// A shard with one contact, all of whose vertices move a little: for tests that need no simulation.
PressShard MadeUpShard(const PressSubject& subject, int place) {
  PressShard shard;
  const Points& positions = subject.rest.positions;
  shard.positions.assign(positions.data(), positions.data() + positions.size());
  PressSample& sample = shard.samples.emplace_back();
  sample.R = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < 3; ++k) sample.t[k] = positions(place, k);
  sample.depth = 0.01;
  for (int v = 0; v < subject.rest.vertex_count(); ++v) {
    const auto at = Sample(subject.grid, (positions.row(v) - positions.row(place)).cast<double>().transpose());
    if (!at || !(at->distance < subject.window)) continue;
    sample.vertices.push_back(static_cast<uint32_t>(v));
    for (int k = 0; k < 3; ++k) sample.r.push_back(runtime::FloatToHalf(0.01f));
    sample.total += 3e-4;
  }
  return shard;
}

TEST(TrainPressField, JointsAtTheWindowsRimAreNoHandles) {
  PressSubject subject = ArmAndBall(FewPresses());
  PressShard shard = MadeUpShard(subject, subject.places[0]);
  // The first vertex goes to the rim, and it alone follows the last joint.
  const uint32_t rim = shard.samples[0].vertices.front();
  const double off = 0.06 + 0.96 * subject.window;
  for (int k = 0; k < 3; ++k)
    shard.positions[3 * rim + k] = shard.samples[0].t[k] + static_cast<float>(k == 0 ? off : 0);
  for (auto& list : subject.influences) list = {{0, 1.0f}};
  subject.influences[rim] = {{subject.character.skeleton.joint_count() - 1, 1.0f}};
  const PressField made = TrainPressField(subject, {&shard, 1}, 8, {.steps = 3});
  ASSERT_EQ(made.field.handles.size(), 1u);
  EXPECT_EQ(made.field.handles[0].joint, 0);
  EXPECT_NO_THROW(tables::BuildContact({made.field}));
}

TEST(TrainPressField, HoldsWholeShardsBackAndNoneOfAFew) {
  const PressSubject subject = ArmAndBall(FewPresses());
  PressShard shard = MadeUpShard(subject, subject.places[0]);
  shard.samples.resize(3, shard.samples[0]);
  const PressField few = TrainPressField(subject, std::vector<PressShard>(15, shard), 8, {.steps = 3});
  EXPECT_EQ(few.errors.seen_samples, 45);
  EXPECT_EQ(few.errors.held_samples, 0);
  EXPECT_EQ(few.errors.held, 0);
  const PressField many = TrainPressField(subject, std::vector<PressShard>(25, shard), 8, {.steps = 3});
  EXPECT_EQ(many.errors.seen_samples, 72);
  EXPECT_EQ(many.errors.held_samples, 3);
  EXPECT_GT(many.errors.held, 0);
}

TEST(FirstTouch, IsWhereTheNearestPointMeetsTheCollider) {
  const PressSubject subject = ArmAndBall(FewPresses());
  const Points points = (Points(3, 3) << 0, 0, 0, 0.03f, 0.05f, 0, 0, -3, 0).finished();
  const double height = FirstTouch(subject.grid, Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5), Eigen::Vector3d::Zero(),
                                   Eigen::Vector3d::UnitY(), points);
  // The second point is met first: a ball of radius 0.06 rests on it.
  EXPECT_NEAR(height, 0.05 + std::sqrt(0.06 * 0.06 - 0.03 * 0.03), 0.004);
}

// The whole way: samples, a stop in between, training, and the field as the runtime evaluates it.
TEST(LearnContact, FieldsDentTheSkinAsTheSimulationDoes) {
  const PressSubject subject = ArmAndBall(FewPresses());
  const sinew::testing::TemporaryFolder folder;
  LearnContactOptions options;
  options.press = FewPresses();
  options.width = 48;
  options.tets = 1500;
  options.train.steps = 600;
  double predicted = -1;
  const LearnedContact learned = LearnContact(subject, options, folder / "work", [&](double m) { predicted = m; });
  EXPECT_GT(predicted, 0);
  EXPECT_EQ(learned.made.failed, 0);
  const PressErrors& errors = learned.field.errors;
  EXPECT_LT(errors.seen, 0.6);
  EXPECT_NEAR(errors.seen, learned.field.network_seen, 0.02);
  EXPECT_EQ(errors.hover, 0) << "nothing touches, nothing moves";
  const Penetration& through = errors.penetration;
  EXPECT_LT(through.predicted, 0.5 * through.skinned);
  EXPECT_LT(through.pushed_out, 0.2 * through.predicted);
  EXPECT_LT(through.simulated, 0.1 * through.skinned);
  EXPECT_FALSE(learned.covered.empty());
  // Once more, with all samples and the training there: the same field.
  const LearnedContact again = LearnContact(subject, options, folder / "work", [](double) {});
  EXPECT_EQ(again.made.solved, 0);
  EXPECT_EQ(again.field.field.A, learned.field.field.A);
  EXPECT_EQ(again.field.field.W, learned.field.field.W);
  // Fewer samples, as if time had been over, and then all: each goes on with its own training.
  const std::filesystem::path last = folder / "work" / "press_00007.presses";
  const Bytes kept = ReadFile(last);
  std::filesystem::remove(last);
  options.sample_minutes = 1e-9;
  const LearnedContact less = LearnContact(subject, options, folder / "work", [](double) {});
  EXPECT_FALSE(less.made.complete);
  EXPECT_NE(less.field.field.W, learned.field.field.W);
  WriteFileAtomic(last, kept);
  const LearnedContact more = LearnContact(subject, options, folder / "work", [](double) {});
  EXPECT_TRUE(more.made.complete);
  EXPECT_EQ(more.field.field.W, learned.field.field.W);
}

}  // namespace
}  // namespace sinew::contact
