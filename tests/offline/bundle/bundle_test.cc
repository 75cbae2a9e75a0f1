// Bundles as files: what is in them, and that no damaged one is believed.
#include "sinew/runtime/asset/bundle.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/bake/contact_section.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/tables/bundle_writer.h"
#include "sinew/runtime/base/checksum.h"
#include "tests/offline/bake/baking.h"
#include "tests/support/contact_fields.h"
#include "tests/support/temporary_folder.h"

namespace sinew::bundle {
namespace {

namespace format = runtime::format;
using runtime::Bundle;
using runtime::Status;
using testing::SideBySide;
using testing::SmallCharacter;

const SmallCharacter& Small() {
  static const SmallCharacter small = testing::MakeSmallCharacter();
  return small;
}

Block Copy(std::span<const std::byte> bytes) {
  Block block(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.bytes().begin());
  return block;
}

format::FileHeader& HeaderOf(Block& file) { return *reinterpret_cast<format::FileHeader*>(file.bytes().data()); }
std::span<format::SectionEntry> EntriesOf(Block& file) {
  return {reinterpret_cast<format::SectionEntry*>(file.bytes().data() + sizeof(format::FileHeader)),
          HeaderOf(file).section_count};
}
// Makes all checksums right again, so that what they guard is reached.
void Seal(Block& file) {
  for (format::SectionEntry& entry : EntriesOf(file)) {
    entry.checksum = runtime::Checksum(std::span<const std::byte>(file.bytes()).subspan(entry.offset, entry.bytes));
  }
  HeaderOf(file).table_checksum = runtime::Checksum(std::as_bytes(EntriesOf(file)));
}

TEST(Bundle, HoldsWhatAPlayerNeeds) {
  const SmallCharacter& small = Small();
  JointLimits limits(SkeletonOf(bake::BuildBundle(small.hierarchy, small.deformer, {}).bundle).joint_count());
  const bake::BakedBundle baked = bake::BuildBundle(small.hierarchy, small.deformer, limits);
  const Bundle& bundle = baked.bundle;
  const Skeleton& skeleton = small.hierarchy.levels.back().character.skeleton;
  ASSERT_EQ(bundle.level_count(), 3);
  ASSERT_EQ(bundle.joint_count(), skeleton.joint_count());
  const Skeleton read = SkeletonOf(bundle);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_EQ(read.joints[j].name, skeleton.joints[j].name);
    EXPECT_EQ(read.joints[j].parent, skeleton.joints[j].parent);
    EXPECT_EQ(std::memcmp(&read.joints[j].rest, &skeleton.joints[j].rest, sizeof(Transform)), 0);
    EXPECT_EQ(bundle.FindJoint(skeleton.joints[j].name), j);
  }
  EXPECT_EQ(bundle.FindJoint("no such joint"), -1);
  EXPECT_FLOAT_EQ(bundle.height(), static_cast<float>(small.deformer.height));
  EXPECT_EQ(bundle.trained_frames().size(), 16 * small.deformer.trained_frames.size());
  const Json info = Json::parse(bundle.info());
  EXPECT_EQ(info["settings"], small.deformer.settings);
  EXPECT_TRUE(info.contains("limits"));
  for (int i = 1; i <= 3; ++i) {
    const Part& part = small.hierarchy.level(i).character.parts[0];
    const Pose rest = skeleton.RestPose();
    const bake::DeformedLevel deformed = bake::Deform(bundle, rest, i);
    const Character mesh = MeshOf(bundle, i, deformed.positions, deformed.normals);
    ASSERT_EQ(mesh.parts.size(), 1u);
    EXPECT_EQ(mesh.parts[0].name, part.name);
    EXPECT_EQ(mesh.parts[0].mesh.triangles, part.mesh.triangles);
    EXPECT_LT((mesh.parts[0].mesh.positions - part.mesh.positions).rowwise().norm().maxCoeff(), 1e-6);
    const std::vector<float>& uv = part.attributes[0].values;
    ASSERT_EQ(mesh.parts[0].attributes[0].values.size(), uv.size());
    for (size_t k = 0; k < uv.size(); ++k) EXPECT_NEAR(mesh.parts[0].attributes[0].values[k], uv[k], 1e-4);
  }
}

TEST(Bundle, SaysWhichJointsAreSeenAgainstWhich) {
  EXPECT_TRUE(bake::BuildBundle(Small().hierarchy, Small().deformer, {}).bundle.references().empty());
  const SmallCharacter small = SideBySide(Small());
  const bake::BakedBundle baked = bake::BuildBundle(small.hierarchy, small.deformer, {});
  const JointView view(small.hierarchy.levels.back().character.skeleton);
  const std::vector<int16_t>& expected = view.references();
  ASSERT_FALSE(expected.empty());
  const std::span<const int16_t> stored = baked.bundle.references();
  EXPECT_TRUE(std::equal(stored.begin(), stored.end(), expected.begin(), expected.end()));
  // Itself, and what is no joint at all.
  for (const int16_t wrong : {int16_t{0}, static_cast<int16_t>(expected.size()), int16_t{32767}}) {
    Block file = Copy(baked.file.bytes());
    for (const format::SectionEntry& entry : EntriesOf(file)) {
      if (entry.type != static_cast<uint32_t>(format::SectionType::kReferences)) continue;
      std::memcpy(file.bytes().data() + entry.offset, &wrong, sizeof(wrong));
    }
    Seal(file);
    Bundle bundle;
    EXPECT_EQ(Bundle::Open(file.bytes(), &bundle), Status::kInvalidArgument) << wrong;
  }
}

TEST(Bundle, SameInputsGiveTheSameBytes) {
  const bake::BakedBundle a = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  const bake::BakedBundle b = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  EXPECT_EQ(HashHex(a.file.bytes()), HashHex(b.file.bytes()));
}

TEST(Bundle, EveryTruncationIsRefusedWithASentence) {
  const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  const std::span<const std::byte> whole = baked.file.bytes();
  Bundle bundle;
  for (size_t size = 0; size < whole.size(); size += size < 4096 ? 1 : 997) {
    const char* problem = nullptr;
    ASSERT_EQ(Bundle::Open(whole.first(size), &bundle, &problem), Status::kInvalidArgument) << size;
    ASSERT_NE(problem, nullptr);
    ASSERT_TRUE(bundle.empty());
  }
  // And with a size that admits to it.
  Block file = Copy(whole);
  for (size_t size = 64; size < whole.size(); size += 64 * 37) {
    HeaderOf(file).bytes = size;
    ASSERT_EQ(Bundle::Open(file.bytes().first(size), &bundle), Status::kInvalidArgument) << size;
  }
}

TEST(Bundle, EveryChangedByteIsNoticed) {
  const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  Block file = Copy(baked.file.bytes());
  Bundle bundle;
  ASSERT_EQ(Bundle::Open(file.bytes(), &bundle), Status::kOk);
  std::vector<bool> padding(file.bytes().size(), true);
  std::fill(padding.begin(), padding.begin() + 64 + 64 * HeaderOf(file).section_count, false);
  for (const format::SectionEntry& entry : EntriesOf(file)) {
    std::fill_n(padding.begin() + static_cast<std::ptrdiff_t>(entry.offset), entry.bytes, false);
  }
  constexpr size_t kReserved = 36;  // of the header, up to its end
  for (size_t at = 0; at < file.bytes().size(); at += at < 4096 ? 1 : 509) {
    if (padding[at] || (at >= kReserved && at < 64)) continue;
    file.bytes()[at] ^= std::byte{0x20};
    ASSERT_NE(Bundle::Open(file.bytes(), &bundle), Status::kOk) << at;
    file.bytes()[at] ^= std::byte{0x20};
  }
}

// With checksums set right: whatever the fields say, nothing is read out of bounds (the sanitizers watch).
TEST(Bundle, WrongNumbersAreRefusedOrHarmless) {
  const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  Random random(1);
  const Pose rest = Small().hierarchy.levels.back().character.skeleton.RestPose();
  int opened = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Block file = Copy(baked.file.bytes());
    const auto entries = EntriesOf(file);
    format::SectionEntry& entry = entries[random.Below(static_cast<uint32_t>(entries.size()))];
    const uint64_t range = std::min<uint64_t>(entry.bytes, trial % 2 == 0 ? 128 : entry.bytes);
    const uint64_t at = entry.offset + random.Below(static_cast<uint32_t>(range));
    file.bytes()[at] = static_cast<std::byte>(random.Bits());
    Seal(file);
    Bundle bundle;
    if (Bundle::Open(file.bytes(), &bundle) != Status::kOk) continue;
    ++opened;
    if (bundle.joint_count() == static_cast<int>(rest.size())) bake::Deform(bundle, rest, bundle.level_count());
  }
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 300);
}

