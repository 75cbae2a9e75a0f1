#include "sinew/offline/skincells/skin_character.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/lod/simplify.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/skincells/init_field.h"
#include "sinew/offline/skincells/islands.h"
#include "sinew/offline/skincells/mix_with_skin.h"
#include "sinew/offline/skincells/simple_weights.h"

namespace sinew::skincells {
namespace {

// Factor on the springs' loss where there is a body below the cloth: the cloth hangs on that body, not on the bones.
constexpr double kGarmentFollow = 0.1;

// A mesh with more than kDense vertices is optimised on a copy simplified to kProxy, and the field is applied to the
// mesh itself: that takes a third of the time at 30,000, and the weights are smoother, since the distances over which a
// body bends are then a few edges and not tens (docs/benchmarks.md).
constexpr int kDense = 16000, kProxy = 10000;

TriMesh Simplified(const TriMesh& mesh, const std::string& file) {
  Character bare;
  bare.parts.emplace_back().mesh = mesh;
  lod::Simplifier simplifier(lod::BuildSurface(bare, file));
  simplifier.SimplifyTo(kProxy);
  return lod::ToTriMesh(simplifier.Snapshot().surface);
}

// Returns the poses to optimise on, followed by the kBatch poses to measure on.
std::vector<Pose> TrainingPoses(const Character& character, const std::string& file, const SkinOptions& options) {
  if (!options.poses.empty()) {
    // Few frames are repeated. Those to measure on are taken from all over the motion: neighbours in time differ
    // little, so that measuring on the last ones would be blind.
    std::vector<Pose> poses = options.poses;
    while (static_cast<int>(poses.size()) < kBatch) poses.push_back(poses[poses.size() - options.poses.size()]);
    const size_t count = poses.size();
    for (int p = 0; p < kBatch; ++p) poses.push_back(poses[p * count / kBatch]);
    return poses;
  }
  const Articulation articulation(character.skeleton);
  // Fewer poses with a body, because it is kept in every pose.
  const int count = options.collide != nullptr ? options.pose_count / 4 : options.pose_count;
  return poses::SamplePoses(articulation, FindLimits(character, file),
                            {.count = std::max(count, kBatch) + kBatch, .seed = options.seed});
}

// Collects the subject; refuses more joints than the optimisation is made for.
Subject SubjectToSkin(const Character& character, const std::string& file, Method method) {
  Subject subject = MakeSubject(character, file);
  const auto joints = static_cast<int>(subject.joints.size());
  if (method == Method::kSkinCells && joints > kMaxJoints) {
    throw InputError(file, "skeleton",
                     fmt::format("has {} joints that may carry weight, and weights are optimised for {} at most",
                                 joints, kMaxJoints),
                     "skin it to fewer joints, or take --method proximity");
  }
  return subject;
}

// Inputs of a run, and what is derived from them before any weights are computed.
struct Work {
  const Character& character;
  const std::string& file;
  const SkinOptions& options;
  Subject subject;
  SurfaceQuery query;
  std::vector<Bone> bones;
  SkinWeights old;
  Kept kept;

