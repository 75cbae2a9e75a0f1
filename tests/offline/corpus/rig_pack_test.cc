#include "sinew/offline/corpus/rig_pack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/corpus/pack_rig.h"
#include "sinew/offline/corpus/plan.h"
#include "tests/offline/corpus/rig_topologies.h"
#include "tests/support/datasets.h"
#include "tests/support/error_of.h"
#include "tests/support/small_recipes.h"
#include "tests/support/temporary_folder.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;
using testing::ErrorOf;
using testing::FilesBelow;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

TEST(RigTopology, ComesBackAsItWasRounded) {
  for (const bool shared : {true, false}) {
    const RigTopology topology = SmallTopology(shared);
    RigTopology again = ParseRigShapes(FormatRigShapes(topology), "000.shapes");
    again.maps = ParseRigMaps(FormatRigMaps(topology), again.point_count(), "000.maps");
    EXPECT_EQ(again.name, topology.name);
    EXPECT_EQ(again.joints, topology.joints);
    EXPECT_EQ(again.parents, topology.parents);
    EXPECT_EQ(again.triangles, topology.triangles);
    EXPECT_EQ(again.weights.joints, topology.weights.joints);
    EXPECT_EQ(again.weights.weights, topology.weights.weights);
    ASSERT_EQ(again.shapes.size(), 2u);
    for (int b = 0; b < 2; ++b) {
      EXPECT_EQ(again.shapes[b].body, topology.shapes[b].body);
      EXPECT_EQ(again.shapes[b].rest, topology.shapes[b].rest);
      EXPECT_EQ(again.shapes[b].joints, topology.shapes[b].joints);
      EXPECT_EQ(again.shapes[b].weights.weights, topology.shapes[b].weights.weights);
    }
    ASSERT_EQ(again.maps.size(), 2u);
    EXPECT_EQ(again.maps[1].side, dataset::Side::kTest);
    EXPECT_EQ(again.maps[1].seed, 8u);
    EXPECT_EQ(again.maps[0].base, "same");
    EXPECT_EQ(again.maps[0].sources, topology.maps[0].sources);
    EXPECT_EQ(again.maps[0].weights, topology.maps[0].weights);
    EXPECT_EQ(again.maps[0].triangles, topology.maps[0].triangles);
  }
}

TEST(RigTopology, AMapGivesMeansOfItsSources) {
  const RigTopology topology = SmallTopology();
  const Points points = topology.maps[0].Apply(topology.shapes[1].rest), rest = topology.shapes[1].rest;
  EXPECT_TRUE(points.row(0).isApprox(rest.row(0)));
  EXPECT_LT((points.row(1) - (rest.row(1) + rest.row(2)) / 2).norm(), 2e-3f);
  EXPECT_LT((points.row(2) - (0.4f * rest.row(3) + 0.35f * rest.row(1) + 0.25f * rest.row(2))).norm(), 2e-3f);
}

TEST(RigTopology, RefusesIndicesBeyondTheEndAndOtherNumbers) {
  const auto shapes = [](const auto& change) {
    RigTopology topology = SmallTopology(false);
    change(topology);
    return ErrorOf([&] { ParseRigShapes(FormatRigShapes(topology), "000.shapes"); });
  };
  EXPECT_THAT(shapes([](RigTopology& t) { t.triangles(0, 0) = 4; }), HasSubstr("beyond the last"));
  EXPECT_THAT(shapes([](RigTopology& t) { t.parents[1] = 1; }), HasSubstr("comes after"));
  EXPECT_THAT(shapes([](RigTopology& t) { t.shapes[1].weights.joints[4] = 2; }), HasSubstr("beyond the last"));
  EXPECT_THAT(shapes([](RigTopology& t) { t.shapes[1].joints(0, 0) = NAN; }), HasSubstr("000.shapes"));
  EXPECT_THAT(shapes([](RigTopology& t) { t.grid_step = 0; }), HasSubstr("grid"));
  const auto maps = [](const auto& change) {
    RigTopology topology = SmallTopology();
    change(topology.maps[0]);
    return ErrorOf([&] { ParseRigMaps(FormatRigMaps(topology), 4, "000.maps"); });
  };
  EXPECT_THAT(maps([](RigMap& m) { m.triangles(0, 0) = 3; }), HasSubstr("beyond the last"));
  EXPECT_THAT(maps([](RigMap& m) { m.sources[2][1] = 4; }), HasSubstr("beyond the last of the topology"));
  EXPECT_THAT(maps([](RigMap& m) { m.side = dataset::Side::kValidation; }), HasSubstr("neither to train"));
}

TEST(RigTopology, EveryTruncationIsRefused) {
  const RigTopology topology = SmallTopology();
  const Bytes shapes = FormatRigShapes(topology), maps = FormatRigMaps(topology);
  for (const Bytes* file : {&shapes, &maps}) {
    for (size_t size = 0; size < file->size(); ++size) {
      Bytes cut(file->begin(), file->begin() + static_cast<ptrdiff_t>(size));
      for (int sealed = 0; sealed < 2; ++sealed) {
        if (file == &shapes) {
          EXPECT_THROW(ParseRigShapes(cut, "cut"), InputError) << size;
        } else {
          EXPECT_THROW(ParseRigMaps(cut, 4, "cut"), InputError) << size;
        }
        SealFile(cut);
      }
    }
  }
}

