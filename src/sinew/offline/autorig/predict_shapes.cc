#include "sinew/offline/autorig/predict_shapes.h"

#include <algorithm>
#include <memory>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/autorig/branch_shapes.h"
#include "sinew/offline/dataset/mirror_frames.h"
#include "sinew/offline/multires/train_dataset.h"
#include "sinew/offline/poses/draws.h"
#include "sinew/offline/poses/pose_maker.h"
#include "sinew/offline/teach/teach_frames.h"

namespace sinew::autorig {
namespace {

constexpr int kFewestPoints = 40;  // of a level
constexpr double kRatio = 0.25;    // points of a level against the next finer one
constexpr int kRegions = 100;      // of the hierarchy
constexpr int kFitPoses = 16;      // poses in which the levels' weights are fitted

Transform Turned(const Eigen::Quaternionf& turn, Transform transform) {
  transform.rotation = ToQuaternion((turn * ToEigen(transform.rotation)).normalized());
  transform.translation = ToFloat3(turn * ToEigen(transform.translation));
  return transform;
}

// The body as networks know bodies, upright and facing front, whatever the axes of its file: all joints that have no
// parent are turned, and with them everything else.
class UprightBody {
 public:
  UprightBody(const Rig& rig, const teach::Teacher& teacher, const std::string& file)
      : turn_(Eigen::Quaterniond(rig.frame.turn).cast<float>()), skeleton_(rig.character.skeleton) {
    Character upright = rig.character;
    for (Joint& joint : upright.skeleton.joints) {
      if (joint.parent < 0) joint.rest = Turned(turn_, joint.rest);
    }
    body_ = std::make_unique<teach::TaughtBody>(teacher, std::move(upright), file);
  }

  const teach::TaughtBody& body() const { return *body_; }

  Pose ToUpright(Pose pose) const {
    for (size_t j = 0; j < pose.size(); ++j) {
      if (skeleton_.joints[j].parent < 0) pose[j] = Turned(turn_, pose[j]);
    }
    return pose;
  }
  Points FromUpright(const Points& shape) const { return shape * turn_.toRotationMatrix(); }

 private:
  Eigen::Quaternionf turn_;
  const Skeleton& skeleton_;
  std::unique_ptr<teach::TaughtBody> body_;
};

std::vector<Pose> DrawPoses(const Character& character, const JointLimits& limits, int count, uint64_t seed) {
  const Articulation articulation(character.skeleton);
  poses::PoseMaker maker(character, articulation, limits);
  std::vector<Pose> all;
  for (const poses::Draw& draw : poses::DrawsOf({}, articulation, count, seed)) {
    const std::vector<Pose> drawn = maker.Sample(draw.options, draw.name, draw.name).clip.motion.frames;
    all.insert(all.end(), drawn.begin(), drawn.end());
  }
  return all;
}

lod::Hierarchy MakeLevels(const Character& character, const JointLimits& limits, const ShapeOptions& options,
                          const std::string& file) {
  const int finest = lod::CountPoints(character, file);
  lod::HierarchyOptions levels;
  levels.points = lod::PointsByRatio(finest, options.levels, kRatio);
  std::erase_if(levels.points, [](int points) { return points < kFewestPoints; });
  levels.regions = std::min(kRegions, levels.points.empty() ? finest : levels.points.back());
  levels.leave_out_alike = true;
  levels.fit_poses =
      poses::SamplePoses(Articulation(character.skeleton), limits, {.count = kFitPoses, .seed = options.seed + 1});
  return lod::BuildHierarchy(character, file, levels);
}

// Frames to fit to. The upright body must outlive them.
dataset::TrainingFrames FramesOf(const Character& character, const std::vector<Pose>& poses, teach::TaughtFrames taught,
                                 const UprightBody& upright, const std::string& file) {
  dataset::TrainingFrames frames;
  frames.name = file;
  for (const int pose : taught.poses) frames.poses.push_back(poses[pose]);
  frames.weights = std::move(taught.weights);
  frames.roles = dataset::RolesOfVertices(character, {});
  const auto shapes = std::make_shared<const std::vector<Points>>(std::move(taught.shapes));
  frames.truth = [shapes, &upright](int j) { return upright.FromUpright((*shapes)[j]); };
  return frames;
}

// Fits Eq. 5 to frames.
void FitShapes(const Character& character, const JointLimits& limits, const ShapeOptions& options,
               dataset::TrainingFrames frames, const Json& made, const std::string& file, PredictedShapes& predicted) {
  predicted.metres_per_unit = GuessUnit(character).metres;
  predicted.hierarchy = MakeLevels(character, limits, options, file);
  dataset::AddMirrorImages(character, frames);
  multires::TrainOptions train;
  train.blend_shapes = options.shapes;
  train.precision = options.precision;
  train.fit.steps = options.steps;
  train.seed = options.seed;
  predicted.training = multires::Train(predicted.hierarchy, frames, train);
  predicted.settings = multires::TrainSettings(train, frames, predicted.metres_per_unit, made);
  predicted.settings["epsilon"] = predicted.training.epsilon;
}

}  // namespace

PredictedShapes PredictShapes(const Rig& rig, const teach::Teacher& teacher, const ShapeOptions& options,
                              const std::string& file) {
  const Character& character = rig.character;
  const JointLimits limits = FindLimits(character, file);
  // Let the networks answer the body's shapes.
  const std::vector<Pose> poses = DrawPoses(character, limits, options.poses, options.seed);
  const UprightBody upright(rig, teacher, file);
  std::vector<Pose> upright_poses;
  for (const Pose& pose : poses) upright_poses.push_back(upright.ToUpright(pose));
  teach::TaughtFrames taught = teach::TeachFrames(upright.body(), file, upright_poses, options.keep_all, kStrangeScore);
  PredictedShapes predicted;
  predicted.asked = taught.asked;
  predicted.beyond = taught.beyond;
  predicted.score = taught.score;
  Json made = teacher.Description();
  made["maker"] = "teach";
  made["keep_all"] = options.keep_all;
  FitShapes(character, limits, options, FramesOf(character, poses, std::move(taught), upright, file), made, file,
            predicted);
  return predicted;
}

PredictedShapes PredictShapes(const Rig& rig, const RigNetwork& network, const ResidualBranch& branch,
                              const ShapeOptions& options, const std::string& file) {
  const JointLimits limits = FindLimits(rig.character, file);
  const BranchShapes shapes(rig.character, rig.frame.turn, network, branch, options.seed, file);
  dataset::TrainingFrames frames;
  frames.name = file;
  frames.poses = DrawPoses(rig.character, limits, options.poses, options.seed);
  frames.roles = dataset::RolesOfVertices(rig.character, {});
  const std::vector<Pose> poses = frames.poses;  // those of mirror images are added to the frames
  frames.truth = [&shapes, &poses](int j) { return shapes.Shape(poses[j]); };
  PredictedShapes predicted;
  predicted.asked = static_cast<int>(poses.size());
  FitShapes(rig.character, limits, options, std::move(frames),
            {{"maker", "rig-shapes"}, {"training", branch.training()}}, file, predicted);
  return predicted;
}

}  // namespace sinew::autorig