TEST(Bundle, SkipsWhatItDoesNotKnowUnlessItMustNot) {
  const bake::BakedBundle baked = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  Bundle bundle;
  const char* problem = nullptr;
  Block file = Copy(baked.file.bytes());
  for (format::SectionEntry& entry : EntriesOf(file)) {
    if (entry.type == static_cast<uint32_t>(format::SectionType::kNormals)) entry.type = 999;
  }
  Seal(file);
  EXPECT_EQ(Bundle::Open(file.bytes(), &bundle), Status::kOk);
  EXPECT_TRUE(bundle.level(1).normals.empty());
  EntriesOf(file)[0].version = 2;
  Seal(file);
  EXPECT_EQ(Bundle::Open(file.bytes(), &bundle, &problem), Status::kUnsupported);
  EXPECT_NE(std::string(problem).find("version"), std::string::npos);
  HeaderOf(file).version = 2;
  EXPECT_EQ(Bundle::Open(file.bytes(), &bundle), Status::kUnsupported);
}

TEST(Bundle, FilesThatAreNoneAreOneSentence) {
  const testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "text.sinew", "this is not a bundle, whatever it is called; it is long enough for a header");
  WriteFileAtomic(folder / "empty.sinew", "");
  for (const char* name : {"text.sinew", "empty.sinew", "missing.sinew"}) {
    try {
      ReadBundle(folder / name);
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  }
}

