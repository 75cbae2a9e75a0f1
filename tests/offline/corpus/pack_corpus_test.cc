#include "sinew/offline/corpus/pack_corpus.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/corpus/make_corpus.h"
#include "sinew/offline/corpus/merge_packs.h"
#include "sinew/offline/dataset/make_frames.h"
#include "tests/offline/corpus/packed_bodies.h"
#include "tests/support/datasets.h"
#include "tests/support/error_of.h"
#include "tests/support/small_recipes.h"
#include "tests/support/temporary_folder.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;
using testing::ErrorOf;
using testing::FilesBelow;
using testing::TemporaryFolder;

FloatRows RandomResiduals(int frames, int points, int rank) {
  Random random(7);
  const auto matrix = [&](int rows, int columns) {
    FloatRows m(rows, columns);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<float>(random.Normal());
    return m;
  };
  return 0.01f * matrix(frames, rank) * matrix(rank, 3 * points);
}

void SetPoints(int count, PackedBody& body) {
  body.rest = Points::Zero(count, 3);
  body.weights.joints.assign(static_cast<size_t>(count) * kPackedInfluences, 0);
  body.weights.weights.assign(body.weights.joints.size(), 1.0f / kPackedInfluences);
  RoundToPack(body);
}

void SetFrames(int count, PackedBody& body) {
  body.frames.assign(static_cast<size_t>(count), {});
  body.poses.assign(static_cast<size_t>(count), body.skeleton.RestPose());
}

double MeanLoss(const FloatRows& residuals, const PackedBody& body) {
  double lost = 0, all = 0;
  for (int f = 0; f < residuals.rows(); ++f) {
    const Points truth = Eigen::Map<const Points>(residuals.row(f).data(), residuals.cols() / 3, 3);
    lost += (truth - body.Residual(f)).rowwise().norm().sum();
    all += truth.rowwise().norm().sum();
  }
  return lost / all;
}

TEST(PackModes, LosesNoMoreThanAskedForAndSaysHowMuch) {
  for (const int rank : {3, 20}) {
    const FloatRows residuals = RandomResiduals(40, 50, rank);
    PackedBody body = SmallPackedBody();
    SetPoints(50, body);
    SetFrames(40, body);
    PackModes(residuals, {}, body);
    EXPECT_LE(body.loss, 0.05f);
    EXPECT_NEAR(MeanLoss(residuals, body), body.loss, 1e-4);
    EXPECT_GT(body.loss, 0.045f) << "a wider step would have done";
    EXPECT_LE(body.modes.rows(), rank);
    const float step = body.step;
    PackModes(residuals, {.max_loss = 0.001}, body);
    EXPECT_LE(body.loss, 0.001f);
    EXPECT_LT(body.step, step / 10);
    EXPECT_NEAR(MeanLoss(residuals, body), body.loss, 1e-5);
    const PackedBody again = ParsePackedBody(FormatPackedBody(body), "body.packed");
    EXPECT_EQ(again.modes, body.modes);
    EXPECT_EQ(again.coefficients, body.coefficients);
  }
}

TEST(PackModes, ALargerLossTakesFewerBytes) {
  const FloatRows residuals = RandomResiduals(30, 60, 12);
  PackedBody body = SmallPackedBody();
  SetPoints(60, body);
  SetFrames(30, body);
  size_t bytes = std::numeric_limits<size_t>::max();
  for (const double loss : {0.01, 0.05, 0.2, 1.0}) {
    PackModes(residuals, {.max_loss = loss}, body);
    const size_t now = FormatPackedBody(body).size();
    EXPECT_LT(now, bytes) << loss;
    bytes = now;
  }
  EXPECT_EQ(body.modes.rows(), 0) << "all may be lost";
}

TEST(PackModes, SaysThatNumbersDoNotSuffice) {
  PackedBody body = SmallPackedBody();
  FloatRows residuals = RandomResiduals(3, 4, 3);
  EXPECT_THROW(PackModes(residuals, {.max_loss = 1e-9}, body), FailedError);
  residuals(0, 0) = 1e30f;
  EXPECT_THROW(PackModes(residuals, {.max_loss = 0.05}, body), FailedError) << "squares are infinite";
}

TEST(PackModes, PacksNothingWhereSkinningIsTheTruth) {
  PackedBody body = SmallPackedBody();
  PackModes(FloatRows::Zero(3, 12), {}, body);
  EXPECT_EQ(body.modes.rows(), 0);
  EXPECT_EQ(body.loss, 0);
  EXPECT_TRUE(body.Residual(1).isZero());
}

