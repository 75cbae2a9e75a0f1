#include "sinew/offline/dataset/import.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/morph_animation.h"
#include "sinew/offline/io/obj.h"
#include "sinew/offline/io/point_cache.h"
#include "sinew/offline/io/posed_meshes.h"
#include "tests/support/datasets.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/point_caches.h"
#include "tests/support/temporary_folder.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

constexpr int kFrames = 12;

class ImportTest : public ::testing::Test {
 protected:
  ImportTest() {
    for (int i = 0; i < kFrames; ++i) {
      Points shape = SkinnedShape(stored_.character, sequence_.poses[i]);
      shape.col(1).array() += 0.01f * static_cast<float>(i + 1);
      truths_.push_back(shape);
      values_.insert(values_.end(), shape.data(), shape.data() + shape.size());
    }
  }

  Character Mesh(int i) const {
    PosedCharacter posed;
    posed.parts.push_back({truths_[i], {}, {}});
    return PosedMesh(stored_.character, posed);
  }
  ShapeSource Open(const std::string& name) const { return OpenShapes({folder_ / name}, {}, {}); }

  void ExpectImports(const ShapeSource& shapes, const ImportOptions& options = {}) const {
    const ImportSummary summary = ImportDataset(folder_ / "a.dataset", stored_, sequence_, shapes, options);
    EXPECT_EQ(summary.frames, kFrames);
    const Dataset dataset(folder_ / "a.dataset");
    ASSERT_EQ(dataset.frame_count(), kFrames);
    for (int i = 0; i < kFrames; ++i) {
      EXPECT_LT((dataset.Shape(i) - truths_[i]).cwiseAbs().maxCoeff(), 1e-6) << shapes.name << " " << i;
    }
  }
  std::string Message(const ShapeSource& shapes, const ImportOptions& options = {}) const {
    try {
      ImportDataset(folder_ / "b.dataset", stored_, sequence_, shapes, options);
    } catch (const InputError& error) {
      EXPECT_FALSE(fs::exists(folder_ / "b.dataset"));
      return error.what();
    }
    return "no error";
  }

  const StoredCharacter stored_ = testing::StoredTestCharacter();
  const PoseSequence sequence_ = testing::TestSequence(stored_.character.skeleton, kFrames / 3);
  const int vertices_ = stored_.entry.vertices;
  const TemporaryFolder folder_;
  std::vector<Points> truths_;
  std::vector<float> values_;
};

TEST_F(ImportTest, TakesEveryKindOfShapes) {
  WriteFileAtomic(folder_ / "a.pc2", testing::Pc2File(kFrames, vertices_, values_));
  WriteFileAtomic(folder_ / "a.mdd", testing::MddFile(kFrames, vertices_, values_));
  WriteNpy(folder_ / "a.npy", MakeNpy(values_, {kFrames, vertices_, 3}));
  for (const char* extension : {"obj", "glb"}) {
    fs::create_directory(folder_ / extension);
    // Numbers by value: 9 comes before 10.
    for (int i = 0; i < kFrames; ++i) WriteCharacter(Mesh(i), folder_ / fmt::format("{0}/shape{1}.{0}", extension, i));
  }
  for (const char* name : {"a.pc2", "a.mdd", "a.npy", "obj", "glb"}) ExpectImports(Open(name));
}

TEST_F(ImportTest, OtherUnitsAxesAndOrdersAreBroughtIntoOurs) {
  const auto theirs = [&](const Points& shape) {
    Points out(shape.rows(), 3);
    for (int v = 0; v < shape.rows(); ++v) {
      out.row(shape.rows() - 1 - v) << 100 * shape(v, 0), -100 * shape(v, 2), 100 * shape(v, 1);
    }
    return out;
  };
  const ShapeSource shapes{"theirs", kFrames, vertices_, [&](int i) { return theirs(truths_[i]); }};
  const Points rest = SkinnedShape(stored_.character, stored_.character.skeleton.RestPose());
  // A seam's copies find the same partner; the poles of the sphere are such places.
  ExpectImports(shapes, {.scale = 0.01, .z_up = true, .rest = theirs(rest)});
  EXPECT_NE(Message(shapes, {.scale = 0.01, .z_up = false, .rest = theirs(rest)}).find("away from the nearest"),
            std::string::npos);
}