  Work(const Character& skinned, const std::string& name, const SkinOptions& how)
      : character(skinned),
        file(name),
        options(how),
        subject(SubjectToSkin(skinned, name, how.method)),
        query(subject.surface),
        bones(FindBones(subject, query)),
        old(SurfaceWeights(subject, skinned)),
        kept(MakeKept(subject, skinned, how.locks, how.mask, name)) {}
};

// Fills in the set's guides, from paint, kept weights and the body, by increasing vertex.
void Guided(const Work& work, TrainingSet& set) {
  if (work.options.paint) set.guides = GuidesFromPaint(work.subject, work.file, *work.options.paint);
  const auto add = [&](const std::vector<Guide>& more) {
    set.guides.insert(set.guides.end(), more.begin(), more.end());
  };
  add(GuidesFromKept(work.subject, work.old, work.kept));
  if (work.options.collide != nullptr) {
    add(GuidesFromBody(work.subject, work.file, *work.options.collide, work.options.collide_file));
  }
  std::stable_sort(set.guides.begin(), set.guides.end(),
                   [](const Guide& a, const Guide& b) { return a.vertex < b.vertex; });
}

SkinWeights OptimizeSubject(const Work& work, SkinReport& report) {
  const SkinOptions& options = work.options;
  // Simplify dense meshes, unless something is given per vertex, which is about the mesh itself.
  const bool dense =
      work.subject.surface.vertex_count() > kDense && !options.paint && !work.kept.any() && options.collide == nullptr;
  Subject subject = work.subject;
  if (dense) subject.surface = Simplified(subject.surface, work.file);
  // Make the training set: springs, poses, guides, and the body to collide with.
  std::vector<Spring> springs = MakeSprings(subject, work.bones, SurfaceQuery(subject.surface));
  report.springs = static_cast<int>(
      std::count_if(springs.begin(), springs.end(), [](const Spring& spring) { return spring.joint >= 0; }));
  const std::vector<Pose> poses = TrainingPoses(work.character, work.file, options);
  TrainingSet set = MakeTrainingSet(subject, std::move(springs), work.character.skeleton, poses);
  Guided(work, set);
  if (options.collide != nullptr) {
    const BodyUnderGarment body(work.subject, work.character.skeleton, work.file, *options.collide,
                                options.collide_file);
    set.collider = std::make_shared<Collider>(MakeCollider(work.subject, work.character.skeleton, body, poses));
  }
  // Optimise, starting from the initial field.
  const SkinField initial = InitialField(work.subject, work.bones,
                                         {.l = options.max_influences, .sites = options.sites, .seed = options.seed});
  OptimizeOptions optimize;
  optimize.steps = options.steps;
  optimize.seed = options.seed;
  optimize.weights.loc *= options.smooth_vs_follow;
  optimize.weights.col *= options.collision;
  optimize.weights.loc *= options.collide != nullptr ? kGarmentFollow : LocationBalance(set);
  optimize.checkpoint = options.checkpoint;
  optimize.checkpoint_seconds = options.checkpoint_seconds;
  optimize.progress = options.progress;
  if (options.mirror) {
    optimize.mirror = std::make_shared<MirrorMap>(FindSymmetry(work.subject, work.file), initial);
  }
  report.optimization = Optimize(set, initial, optimize);
  // Evaluate the field on the mesh itself; cloth over a body then takes mixtures with the skin's weights.
  SkinWeights weights = EvaluateField(report.optimization.field, work.subject.surface.positions);
  if (options.collide == nullptr) return weights;
  return MixWithSkin(work.subject, set, weights,
                     GuidesFromBody(work.subject, work.file, *options.collide, options.collide_file),
                     options.max_influences);
}

void CountInfluences(const SkinWeights& weights, SkinReport& report) {
  const int l = weights.influences;
  report.influences.assign(l + 1, 0);
  for (size_t first = 0; first < weights.weights.size(); first += l) {
    const auto begin = weights.weights.begin() + static_cast<long>(first);
    ++report.influences[std::count_if(begin, begin + l, [](float w) { return w > 0; })];
  }
}

// Transform from the mesh's bind space to the field's, by the first cell's joint that both have.
Eigen::Affine3f FieldFromMesh(const SkinField& field, const Subject& subject, const std::vector<int>& joints,
                              double scale) {
  for (const SkinCell& cell : field.cells) {
    const Eigen::Affine3f& bind = field.inverse_bind[cell.joint];
    if (bind.linear().determinant() == 0) continue;
    return bind.inverse() * Eigen::Scaling(static_cast<float>(scale)) * subject.inverse_bind[joints[cell.joint]];
  }
  return Eigen::Affine3f(Eigen::Scaling(static_cast<float>(scale)));
}

// Index in the subject's skeleton of each joint of the field; -1 for joints without a cell.
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

Points Moved(const Points& points, const Eigen::Affine3f& by) {
  if (by.matrix() == Eigen::Matrix4f::Identity()) return points;
  return (points * by.linear().transpose()).rowwise() + by.translation().transpose();
}

void Say(const std::vector<std::string>& sentences, SkinReport& report) {
  for (const std::string& sentence : sentences) {
    LogWarning(sentence);
    report.warnings.push_back(sentence);
  }
}

// Root mean square distance of joints from their mean position.
double Spread(const std::vector<Eigen::Vector3d>& places) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& x : places) mean += x / static_cast<double>(places.size());
  double sum = 0;
  for (const Eigen::Vector3d& x : places) sum += (x - mean).squaredNorm() / static_cast<double>(places.size());
  return std::sqrt(sum);
}

// Warns if the skeletons of field and subject differ in size: those of one character do not.
void CheckSkeletonSize(const SkinField& field, const std::string& field_file, const Subject& subject,
                       const std::vector<int>& joints, const std::string& file, double scale, SkinReport& report) {
  std::vector<Eigen::Vector3d> theirs, ours;
  for (const SkinCell& cell : field.cells) {
    theirs.emplace_back(field.inverse_bind[cell.joint].inverse().translation().cast<double>());
    ours.push_back(subject.JointPosition(joints[cell.joint]));
  }
  const double a = Spread(theirs), b = scale * Spread(ours);
  if (!(a > 0 && b > 0) || (b / a < 1.5 && a / b < 1.5)) return;
  Say({fmt::format("{}: its skeleton is {:.3g} times as large as that of {}; if it is in another unit, say which with "
                   "--unit",
                   file, b / a, field_file)},
      report);
}