CorpusManifest MakeSmallCorpus(const TemporaryFolder& folder, const std::string& more = "") {
  WriteSmallBodies(folder.path(), 4);
  const fs::path file = folder / "recipe.toml";
  MakeCorpus(ParseRecipe(SmallRecipe(4, more), file), file.string(), folder / "c");
  return Corpus(folder / "c").manifest();
}

// Replaces the shapes of all frames that are to test with by garbage, with all hashes right.
void PoisonTestFrames(const fs::path& folder) {
  Corpus corpus(folder);
  CorpusManifest manifest = corpus.manifest();
  for (const int b : corpus.Bodies()) {
    const fs::path path = folder / DatasetFolder(corpus.body(b));
    const dataset::Dataset old = corpus.Open(b);
    const std::vector<int> test = corpus.Frames(b, old, Side::kTest);
    dataset::DatasetManifest start = old.manifest();
    start.frames.clear();
    start.chunks.clear();
    fs::create_directories(folder / "new");
    {
      dataset::DatasetWriter writer(folder / "new", start,
                                    {{start.characters[0].file, ReadFile(old.CharacterFile(0))}});
      dataset::ChunkData chunk;
      std::vector<float> shapes;
      for (int i = 0; i < old.frame_count(); ++i) {
        Points shape = old.Shape(i);
        if (std::find(test.begin(), test.end(), i) != test.end()) shape.array() = 3 * shape.array().square() + 7;
        chunk.frames.push_back(old.frame(i));
        chunk.poses.push_back(old.pose(i));
        shapes.insert(shapes.end(), shape.data(), shape.data() + shape.size());
      }
      chunk.arrays["shape"] = MakeNpy(shapes, {old.frame_count(), start.characters[0].vertices, 3});
      writer.Write(chunk);
    }
    fs::remove_all(path);
    fs::rename(folder / "new", path);
    const std::string text = ReadTextFile(path / "dataset.json");
    manifest.bodies[b].dataset = HashHex(std::as_bytes(std::span(text)));
  }
  WriteFileAtomic(folder / kCorpusFile, FormatCorpusManifest(manifest));
}

TEST(PackCorpus, StatisticsOfAPoisonedTestSetAreTheSameBytes) {
  const TemporaryFolder folder;
  MakeSmallCorpus(folder);
  SetThreads(1);
  const PackManifest pack = PackCorpus(Corpus(folder / "c"), folder / "before", {});
  EXPECT_EQ(pack.bodies.size(), 3u) << "the test body is not packed";
  const auto before = FilesBelow(folder / "before");
  const auto corpus_before = FilesBelow(folder / "c");
  PoisonTestFrames(folder / "c");
  ASSERT_NE(FilesBelow(folder / "c"), corpus_before);
  SetThreads(3);
  PackCorpus(Corpus(folder / "c"), folder / "after", {});
  EXPECT_EQ(FilesBelow(folder / "after"), before);
  SetThreads(0);
}

// Makes part I of 2 of the small corpus, and packs it.
void PackPart(const TemporaryFolder& folder, int part) {
  const fs::path file = folder / "recipe.toml", corpus = folder / fmt::format("part{}", part);
  MakeCorpus(ParseRecipe(SmallRecipe(4), file), file.string(), corpus, {.part = part, .parts = 2});
  PackCorpus(Corpus(corpus, {.unseen_family = "", .allow_missing = true}), corpus.string() + ".pack", {});
}

TEST(MergePacks, PacksOfPartsGiveThePackOfTheWhole) {
  const TemporaryFolder folder;
  MakeSmallCorpus(folder);
  PackCorpus(Corpus(folder / "c"), folder / "whole", {});
  for (const int part : {1, 2}) PackPart(folder, part);
  const fs::path one = folder / "part1.pack", two = folder / "part2.pack";
  for (const auto& parts : {std::vector{one, two}, std::vector{two, one, two}}) {
    EXPECT_EQ(MergePacks(folder / "joined", parts).bodies.size(), 3u);
    EXPECT_EQ(FilesBelow(folder / "joined"), FilesBelow(folder / "whole"));
  }
  EXPECT_LT(MergePacks(folder / "half", {one}).bodies.size(), 3u);
}