class PackRigTest : public ::testing::Test {
 protected:
  PackRigTest() {
    WriteSmallBodies(folder_.path(), 5);
    WriteFileAtomic(folder_ / "recipe.toml", SmallRecipe(5, "[splits]\nvalidation = 0.2\ntest = 0.2\n"));
  }

  RigPackManifest Pack(const char* to) {
    return PackRig(ReadRecipe(folder_ / "recipe.toml"), "recipe.toml", folder_ / to, options_);
  }

  TemporaryFolder folder_;
  PackRigOptions options_ = {.training_maps = 2,
                             .test_maps = 1,
                             .training_dress = 5,
                             .test_dress = 2,
                             .fewest_points = 500,
                             .most_points = 800};
};

TEST_F(PackRigTest, HasTheShapesOfAllBodiesButTestBodies) {
  SetThreads(1);
  const RigPackManifest manifest = Pack("rig");
  SetThreads(3);
  Pack("again");
  SetThreads(0);
  EXPECT_EQ(FilesBelow(folder_ / "rig"), FilesBelow(folder_ / "again")) << "whatever the number of threads";
  EXPECT_EQ(manifest.bodies.size(), 4u);
  const RigPack pack = LoadRigPack(folder_ / "rig");
  ASSERT_EQ(pack.topologies.size(), 1u);
  const RigTopology& topology = pack.topologies[0];
  EXPECT_EQ(topology.shapes.size(), 4u);
  EXPECT_EQ(topology.joints.size(), 24u);
  for (const RigShape& shape : topology.shapes) {
    const int b = PlanCorpus(ReadRecipe(folder_ / "recipe.toml"), "recipe.toml").FindBody(shape.body);
    ASSERT_GE(b, 0);
    EXPECT_TRUE(shape.rest.allFinite());
    EXPECT_GT((shape.joints.colwise().maxCoeff() - shape.joints.colwise().minCoeff()).maxCoeff(), 0.5f);
  }
}

TEST_F(PackRigTest, MapsKeepTheSurfaceOfEveryShape) {
  Pack("rig");
  const RigPack pack = LoadRigPack(folder_ / "rig");
  const RigTopology& topology = pack.topologies[0];
  ASSERT_EQ(topology.maps.size(), 3u);
  for (const RigMap& map : topology.maps) {
    EXPECT_GT(map.point_count(), 300);
    for (const RigShape& shape : topology.shapes) {
      const Points points = map.Apply(shape.rest);
      const Eigen::RowVector3f size = shape.rest.colwise().maxCoeff() - shape.rest.colwise().minCoeff();
      const Eigen::RowVector3f now = points.colwise().maxCoeff() - points.colwise().minCoeff();
      EXPECT_LT((size - now).cwiseAbs().maxCoeff(), 0.1f * size.maxCoeff());
    }
  }
}

TEST_F(PackRigTest, LeaksAndOtherFilesAreRefused) {
  RigPackManifest manifest = Pack("rig");
  const fs::path json = folder_ / "rig" / kRigPackFile;
  const auto changed = [&](const auto& change) {
    RigPackManifest other = manifest;
    change(other);
    WriteFileAtomic(json, FormatRigPackManifest(other));
    return ErrorOf([&] { LoadRigPack(folder_ / "rig"); });
  };
  EXPECT_EQ(changed([](RigPackManifest&) {}), "no error");
  EXPECT_THAT(changed([](RigPackManifest& m) { m.dress.back().recipe = m.dress.front().recipe; }),
              HasSubstr("a dress recipe both to train and to test with"));
  EXPECT_THAT(changed([](RigPackManifest& m) { m.bodies[0].side = Side::kTest; }), HasSubstr("never packed"));
  EXPECT_THAT(changed([](RigPackManifest& m) {
                for (CorpusBody& body : m.bodies) body.identity = "one";
              }),
              HasSubstr("one"));
  EXPECT_THAT(changed([](RigPackManifest& m) { m.topologies[0].maps_hash = std::string(32, '0'); }),
              HasSubstr("checksum"));
  EXPECT_THAT(changed([](RigPackManifest& m) { m.bodies.pop_back(); }), HasSubstr("is no body"));
  EXPECT_THAT(ErrorOf([&] { LoadRigPack(folder_ / "files"); }), HasSubstr("is no rig pack"));

  // A connectivity on both sides, with all hashes right.
  RigPack pack = [&] {
    changed([](RigPackManifest&) {});
    return LoadRigPack(folder_ / "rig");
  }();
  pack.topologies[0].maps.back().seed = pack.topologies[0].maps.front().seed;
  const Bytes maps = FormatRigMaps(pack.topologies[0]);
  WriteFileAtomic(folder_ / "rig" / RigMapsFile(0), maps);
  EXPECT_THAT(changed([&](RigPackManifest& m) { m.topologies[0].maps_hash = HashHex(maps); }),
              HasSubstr("a connectivity both to train and to test with"));
}

TEST_F(PackRigTest, LeavesAFamilyOut) {
  Pack("rig");
  EXPECT_TRUE(LoadRigPack(folder_ / "rig", "figure").topologies.empty());
  EXPECT_THROW(LoadRigPack(folder_ / "rig", "robot"), InputError);
}

TEST_F(PackRigTest, APartThatIsTooLargeIsSaid) {
  options_.max_part = 100;
  EXPECT_THAT(ErrorOf([&] { Pack("rig"); }), HasSubstr("a part may have"));
  EXPECT_FALSE(fs::exists(folder_ / "rig"));
}

}  // namespace
}  // namespace sinew::corpus