TEST_F(ImportTest, SaysWhatDoesNotFit) {
  const auto has = [&](const ShapeSource& shapes, const std::string& part) {
    EXPECT_NE(Message(shapes).find(part), std::string::npos) << Message(shapes);
  };
  ShapeSource shapes{"shapes", kFrames, vertices_, [&](int i) { return truths_[i]; }};
  shapes.frames = 11;
  has(shapes, "holds 11 shapes where a, b, c holds 12 poses");
  shapes.frames = kFrames;
  shapes.vertices = 7;
  has(shapes, fmt::format("has 7 vertices where egg has {}", vertices_));
  shapes.vertices = vertices_;
  shapes.shape = [&](int i) {
    Points shape = truths_[i];
    if (i == 3) shape(5, 1) = std::nanf("");
    return shape;
  };
  has(shapes, "frame 3: holds a number that is not finite");
  fs::create_directory(folder_ / "mixed");
  EXPECT_THROW(Open("mixed"), InputError);
  WriteCharacter(Mesh(0), folder_ / "mixed/0.obj");
  WriteFileAtomic(folder_ / "mixed/1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_THROW(Open("mixed").shape(1), InputError);
  WriteCharacter(Mesh(0), folder_ / "mixed/2.glb");
  EXPECT_THROW(Open("mixed"), InputError);
}

TEST(PointCaches, EveryTruncationIsAnError) {
  const std::vector<float> values(18, 1);
  const std::string pc2 = testing::Pc2File(2, 3, values), mdd = testing::MddFile(2, 3, values);
  const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); };
  for (size_t size = 0; size < pc2.size(); ++size) {
    EXPECT_THROW(ParsePc2(bytes(std::string_view(pc2).substr(0, size)), size, "x"), InputError) << size;
  }
  for (size_t size = 0; size < mdd.size(); ++size) {
    EXPECT_THROW(ParseMdd(bytes(std::string_view(mdd).substr(0, size)), size, "x"), InputError) << size;
  }
  EXPECT_EQ(ParsePc2(bytes(pc2), pc2.size(), "x").points, 3);
  EXPECT_EQ(ParseMdd(bytes(mdd), mdd.size(), "x").frames, 2);
  EXPECT_THROW(ParsePc2(bytes(pc2), pc2.size() + 1, "x"), InputError);
}

TEST(PointCaches, NumbersThatAreNotFiniteAreNamed) {
  const TemporaryFolder folder;
  std::vector<float> values(18, 1);
  values[13] = std::nanf("");
  WriteFileAtomic(folder / "a.mdd", testing::MddFile(2, 3, values));
  const PointCacheLayout layout = ReadPointCacheLayout(folder / "a.mdd");
  EXPECT_EQ(ReadPointCacheFrame(folder / "a.mdd", layout, 0), Points::Ones(3, 3));
  try {
    ReadPointCacheFrame(folder / "a.mdd", layout, 1);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("frame 1, point 1"), std::string::npos) << error.what();
  }
}

TEST(MorphAnimations, AreShapesAtTheirKeys) {
  const TemporaryFolder folder;
  WriteFileAtomic(folder / "a.glb", testing::MorphedRig().Glb());
  const Character character = ReadCharacter(folder / "a.glb");
  const std::vector<MorphAnimation> animations = ReadMorphAnimations(character, "a.glb");
  ASSERT_EQ(animations.size(), 1u);
  EXPECT_EQ(animations[0].times, (std::vector<float>{0, 1, 2}));
  const std::vector<Pose> poses(3, character.skeleton.RestPose());
  const ShapeSource shapes = OpenShapes({folder / "a.glb"}, poses, JointNames(character.skeleton));
  ASSERT_EQ(shapes.frames, 3);
  const Points rest = shapes.shape(0);
  const std::array<Eigen::RowVector3f, 3> offsets = {
      {Eigen::RowVector3f(0, 0, 0), Eigen::RowVector3f(0, 1, 0), Eigen::RowVector3f(0, 0.5f, 0.5f)}};
  for (int key = 0; key < 3; ++key) {
    EXPECT_LT(((shapes.shape(key) - rest).rowwise() - offsets[key]).cwiseAbs().maxCoeff(), 1e-6) << key;
  }
  EXPECT_THROW(OpenShapes({folder / "a.glb"}, poses, {"other"}), InputError);
}

TEST(MorphAnimations, WeightsThatDoNotFitAreRefused) {
  testing::GltfBuilder builder = testing::MorphedRig();
  builder.json["animations"][0]["samplers"][1]["output"] = builder.Accessor({0, 0, 1, 0}, 1);
  const Character character = gltf::ReadGltf(builder.Glb(), "a.glb", "");
  EXPECT_THROW(ReadMorphAnimations(character, "a.glb"), InputError);
}

TEST(NaturalOrder, CountsNumbersByValue) {
  const std::vector<std::string> sorted = {"a", "a1", "a01", "a2", "a10", "a10b", "b1"};
  for (size_t i = 0; i < sorted.size(); ++i) {
    for (size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(NaturallyBefore(sorted[i], sorted[j]), i < j) << sorted[i] << " " << sorted[j];
    }
  }
}

}  // namespace
}  // namespace sinew::dataset
