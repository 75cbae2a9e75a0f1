#include "sinew/offline/skincells/skin_character.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/character/articulation.h"
#include "sinew/offline/character/find_limits.h"
#include "sinew/offline/character/sample_poses.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/skincells/init_field.h"
#include "sinew/offline/skincells/simple_weights.h"

namespace sinew::skincells {
namespace {

// Poses to optimise on, and behind them those to measure on.
std::vector<Pose> TrainingPoses(const Character& character, const std::string& file, const SkinOptions& options) {
  if (!options.poses.empty()) {
    // Few frames are used over and over; neighbours in time differ little, so that measuring on the last would be
    // blind.
    std::vector<Pose> poses = options.poses;
    while (static_cast<int>(poses.size()) < kBatch) poses.push_back(poses[poses.size() - options.poses.size()]);
    const size_t count = poses.size();
    for (int p = 0; p < kBatch; ++p) poses.push_back(poses[p * count / kBatch]);
    return poses;
  }
  const Articulation articulation(character.skeleton);
  return SamplePoses(articulation, FindLimits(character, file),
                     {.count = std::max(options.pose_count, kBatch) + kBatch, .seed = options.seed});
}

OptimizeResult OptimizeSubject(const Character& character, const std::string& file, const Subject& subject,
                               const SurfaceQuery& query, std::span<const Bone> bones, const SkinOptions& options,
                               SkinReport& report) {
  std::vector<Spring> springs = MakeSprings(subject, bones, query);
  report.springs = static_cast<int>(
      std::count_if(springs.begin(), springs.end(), [](const Spring& spring) { return spring.joint >= 0; }));
  const std::vector<Pose> poses = TrainingPoses(character, file, options);
  const TrainingSet set = MakeTrainingSet(subject, std::move(springs), character.skeleton, poses);
  const SkinField initial =
      InitialField(subject, bones, {.l = options.max_influences, .sites = options.sites, .seed = options.seed});
  OptimizeOptions optimize;
  optimize.steps = options.steps;
  optimize.seed = options.seed;
  optimize.weights.loc *= options.smooth_vs_follow;
  optimize.checkpoint = options.checkpoint;
  optimize.checkpoint_seconds = options.checkpoint_seconds;
  optimize.progress = options.progress;
  return Optimize(set, initial, optimize);
}

void CountInfluences(const SkinWeights& weights, SkinReport& report) {
  const int l = weights.influences;
  report.influences.assign(l + 1, 0);
  for (size_t first = 0; first < weights.weights.size(); first += l) {
    const auto begin = weights.weights.begin() + static_cast<long>(first);
    ++report.influences[std::count_if(begin, begin + l, [](float w) { return w > 0; })];
  }
}

// From the mesh's bind space to the field's, by the first cell's joint that both have.
Eigen::Affine3f FieldFromMesh(const SkinField& field, const Subject& subject, const std::vector<int>& joints) {
  for (const SkinCell& cell : field.cells) {
    const Eigen::Affine3f& bind = field.inverse_bind[cell.joint];
    if (bind.linear().determinant() != 0) return bind.inverse() * subject.inverse_bind[joints[cell.joint]];
  }
  return Eigen::Affine3f::Identity();
}

// The field's joints in the subject's skeleton.
std::vector<int> MatchJoints(const SkinField& field, const std::string& field_file, const Subject& subject,
                             const std::string& file) {
  std::vector<int> joints(field.skeleton.joints.size(), -1);
  for (const SkinCell& cell : field.cells) {
    const std::string& name = field.skeleton.joints[cell.joint].name;
    const int joint = subject.skeleton.Find(name);
    if (joint < 0 || !std::binary_search(subject.joints.begin(), subject.joints.end(), joint)) {
      throw InputError(file, "skeleton", fmt::format("has no joint '{}', which {} has a cell for", name, field_file),
                       "apply a field to meshes of its own skeleton, or to meshes without one");
    }
    joints[cell.joint] = joint;
  }
  return joints;
}

}  // namespace

SkinReport SkinCharacter(Character& character, const std::string& file, const SkinOptions& options,
                         const Character* from, const std::string& from_file) {
  const Subject subject = MakeSubject(character, file);
  const SurfaceQuery query(subject.surface);
  const std::vector<Bone> bones = FindBones(subject, query);
  SkinReport report;
  report.vertices = subject.surface.vertex_count();
  report.joints = static_cast<int>(subject.joints.size());
  SkinWeights weights;
  if (options.method == Method::kSkinCells) {
    report.optimization = OptimizeSubject(character, file, subject, query, bones, options, report);
    weights = EvaluateField(report.optimization.field, subject.surface.positions);
  } else if (options.method == Method::kProximity) {
    weights = ProximityWeights(subject, bones, options.max_influences);
  } else {
    const Subject source = MakeSubject(*from, from_file);
    weights = TransferWeights(subject, source, SurfaceWeights(source, *from), options.max_influences, file, from_file);
  }
  ApplyWeights(subject, weights, character);
  CountInfluences(weights, report);
  return report;
}

SkinReport ApplyField(const SkinField& field, const std::string& field_file, Character& character,
                      const std::string& file) {
  if (character.skeleton.joints.empty()) AdoptSkeleton(field.skeleton, character);
  const Subject subject = MakeSubject(character, file);
  const std::vector<int> joints = MatchJoints(field, field_file, subject, file);
  const Eigen::Affine3f to_field = FieldFromMesh(field, subject, joints);
  Points points = subject.surface.positions;
  if (to_field.matrix() != Eigen::Matrix4f::Identity()) {
    points = (points * to_field.linear().transpose()).rowwise() + to_field.translation().transpose();
  }
  SkinWeights weights = EvaluateField(field, points);
  for (size_t i = 0; i < weights.joints.size(); ++i) {
    weights.joints[i] = weights.weights[i] > 0 ? static_cast<uint16_t>(joints[weights.joints[i]]) : uint16_t{0};
  }
  ApplyWeights(subject, weights, character);
  SkinReport report;
  report.vertices = subject.surface.vertex_count();
  report.joints = static_cast<int>(field.cells.size());
  CountInfluences(weights, report);
  return report;
}

}  // namespace sinew::skincells