// What the first version wrote is read for ever: tests/golden/bundle_v1.sinew, with the shape that it had then.
TEST(Bundle, OpensWhatEarlierVersionsWrote) {
  const std::string golden = SINEW_SOURCE_DIR "/tests/golden/bundle_v1";
  const LoadedBundle loaded = ReadBundle(golden + ".sinew");
  const std::vector<float> expected = ReadNpy(golden + ".npy").ToFloats();
  const Pose pose = testing::RandomPose(SkeletonOf(loaded.bundle), 4);
  const Points positions = bake::Deform(loaded.bundle, pose, loaded.bundle.level_count()).positions;
  ASSERT_EQ(expected.size(), static_cast<size_t>(positions.size()));
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(positions.data()[i], expected[i], 2e-5);
}

// A collider on the skin, for bundles with contact.
runtime::Collider SomeCollider(const Points& positions) {
  runtime::Collider collider;
  for (int k = 0; k < 3; ++k) collider.pose.m[12 + k] = positions(positions.rows() / 3, k);
  return collider;
}

Points Pressed(const Bundle& bundle, const Pose& pose) {
  const int level = bundle.level_count();
  const runtime::Collider collider = SomeCollider(bake::Deform(bundle, pose, level).positions);
  return bake::Deform(bundle, pose, level, false, {&collider, 1}).positions;
}