// Warns if points without a skeleton do not lie where the field was made. A glove is much smaller than its body, so it
// warns only where there is no doubt.
void CheckPlace(const SkinField& field, const std::string& field_file, const Points& points, const std::string& file,
                SkinReport& report) {
  const Box box = BoundingBox(points);
  if (box.isEmpty()) return;
  const double ratio = box.sizes().cast<double>().maxCoeff() / field.size;
  const double away = (box.center().cast<double>() - field.origin).cwiseAbs().maxCoeff() / field.size;
  if (ratio > 4 || (ratio < 0.05 && points.rows() > 1)) {
    Say({fmt::format("{}: is {:.3g} times as large as what {} was made for; if it is in another unit, say which with "
                     "--unit",
                     file, ratio, field_file)},
        report);
  } else if (away > 1.5) {
    Say({fmt::format("{}: lies {:.3g} body sizes away from where {} was made; put it where the body stands", file, away,
                     field_file)},
        report);
  }
}

Skeleton Scaled(Skeleton skeleton, double scale) {
  for (Joint& joint : skeleton.joints) {
    joint.rest.translation = ToFloat3(ToEigen(joint.rest.translation) * static_cast<float>(scale));
  }
  return skeleton;
}

}  // namespace

SkinReport SkinCharacter(Character& character, const std::string& file, const SkinOptions& options,
                         const Character* from, const std::string& from_file) {
  const Work work(character, file, options);
  const Subject& subject = work.subject;
  SkinReport report;
  report.vertices = subject.surface.vertex_count();
  report.joints = static_cast<int>(subject.joints.size());
  SkinWeights weights;
  if (options.method == Method::kSkinCells) {
    weights = OptimizeSubject(work, report);
  } else if (options.method == Method::kProximity) {
    weights = ProximityWeights(subject, work.bones, options.max_influences);
  } else if (options.method == Method::kVoxel) {
    weights = VoxelWeights(subject, work.bones, options.max_influences);
  } else {
    const Subject source = MakeSubject(*from, from_file);
    weights = TransferWeights(subject, source, SurfaceWeights(source, *from), options.max_influences, file, from_file);
  }
  if (options.method != Method::kTransfer) {
    Say(BindIslands(subject, FindUnreachedIslands(subject, work.bones), file, weights), report);
  }
  weights = PutBack(subject, weights, work.old, work.kept, options.max_influences);
  ApplyWeights(subject, weights, character);
  CountInfluences(weights, report);
  return report;
}

SkinReport ApplyField(const SkinField& field, const std::string& field_file, Character& character,
                      const std::string& file, double scale) {
  SkinReport report;
  const bool bare = character.skeleton.joints.empty();
  if (bare) AdoptSkeleton(Scaled(field.skeleton, 1 / scale), character);
  const Subject subject = MakeSubject(character, file);
  const std::vector<int> joints = MatchJoints(field, field_file, subject, file);
  const Points points = Moved(subject.surface.positions, FieldFromMesh(field, subject, joints, scale));
  if (bare) {
    CheckPlace(field, field_file, points, file, report);
  } else {
    CheckSkeletonSize(field, field_file, subject, joints, file, scale, report);
  }
  SkinWeights weights = EvaluateField(field, points);
  for (size_t i = 0; i < weights.joints.size(); ++i) {
    weights.joints[i] = weights.weights[i] > 0 ? static_cast<uint16_t>(joints[weights.joints[i]]) : uint16_t{0};
  }
  const std::vector<Bone> bones = FindBones(subject, SurfaceQuery(subject.surface));
  Say(BindIslands(subject, FindUnreachedIslands(subject, bones), file, weights), report);
  ApplyWeights(subject, weights, character);
  report.vertices = subject.surface.vertex_count();
  report.joints = static_cast<int>(field.cells.size());
  CountInfluences(weights, report);
  return report;
}

SkinWeights ApplyField(const SkinField& field, const std::string& field_file, const Points& points,
                       const std::string& file, double scale, SkinReport& report) {
  const Points at = Moved(points, Eigen::Affine3f(Eigen::Scaling(static_cast<float>(scale))));
  CheckPlace(field, field_file, at, file, report);
  SkinWeights weights = EvaluateField(field, at);
  report.vertices = static_cast<int>(points.rows());
  report.joints = static_cast<int>(field.cells.size());
  CountInfluences(weights, report);
  return weights;
}

double LikelyMetres(const SkinField& field) {
  const Eigen::Vector3f half = Eigen::Vector3f::Constant(static_cast<float>(0.5 * field.size));
  const Eigen::Vector3f center = field.origin.cast<float>();
  return GuessUnit(MeasureRest(field.skeleton), Box(center - half, center + half)).metres;
}

}  // namespace sinew::skincells
