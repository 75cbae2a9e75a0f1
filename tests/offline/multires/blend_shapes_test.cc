#include "sinew/offline/multires/blend_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/multires/predict.h"
#include "sinew/offline/multires/train.h"
#include "tests/offline/multires/trained_tube.h"
#include "tests/support/temporary_folder.h"

namespace sinew::multires {
namespace {

using testing::TubeHierarchy;
using testing::TubePoses;

TrainOptions Quick(int shapes) {
  TrainOptions options;
  options.epsilon = 1e-4;
  options.fit.steps = 600;
  options.blend_shapes = shapes;
  options.features = runtime::PoseFeatures::kColumns;
  options.precision = runtime::Precision::kF32;
  return options;
}

// Displacements of Eq. 5's own form on the finest level's points: two shapes of each joint on its mask.
Points BlendedDisplacements(const lod::Level& level, const std::vector<Support>& masks, const Pose& pose) {
  const Points rest = LevelSkin(level).rest();
  Points added = Points::Zero(level.point_count, 3);
  for (int j = 1; j <= 2; ++j) {
    const runtime::Quaternion& q = pose[j].rotation;
    for (size_t k = 0; k < masks[j].points.size(); ++k) {
      const int p = masks[j].points[k];
      const Eigen::RowVector3f at = rest.row(p);
      added.row(p) += masks[j].values[k] * (0.3F * q.x * std::cos(2 * at.y()) * Eigen::RowVector3f(at.x(), 0, at.z()) +
                                            0.4F * q.x * q.z * Eigen::RowVector3f(0, at.x(), 0));
    }
  }
  return added;
}

// The hierarchy must outlive the frames.
dataset::TrainingFrames BlendedFrames(const lod::Hierarchy& hierarchy, int count, uint64_t seed) {
  dataset::TrainingFrames frames = testing::TubeFrames(hierarchy, count, seed);
  const lod::Level& finest = hierarchy.levels.back();
  frames.truth = [&finest, masks = JointMasks(finest), poses = frames.poses](int j) {
    const LevelSkin skin(finest);
    const Points added = BlendedDisplacements(finest, masks, poses[j]);
    const std::vector<Eigen::Affine3f> blend = skin.Blend(poses[j]);
    Points truth(finest.vertex_count(), 3);
    for (int v = 0; v < finest.vertex_count(); ++v) {
      const int p = finest.point_of_vertex[v];
      truth.row(v) = blend[p] * Eigen::Vector3f((skin.rest().row(p) + added.row(p)).transpose());
    }
    return truth;
  };
  return frames;
}

TEST(JointMasks, RiseSmoothlyWithTheWeights) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const lod::Level& level = hierarchy.levels.back();
  const std::vector<Support> masks = JointMasks(level);
  ASSERT_EQ(masks.size(), 3u);
  EXPECT_TRUE(masks[0].points.empty()) << "the root carries the whole body";
  const SkinWeights& weights = level.character.parts[0].weights;
  for (int j = 1; j <= 2; ++j) {
    std::vector<float> value(level.point_count, 0);
    for (size_t k = 0; k < masks[j].points.size(); ++k) value[masks[j].points[k]] = masks[j].values[k];
    for (int v = 0; v < level.vertex_count(); ++v) {
      float largest = 0;
      for (int k = 0; k < weights.influences; ++k) {
        const size_t slot = static_cast<size_t>(v) * weights.influences + k;
        if (weights.joints[slot] == j || weights.joints[slot] == j - 1) {
          largest = std::max(largest, weights.weights[slot]);
        }
      }
      const float mask = value[level.point_of_vertex[v]];
      if (largest <= kMaskBegins) {
        EXPECT_EQ(mask, 0);
      } else if (largest >= kMaskFull) {
        EXPECT_EQ(mask, 1);
      } else {
        EXPECT_TRUE(mask > 0 && mask < 1);
      }
    }
  }
}

TEST(BlendShapes, FindWhatHasTheirForm) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const Training training = Train(hierarchy, BlendedFrames(hierarchy, 160, 1), Quick(4));
  const LevelSummary& finest = training.levels.back();
  EXPECT_EQ(finest.networks, 2) << "one per joint that bends";
  EXPECT_LT(finest.after_basis, 0.15 * finest.residual);
  EXPECT_LT(finest.validation, 0.2 * finest.residual);
  for (const deformer::LevelCorrectives& level : training.deformer.levels) {
    for (const deformer::RegionCorrective& region : level.regions) {
      EXPECT_EQ(region.joints, std::vector<int>{region.region}) << "a joint's network sees that joint alone";
      EXPECT_LE(region.V.cols(), 4);
      EXPECT_EQ(region.own.cols(), 0);
    }
  }
}