TEST(Bundle, OpensContactThatEarlierVersionsWrote) {
  const std::string golden = SINEW_SOURCE_DIR "/tests/golden/bundle_contact_v2";
  const LoadedBundle loaded = ReadBundle(golden + ".sinew");
  ASSERT_EQ(loaded.bundle.contact().field_count(), 1);
  EXPECT_EQ(loaded.bundle.contact().name(0), "ball");
  const std::vector<float> expected = ReadNpy(golden + ".npy").ToFloats();
  const Pose pose = testing::RandomPose(SkeletonOf(loaded.bundle), 4);
  const Points plain = bake::Deform(loaded.bundle, pose, loaded.bundle.level_count()).positions;
  const Points positions = Pressed(loaded.bundle, pose);
  EXPECT_GT((positions - plain).cwiseAbs().maxCoeff(), 1e-3f);
  ASSERT_EQ(expected.size(), static_cast<size_t>(positions.size()));
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(positions.data()[i], expected[i], 2e-5);
}

// Contact of the first version, which knew no touch, is left out; the rest of the bundle is as it was.
TEST(Bundle, SkipsContactOfTheFirstVersion) {
  const LoadedBundle old = ReadBundle(SINEW_SOURCE_DIR "/tests/golden/bundle_contact_v1.sinew");
  const LoadedBundle plain = ReadBundle(SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew");
  EXPECT_EQ(old.bundle.contact().field_count(), 0);
  const Pose pose = testing::RandomPose(SkeletonOf(old.bundle), 4);
  const int level = old.bundle.level_count();
  EXPECT_EQ(bake::Deform(old.bundle, pose, level).positions, bake::Deform(plain.bundle, pose, level).positions);
}

TEST(Bundle, ContactIsAddedAndReplacedByName) {
  const bake::BakedBundle plain = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  const auto add = [](const bake::BakedBundle& to, const char* name, float output) {
    return bake::WithContact(to.bundle, std::as_const(to.file).bytes(),
                             testing::SphereField({.name = name, .output = output}));
  };
  const bake::BakedBundle one = add(plain, "ball", 0.01f);
  EXPECT_EQ(one.bundle.sections().size(), plain.bundle.sections().size() + 1);
  const bake::BakedBundle two = add(one, "stool", 0.01f);
  const bake::BakedBundle again = add(two, "ball", 0.03f);
  EXPECT_EQ(again.bundle.sections().size(), one.bundle.sections().size());
  ASSERT_EQ(again.bundle.contact().field_count(), 2);
  EXPECT_EQ(again.bundle.contact().name(0), "stool");
  EXPECT_EQ(again.bundle.contact().field(1).output, 0.03f);
  tables::RawContactField stranger = testing::SphereField({});
  stranger.handles[0].joint = 9999;
  EXPECT_THROW(bake::WithContact(plain.bundle, std::as_const(plain.file).bytes(), stranger), InputError);
}

TEST(Bundle, SaysBeforehandWhetherContactFits) {
  const bake::BakedBundle plain = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  EXPECT_NO_THROW(bake::CheckContactFits(plain.bundle, std::string(63, 'x')));
  EXPECT_THROW(bake::CheckContactFits(plain.bundle, std::string(64, 'x')), UsageError);
  EXPECT_THROW(bake::CheckContactFits(plain.bundle, ""), UsageError);
  std::vector<tables::RawContactField> fields;
  for (int f = 0; f < 64; ++f) fields.push_back(testing::SphereField({.name = "ball " + std::to_string(f)}));
  tables::BundleWriter writer;
  for (const format::SectionEntry& entry : plain.bundle.sections()) {
    writer.Add(entry, std::as_const(plain.file).bytes().subspan(entry.offset, entry.bytes));
  }
  writer.Add(format::SectionType::kContact, 0, tables::BuildContact(fields).block, false);
  const Block file = writer.Write(plain.bundle.level_count());
  Bundle full;
  ASSERT_EQ(Bundle::Open(file.bytes(), &full), Status::kOk);
  EXPECT_NO_THROW(bake::CheckContactFits(full, "ball 7"));
  EXPECT_THROW(bake::CheckContactFits(full, "stool"), UsageError);
}

// Sections of other programs or versions, which may be skipped, stay as they are.
TEST(Bundle, ContactKeepsVersionAndLayoutOfOtherSections) {
  const bake::BakedBundle plain = bake::BuildBundle(Small().hierarchy, Small().deformer, {});
  const std::span<const std::byte> bytes = std::as_const(plain.file).bytes();
  tables::BundleWriter writer;
  for (const format::SectionEntry& entry : plain.bundle.sections()) {
    writer.Add(entry, bytes.subspan(entry.offset, entry.bytes));
  }
  format::SectionEntry foreign{};
  foreign.type = 900;
  foreign.version = 7;
  foreign.layout = 3;
  foreign.level = 1;
  writer.Add(foreign, bytes.first(5));
  const Block file = writer.Write(plain.bundle.level_count());
  Bundle opened;
  ASSERT_EQ(Bundle::Open(file.bytes(), &opened), Status::kOk);
  const bake::BakedBundle made = bake::WithContact(opened, file.bytes(), testing::SphereField({}));
  const std::span<const format::SectionEntry> sections = made.bundle.sections();
  ASSERT_EQ(sections.size(), opened.sections().size() + 1);
  for (size_t s = 0; s + 1 < sections.size(); ++s) {
    const format::SectionEntry &was = opened.sections()[s], &is = sections[s];
    EXPECT_EQ(is.type, was.type);
    EXPECT_EQ(is.version, was.version);
    EXPECT_EQ(is.layout, was.layout);
    EXPECT_EQ(is.flags, was.flags);
    EXPECT_EQ(is.level, was.level);
    EXPECT_EQ(is.bytes, was.bytes);
    EXPECT_EQ(is.checksum, was.checksum);
  }
}

// With SINEW_WRITE_GOLDEN set: writes that file, which is done once for each version of the format.
TEST(Bundle, WritesGoldenFilesWhenAsked) {
  const char* folder = std::getenv("SINEW_WRITE_GOLDEN");
  if (folder == nullptr) GTEST_SKIP() << "not asked";
  Character character = testing::TestCharacter();
  testing::SplitAlongTheMiddle(character.parts[0]);
  const lod::Hierarchy hierarchy = lod::BuildHierarchy(character, "egg", {.points = {80}, .regions = 6});
  const deformer::Deformer deformer =
      testing::SyntheticDeformer(hierarchy, {.modes = {2, 1}, .joints = 2, .max_width = 10});
  const bake::BakedBundle baked = bake::BuildBundle(hierarchy, deformer, {});
  const Pose pose = testing::RandomPose(SkeletonOf(baked.bundle), 4);
  const Points positions = bake::Deform(baked.bundle, pose, baked.bundle.level_count()).positions;
  const std::string golden = std::string(folder) + "/bundle_v1";
  WriteFileAtomic(golden + ".sinew", baked.file.bytes());
  WriteNpy(golden + ".npy",
           MakeNpy(std::span(positions.data(), static_cast<size_t>(positions.size())), {positions.rows(), 3}));
}

// The same for the file with contact, which is made from the one above.
TEST(Bundle, WritesGoldenContactWhenAsked) {
  const char* folder = std::getenv("SINEW_WRITE_GOLDEN_CONTACT");
  if (folder == nullptr) GTEST_SKIP() << "not asked";
  const LoadedBundle loaded = ReadBundle(SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew");
  const bake::BakedBundle baked = bake::WithContact(loaded.bundle, loaded.file.bytes(),
                                                    testing::SphereField({.joints = loaded.bundle.joint_count()}));
  const Points positions = Pressed(baked.bundle, testing::RandomPose(SkeletonOf(baked.bundle), 4));
  const std::string golden = std::string(folder) + "/bundle_contact_v2";
  WriteFileAtomic(golden + ".sinew", baked.file.bytes());
  WriteNpy(golden + ".npy",
           MakeNpy(std::span(positions.data(), static_cast<size_t>(positions.size())), {positions.rows(), 3}));
}

}  // namespace
}  // namespace sinew::bundle