TEST(MergePacks, RefusesWhatDoesNotBelongTogether) {
  const TemporaryFolder folder;
  MakeSmallCorpus(folder);
  const fs::path one = folder / "one", two = folder / "two", out = folder / "out";
  PackCorpus(Corpus(folder / "c"), one, {});
  PackCorpus(Corpus(folder / "c"), two, {.modes = {.max_loss = 0.5}});
  const auto error = [&](const std::vector<fs::path>& parts) { return ErrorOf([&] { MergePacks(out, parts); }); };
  EXPECT_NE(error({one, two}).find("than an earlier pack"), std::string::npos);
  EXPECT_NE(error({one, folder / "c"}).find("merge packs with packs"), std::string::npos);
  EXPECT_NE(ErrorOf([&] { MergePacks(one, {one}); }).find("is one of the packs"), std::string::npos);
  EXPECT_NE(ErrorOf([&] { MergePacks(out, {}); }).find("no pack to merge"), std::string::npos);
  PackManifest other = ParsePackManifest(ReadTextFile(two / kPackFile), "p");
  other.recipe += "\n# changed\n";
  WriteFileAtomic(two / kPackFile, FormatPackManifest(other));
  EXPECT_NE(error({one, two}).find("another recipe"), std::string::npos);
  const fs::path body = one / PackedFile(Pack(one).body(0));
  WriteFileAtomic(body, std::string_view("damaged"));
  EXPECT_NE(error({one}).find("checksum differs"), std::string::npos);
  EXPECT_FALSE(fs::exists(out));
}

TEST(PackCorpus, AResidualLeadsToTheTruth) {
  const TemporaryFolder folder;
  MakeSmallCorpus(folder);
  const Corpus corpus(folder / "c");
  PackCorpus(corpus, folder / "p", {.points = 100000, .modes = {.max_loss = 0.01}});
  const Pack pack(folder / "p");
  const PackedBody body = pack.Read(0);
  ASSERT_EQ(pack.body(0).name, body.name);
  const dataset::Dataset dataset = corpus.Open(corpus.manifest().FindBody(body.name));
  ASSERT_EQ(body.frame_count(), dataset.frame_count());
  EXPECT_GT(body.mean_residual, 0);
  // Skin the packed body by hand, and compare with the truth of vertices at points.
  for (int f = 0; f < body.frame_count(); ++f) {
    const Points shape = dataset.Shape(body.frames[f].frame), residual = body.Residual(f);
    const auto models = LocalToModel(body.skeleton, body.poses[f]);
    double worst = 0;
    for (int i = 0; i < body.point_count(); ++i) {
      Eigen::Vector3f skinned = Eigen::Vector3f::Zero();
      const Eigen::Vector3f rest = (body.rest.row(i) + residual.row(i)).transpose();
      for (int k = 0; k < kPackedInfluences; ++k) {
        const int joint = body.weights.joints[i * kPackedInfluences + k];
        skinned += body.weights.weights[i * kPackedInfluences + k] * (models[joint] * body.inverse_bind[joint] * rest);
      }
      worst = std::max<double>(worst, (shape.rowwise() - skinned.transpose()).rowwise().norm().minCoeff());
    }
    EXPECT_LT(worst, 0.3 * body.mean_residual + 1e-3) << f;
  }
}

TEST(Pack, LeavesAFamilyOutAndRefusesOtherFiles) {
  const TemporaryFolder folder;
  MakeSmallCorpus(folder);
  PackCorpus(Corpus(folder / "c"), folder / "p", {});
  const Pack pack(folder / "p");
  const PackedBody body = pack.Read(0);
  EXPECT_EQ(pack.SideOf(0, body, 0), pack.body(0).side);
  const Pack unseen(folder / "p", "figure");
  EXPECT_EQ(unseen.SideOf(0, body, 0), Side::kTest);
  EXPECT_THROW(Pack(folder / "p", "robot"), InputError);
  EXPECT_THROW(Pack(folder / "c"), InputError);
  fs::copy_file(folder / "p" / PackedFile(pack.body(1)), folder / "p" / PackedFile(pack.body(0)),
                fs::copy_options::overwrite_existing);
  EXPECT_THROW(pack.Read(0), InputError);
  fs::remove(folder / "p" / PackedFile(pack.body(0)));
  EXPECT_THROW(pack.Read(0), InputError);
  const std::string text = ReadTextFile(folder / "p" / kPackFile);
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    EXPECT_THROW(ParsePackManifest(text.substr(0, size), "pack.json"), InputError);
  }
}

}  // namespace
}  // namespace sinew::corpus