// Points that a joint does not displace cost nothing.
TEST(BlendShapes, StillPointsAreLeftOut) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const lod::Level& finest = hierarchy.levels.back();
  const Points rest = LevelSkin(finest).rest();
  const float middle = rest.col(0).mean();
  dataset::TrainingFrames frames = testing::TubeFrames(hierarchy, 60, 1);
  const dataset::TrainingFrames blended = BlendedFrames(hierarchy, 60, 1);
  frames.truth = [&, poses = frames.poses](int j) {
    const LevelSkin skin(finest);
    const std::vector<Eigen::Affine3f> blend = skin.Blend(poses[j]);
    Points truth = blended.truth(j);
    for (int v = 0; v < finest.vertex_count(); ++v) {
      const int p = finest.point_of_vertex[v];
      if (rest(p, 0) > middle) truth.row(v) = blend[p] * Eigen::Vector3f(rest.row(p).transpose());
    }
    return truth;
  };
  TrainOptions options = Quick(4);
  options.fit.steps = 20;
  const Training training = Train(hierarchy, frames, options);
  int points = 0;
  for (const deformer::RegionCorrective& region : training.deformer.levels.back().regions) {
    for (const int p : region.points) EXPECT_LE(rest(p, 0), middle) << p;
    EXPECT_EQ(region.V.rows(), 3 * static_cast<Eigen::Index>(region.points.size()));
    points += static_cast<int>(region.points.size());
  }
  EXPECT_GT(points, 0);
}

TEST(BlendShapes, MoreOfThemLeaveLess) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  TrainOptions options = Quick(1);
  options.fit.steps = 20;
  double before = std::numeric_limits<double>::infinity();
  for (const int shapes : {1, 2, 4}) {
    options.blend_shapes = shapes;
    const double left = Train(hierarchy, BlendedFrames(hierarchy, 60, 1), options).levels.back().after_basis;
    EXPECT_LT(left, before * 1.0001) << shapes;
    before = left;
  }
}

TEST(BlendShapes, AreZeroAtRestAndFadeToTheBorderOfTheirMasks) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  const deformer::Deformer deformer = Train(hierarchy, BlendedFrames(hierarchy, 60, 1), Quick(4)).deformer;
  const Skeleton& skeleton = hierarchy.levels.back().character.skeleton;
  const learn::RowMatrix rest = FeaturesOfPoses(deformer.features, skeleton, {skeleton.RestPose()});
  EXPECT_LT(PredictLevel(deformer, hierarchy, 3, rest, {}).cwiseAbs().maxCoeff(), 1e-6);
  const std::vector<Support> masks = JointMasks(hierarchy.levels.back());
  int at_border = 0;
  for (const deformer::RegionCorrective& region : deformer.levels.back().regions) {
    const Support& mask = masks[region.region];
    const float largest = region.V.cwiseAbs().maxCoeff();
    // Points that are left out are zero.
    at_border += static_cast<int>(mask.points.size() - region.points.size());
    for (size_t k = 0; k < region.points.size(); ++k) {
      const auto found = std::find(mask.points.begin(), mask.points.end(), region.points[k]);
      ASSERT_TRUE(found != mask.points.end());
      const float value = mask.values[found - mask.points.begin()];
      constexpr float kBorder = 0.1F;
      if (value > kBorder) continue;
      ++at_border;
      const float there = region.V.middleRows<3>(3 * static_cast<Eigen::Index>(k)).cwiseAbs().maxCoeff();
      EXPECT_LT(there, 2 * value * largest);
    }
  }
  EXPECT_GT(at_border, 0) << "nothing was tested";
}

TEST(BlendShapes, SameBitsWhateverTheThreadsAndAfterAStop) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  TrainOptions options = Quick(3);
  options.fit.steps = 60;
  const dataset::TrainingFrames frames = BlendedFrames(hierarchy, 40, 1);
  std::vector<Checkpoint> checkpoints;
  SetThreads(1);
  const Training one = Train(hierarchy, frames, options,
                             {.resume = nullptr,
                              .checkpoint = [&](const Checkpoint& so_far) { checkpoints.push_back(so_far); },
                              .checkpoint_seconds = 0});
  SetThreads(3);
  const Bytes whole = deformer::FormatDeformer(one.deformer);
  EXPECT_TRUE(deformer::FormatDeformer(Train(hierarchy, frames, options).deformer) == whole);
  SetThreads(0);
  ASSERT_FALSE(checkpoints.empty());
  const Training again =
      Train(hierarchy, frames, options, {.resume = &checkpoints[checkpoints.size() / 2], .checkpoint = {}});
  EXPECT_TRUE(deformer::FormatDeformer(again.deformer) == whole);
  for (size_t i = 0; i < one.levels.size(); ++i) EXPECT_EQ(again.levels[i].after_basis, one.levels[i].after_basis);
}

// A hierarchy may have fewer regions than the skeleton has joints.
TEST(BlendShapes, AreReadBackWithOneRegionPerJoint) {
  const lod::Hierarchy hierarchy = TubeHierarchy();
  TrainOptions options = Quick(3);
  options.fit.steps = 20;
  deformer::Deformer deformer = Train(hierarchy, BlendedFrames(hierarchy, 40, 1), options).deformer;
  deformer.settings = {{"method", deformer::kBlendShapes}};
  const testing::TemporaryFolder folder;
  deformer::WriteDeformer(folder / "tube.deformer", hierarchy, deformer, Json::object());
  EXPECT_EQ(deformer::ReadDeformer(folder / "tube.deformer").deformer.levels[2].regions.size(), 2u);
  deformer.levels[2].regions[0].region = 3;
  EXPECT_THROW(deformer::CheckFits(deformer, hierarchy, "tube"), InputError) << "there are three joints";
  deformer.settings = {{"method", "multi-resolution"}};
  EXPECT_NO_THROW(deformer::CheckFits(deformer, hierarchy, "tube")) << "there are eight regions";
}

}  // namespace
}  // namespace sinew::multires
