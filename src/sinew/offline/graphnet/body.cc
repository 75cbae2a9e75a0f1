#include "sinew/offline/graphnet/body.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/graphnet/coarser_levels.h"
#include "sinew/offline/graphnet/joint_distances.h"
#include "sinew/offline/graphnet/joint_features.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::graphnet {
namespace {

constexpr int kPositionColumns = 3, kNormalColumns = 3;
constexpr float kOwnWeight = 0.5f;  // from which weight on a point counts as one of a joint, for distances
constexpr const char* kRemedy =
    "graph networks are for bodies with a pelvis, two legs and a spine, by their joints' names";

// Points that a working level has at most and at least, however large or small a surface is for its size.
constexpr int kMaxWorkingPoints = 15000, kMinWorkingPoints = 50;
// Height of a person over the root mean square distance of the surface to its centre.
constexpr double kHeightPerSpread = 3.2;

Eigen::Matrix3d RotationOf(const Eigen::Affine3d& transform) {
  return ToEigen(ToTransform(transform.cast<float>()).rotation).cast<double>().toRotationMatrix();
}

// Frames of all joints in model space.
Transforms ModelFrames(const Skeleton& skeleton, const Pose& pose) {
  Transforms model;
  for (int s = 0; s < skeleton.joint_count(); ++s) {
    const Eigen::Affine3d local = ToAffine(pose[s]).cast<double>();
    const int parent = skeleton.joints[s].parent;
    model.push_back(parent < 0 ? local : Eigen::Affine3d(model[parent] * local));
  }
  return model;
}

// Frames of all joints in the frame of one of them, as the pelvis. Joints below it do not see at all where the body
// stands.
Transforms RelativeTo(int reference, const Skeleton& skeleton, const Pose& pose) {
  Transforms model = ModelFrames(skeleton, pose);
  const Eigen::Affine3d inverse = model[reference].inverse();
  for (Eigen::Affine3d& joint : model) joint = inverse * joint;
  return model;
}

// Length of the bones from the first joint of a list to the last.
double ChainLength(const std::vector<Eigen::Vector3f>& joints, const std::vector<int>& chain) {
  double length = 0;
  for (size_t k = 1; k < chain.size(); ++k) length += (joints[chain[k]] - joints[chain[k - 1]]).norm();
  return length;
}

// Sum of the bones of the spine, up to the neck or head, and of the mean leg.
double SizeOf(const std::vector<JointIdentity>& identities, const std::vector<Eigen::Vector3f>& joints,
              const std::string& file) {
  const auto fail = [&file](const std::string& problem) { throw InputError(file, "skeleton", problem, kRemedy); };
  double legs = 0;
  for (const Side side : {Side::kLeft, Side::kRight}) {
    std::vector<int> chain;
    for (const JointKind kind : {JointKind::kHip, JointKind::kKnee, JointKind::kAnkle}) {
      chain.push_back(FindJoint(identities, kind, side));
      if (chain.back() < 0) fail("has no joint that is known as " + CanonicalName({kind, side}));
    }
    legs += ChainLength(joints, chain);
  }
  std::vector<int> spine = {FindJoint(identities, JointKind::kPelvis)};
  if (spine[0] < 0) fail("has no joint that is known as the pelvis");
  for (const JointKind kind : {JointKind::kSpine, JointKind::kNeck, JointKind::kHead}) {
    for (const int joint : FindChain(identities, kind)) spine.push_back(joint);
  }
  const double size = legs / 2 + ChainLength(joints, spine);
  if (spine.size() < 2 || !(size > 0)) fail("has no spine");
  return size;
}

// Root mean square distance of a surface to its centre, by area. Layers of clothes and finer triangles do not change
// it.
double SpreadOf(const Points& rest, const std::vector<double>& areas) {
  Eigen::RowVector3d centre = Eigen::RowVector3d::Zero();
  double total = 0, sum = 0;
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    centre += areas[i] * rest.row(i).cast<double>();
    total += areas[i];
  }
  if (!(total > 0)) return 0;
  centre /= total;
  for (Eigen::Index i = 0; i < rest.rows(); ++i) sum += areas[i] * (rest.row(i).cast<double>() - centre).squaredNorm();
  return std::sqrt(sum / total);
}

// Axis of the model that a direction is nearest to, other than one of them; with its sign.
Eigen::Vector3d NearestAxis(const Eigen::Vector3d& direction, const Eigen::Vector3d& other) {
  int axis = 0;
  (direction.cwiseAbs().array() * (1 - other.cwiseAbs().array())).maxCoeff(&axis);
  return direction[axis] < 0 ? Eigen::Vector3d(-Eigen::Vector3d::Unit(axis)) : Eigen::Vector3d::Unit(axis);
}

// Returns the rotation, by right angles, that makes a body stand along y and look along z, as its pelvis, its topmost
// joint and its hips tell; the identity for a skeleton without these.
Eigen::Matrix3d UprightRotation(const std::vector<JointIdentity>& identities,
                                const std::vector<Eigen::Vector3f>& joints) {
  const int pelvis = FindJoint(identities, JointKind::kPelvis);
  const int left = FindJoint(identities, JointKind::kHip, Side::kLeft);
  const int right = FindJoint(identities, JointKind::kHip, Side::kRight);
  int top = -1;
  for (const JointKind kind : {JointKind::kSpine, JointKind::kNeck, JointKind::kHead}) {
    for (const int joint : FindChain(identities, kind)) top = joint;
  }
  if (pelvis < 0 || left < 0 || right < 0 || top < 0) return Eigen::Matrix3d::Identity();
  const Eigen::Vector3d up = (joints[top] - joints[pelvis]).cast<double>();
  const Eigen::Vector3d across = (joints[left] - joints[right]).cast<double>();
  if (!(up.norm() > 0) || !(across.norm() > 0)) return Eigen::Matrix3d::Identity();
  const Eigen::Vector3d y = NearestAxis(up, Eigen::Vector3d::Zero()), x = NearestAxis(across, y);
  Eigen::Matrix3d rotation;
  rotation << x.transpose(), y.transpose(), x.cross(y).transpose();
  return rotation;
}

}  // namespace

std::vector<std::string> NetworkJoints(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Joint& joint : skeleton.joints) {
    if (!joint.helper) names.push_back(joint.name);
  }
  return names;
}

struct Body::State {
  State(Character given, const std::string& file, const BodyOptions& chosen)
      : options(chosen),
        character(std::move(given)),
        surface(CollectRestSurface(character)),
        poser(character),
        work(surface) {
    RefuseBadPositions(character, surface, file);
    bool skinned = false;
    for (const Influences& influences : surface.influences) skinned |= influences.count > 0;
    if (!skinned || points() == 0) throw InputError(file, "mesh", "has no point that a joint moves", "skin it first");
    PlaceJoints();
    const std::vector<double> measured = VertexAreas({work.rest, work.triangles});
    file_areas.assign(measured.begin(), measured.end());
    Measure(measured, file);
    ChooseLevel(measured);
    Straighten();
    CollectPoints();
    if (NeedsOneSkeleton(options.features)) {
      distances = FindDistances(used_joints);
    } else {
      PrepareJointFeatures();
    }
    coarser = MakeCoarserLevels(GraphOf(neighbours), work.rest, areas, options.coarser_levels);
  }

  // Which joints there are, and where they rest.
  void PlaceJoints() {
    const RestPlacement& placement = surface.placement;
    for (const Eigen::Affine3d& joint : placement.bind_from_joint) {
      rest_joints.push_back(placement.model_from_bind * joint);
      rest_positions.emplace_back(rest_joints.back().translation().cast<float>());
    }
    for (int s = 0; s < character.skeleton.joint_count(); ++s) {
      if (!character.skeleton.joints[s].helper) used_joints.push_back(s);
    }
    joint_names = NetworkJoints(character.skeleton);
  }

  // Finds the body's size, and the joint that all rotations are relative to.
  void Measure(const std::vector<double>& measured, const std::string& file) {
    if (NeedsOneSkeleton(options.features)) {
      const std::vector<JointIdentity> identities = IdentifyJoints(character.skeleton);
      size = SizeOf(identities, rest_positions, file);
      reference = FindJoint(identities, JointKind::kPelvis);
      return;
    }
    size = kHeightPerSpread * SpreadOf(work.rest, measured);
    reference = ReferenceJoint(character.skeleton, work.influences, file_areas);
    if (!(size > 0)) throw InputError(file, "mesh", "has no surface", "give a mesh with triangles");
  }

  // Also surfaces with as many points as the working level are made anew, so that none differs from it in anything.
  void ChooseLevel(const std::vector<double>& measured) {
    if (!(options.working_edge > 0)) return;
    double area = 0;
    for (const double one : measured) area += one;
    const int wanted = PointsOfEdge(area, options.working_edge * size);
    work = WorkingSurface(surface, std::clamp(wanted, kMinWorkingPoints, kMaxWorkingPoints));
  }

  // Turns everything at rest so that bodies stand and face alike, whatever axes their files have.
  void Straighten() {
    upright = UprightRotation(IdentifyJoints(character.skeleton), rest_positions);
    if (upright.isIdentity()) return;
    for (size_t s = 0; s < rest_joints.size(); ++s) {
      rest_joints[s] = upright * rest_joints[s];
      rest_positions[s] = rest_joints[s].translation().cast<float>();
    }
    work.rest = (work.rest * upright.transpose().cast<float>()).eval();
  }

  void CollectPoints() {
    neighbours = VertexVertices(BuildEdges(work.triangles, points()), points());
    const std::vector<double> measured = VertexAreas({work.rest, work.triangles});
    areas.assign(measured.begin(), measured.end());
    FindBending();
  }

  // Finds the area that bends. Points that only the last joint of a chain moves, as a head or a sword, stay stiff.
  void FindBending() {
    const std::vector<int> above = MovingParents(character.skeleton, work.influences);
    std::vector<bool> carries(above.size(), false);
    const std::vector<bool> moves = MovingJoints(character.skeleton, work.influences);
    for (size_t s = 0; s < above.size(); ++s) {
      if (moves[s] && above[s] >= 0) carries[above[s]] = true;
    }
    for (int i = 0; i < points(); ++i) {
      double stiff = work.influences[i].count == 0 ? 1 : 0;
      for (int k = 0; k < work.influences[i].count; ++k) {
        if (!carries[work.influences[i].joints[k]]) stiff = std::max(stiff, work.influences[i].weights[k]);
      }
      bending.push_back(static_cast<float>((1 - std::min(stiff, 1.0)) * areas[i]));
    }
  }

  // Starts of a joint's distances: points that it, its parent or a child moves, for a joint lies between these.
  std::vector<int> StartsOf(int joint) const {
    const auto near = [&](int other) {
      const std::vector<Joint>& joints = character.skeleton.joints;
      return other == joint || joints[other].parent == joint || joints[joint].parent == other;
    };
    std::vector<int> starts;
    for (int i = 0; i < points(); ++i) {
      const Influences& influences = work.influences[i];
      double weight = 0;
      for (int k = 0; k < influences.count; ++k) weight += near(influences.joints[k]) ? influences.weights[k] : 0;
      if (weight >= kOwnWeight) starts.push_back(i);
    }
    return starts;
  }

  // Returns distances of all points to some joints, over the size: points by joints.
  RowMatrix FindDistances(const std::vector<int>& joints) const {
    RowMatrix result(points(), static_cast<Eigen::Index>(joints.size()));
    std::vector<int> all(points());
    for (int i = 0; i < points(); ++i) all[i] = i;
    ParallelFor(static_cast<int>(joints.size()), 1, [&](int s) {
      std::vector<int> starts = StartsOf(joints[s]);
      if (starts.empty()) starts = all;  // a joint that moves nothing, as a tip: straight distances
      const std::vector<float> found = JointDistances(work.rest, neighbours, rest_positions[joints[s]], starts);
      for (int i = 0; i < points(); ++i) result(i, s) = found[i] / static_cast<float>(size);
    });
    return result;
  }

  void PrepareJointFeatures() {
    const std::vector<bool> moves = MovingJoints(character.skeleton, work.influences);
    std::vector<int> moving;
    for (int s = 0; s < character.skeleton.joint_count(); ++s) {
      if (moves[s]) moving.push_back(s);
    }
    const RowMatrix found = FindDistances(moving);
    Eigen::MatrixXf all = Eigen::MatrixXf::Constant(points(), character.skeleton.joint_count(), -1.0f);
    for (size_t k = 0; k < moving.size(); ++k) all.col(moving[k]) = found.col(static_cast<Eigen::Index>(k));
    joint_features = std::make_unique<JointFeatures>(character.skeleton, work, neighbours, rest_joints, all, size,
                                                     reference, options.features == Features::kCues);
  }

  int points() const { return work.points(); }
  int columns() const {
    return joint_features != nullptr ? joint_features->columns()
                                     : kPositionColumns + kNormalColumns + static_cast<int>(used_joints.size());
  }

  // sum_s w_si M_s x for the joints that move point i.
  template <typename Map>
  Eigen::Vector3d Blend(int i, const std::vector<Map>& maps, const Eigen::Vector3d& x) const {
    const Influences& influences = work.influences[i];
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int k = 0; k < influences.count; ++k) sum += influences.weights[k] * (maps[influences.joints[k]] * x);
    return influences.count > 0 ? sum : x;
  }

  // r_i = sum_s w_si G_s(pose) G_s(rest)^-1 rbar_i (Eqs. 2 to 4; the sum of Eq. 4 runs over s), without the pelvis's
  // own turn.
  void FillPositions(const Transforms& relative, RowMatrix& features) const {
    std::vector<Eigen::Matrix3d> turns;
    const Eigen::Matrix3d pelvis_rest = RotationOf(rest_joints[reference]);
    for (size_t s = 0; s < relative.size(); ++s) {
      turns.emplace_back(pelvis_rest * RotationOf(relative[s]) * RotationOf(rest_joints[s]).transpose());
    }
    for (int i = 0; i < points(); ++i) {
      const Eigen::Vector3d rbar = work.rest.row(i).transpose().cast<double>() - rest_joints[reference].translation();
      const Eigen::Vector3f r = (Blend(i, turns, rbar) / size).cast<float>();
      for (int c = 0; c < 3; ++c) features(i, c) = r[c];
    }
  }

  // Fills in the places of the skinned points in the model, over the size, in place of r_i: the features that Fig. 10
  // compares with.
  void FillPlaces(const Pose& pose, RowMatrix& features) const {
    Transforms maps = ModelFrames(character.skeleton, pose);
    for (size_t s = 0; s < maps.size(); ++s) maps[s] = upright * maps[s] * rest_joints[s].inverse();
    for (int i = 0; i < points(); ++i) {
      const Eigen::Vector3d place = Blend(i, maps, work.rest.row(i).transpose().cast<double>()) / size;
      features.block<1, kPositionColumns>(i, 0) = place.transpose().cast<float>();
    }
  }

  // Maps of the joints from the model at rest to the posed model, in which the reference joint has not moved.
  Transforms MapsOf(const Transforms& relative) const {
    Transforms maps;
    for (size_t s = 0; s < relative.size(); ++s) {
      maps.push_back(rest_joints[reference] * relative[s] * rest_joints[s].inverse());
    }
    return maps;
  }

  // n_i, of the skinned points in the frame of the pelvis.
  void FillNormals(const Transforms& relative, RowMatrix& features) const {
    const Transforms maps = MapsOf(relative);
    TriMesh posed{Points(points(), 3), work.triangles};
    for (int i = 0; i < points(); ++i) {
      const Eigen::Vector3f x = Blend(i, maps, work.rest.row(i).transpose().cast<double>()).cast<float>();
      for (int c = 0; c < 3; ++c) posed.positions(i, c) = x[c];
    }
    features.middleCols(kPositionColumns, kNormalColumns) = VertexNormals(posed);
  }

  BodyOptions options;
  Character character;
  RestSurface surface;
  Poser poser;
  WorkingSurface work;
  Transforms rest_joints;                                 // per joint of the skeleton, in model space, upright
  Eigen::Matrix3d upright = Eigen::Matrix3d::Identity();  // UprightRotation()
  std::vector<Eigen::Vector3f> rest_positions;            // of these
  std::vector<int> used_joints;
  std::vector<std::string> joint_names;  // of used_joints
  double size = 0;
  int reference = -1;  // joint that the others turn relative to
  Csr neighbours;
  std::vector<float> areas, file_areas;  // around the points, and around the welded points of the file
  std::vector<float> bending;            // Body::bending()
  std::vector<layers::CoarserGraph> coarser;
  RowMatrix distances;                            // x_i
  std::unique_ptr<JointFeatures> joint_features;  // null: the paper's features
};

Body::Body(Character character, const std::string& file, const BodyOptions& options)
    : state_(std::make_unique<State>(std::move(character), file, options)) {}
Body::~Body() = default;
Body::Body(Body&&) noexcept = default;

const Character& Body::character() const { return state_->character; }
const BodyOptions& Body::options() const { return state_->options; }
const std::vector<std::string>& Body::joints() const { return state_->joint_names; }
int Body::points() const { return state_->points(); }
int Body::columns() const { return state_->columns(); }
double Body::size() const { return state_->size; }
const Csr& Body::neighbours() const { return state_->neighbours; }
const std::vector<float>& Body::areas() const { return state_->areas; }
const std::vector<float>& Body::bending() const { return state_->bending; }
const std::vector<layers::CoarserGraph>& Body::coarser() const { return state_->coarser; }

std::vector<float> Body::MirrorSigns() const {
  if (state_->joint_features == nullptr || state_->options.answers != Answers::kLimb) return {};
  return state_->joint_features->MirrorSigns();
}

std::vector<float> Body::VertexShares() const {
  const std::vector<int>& welded_of = state_->surface.welding.welded_of;
  const std::vector<float>& areas = state_->file_areas;
  std::vector<int> copies(areas.size(), 0);
  for (const int point : welded_of) ++copies[point];
  double total = 0;
  for (const float area : areas) total += area;
  std::vector<float> shares;
  for (const int point : welded_of) shares.push_back(static_cast<float>(areas[point] / (copies[point] * total)));
  return shares;
}

Body::Frame Body::Evaluate(const Pose& pose) const {
  const State& state = *state_;
  const int reference = state.reference;
  Frame frame{JoinParts(state.poser.Evaluate(pose)), Eigen::Matrix3f::Identity(), RowMatrix(points(), columns())};
  const Eigen::Affine3d moved = LocalToModel(state.character.skeleton, pose)[reference].cast<double>();
  frame.rotation = (RotationOf(moved) * RotationOf(state.rest_joints[reference]).transpose()).cast<float>();
  const Transforms relative = RelativeTo(reference, state.character.skeleton, pose);
  if (state.joint_features == nullptr) {
    if (state.options.features == Features::kPositions) {
      state.FillPlaces(pose, frame.features);
    } else {
      state.FillPositions(relative, frame.features);
    }
    state.FillNormals(relative, frame.features);
    frame.features.rightCols(state.distances.cols()) = state.distances;
  }
  const bool limbs = state.options.answers == Answers::kLimb;
  if (state.joint_features == nullptr && !limbs) return frame;
  const PosedFrames posed = FramesOf(state.work, state.MapsOf(relative));
  if (state.joint_features != nullptr) state.joint_features->Fill(posed, frame.features);
  if (limbs) {
    for (const flesh::Rigid& one : posed.frames) frame.turns.emplace_back(one.R.cast<float>());
  }
  return frame;
}

namespace {

// Rotation of the frame that the answer of a point is in.
Eigen::Matrix3f RotationAt(const Body::Frame& frame, int point) {
  return frame.turns.empty() ? frame.rotation : frame.rotation * frame.turns[point];
}

}  // namespace

RowMatrix Body::Targets(const Frame& frame, const Points& truth) const {
  const Points missing = state_->work.FromVertices(truth - frame.skinned);
  RowMatrix targets(points(), 3);
  for (int i = 0; i < points(); ++i) {
    targets.row(i) = missing.row(i) * RotationAt(frame, i) / static_cast<float>(state_->size);
  }
  return targets;
}

Points Body::Apply(const Frame& frame, const ConstRows& answer) const {
  Points moved(points(), 3);
  const auto size = static_cast<float>(state_->size);
  for (int i = 0; i < points(); ++i) {
    const Eigen::RowVector3f row = answer.row(i);
    moved.row(i) = size * row * RotationAt(frame, i).transpose();
  }
  return frame.skinned + state_->work.ToVertices(moved);
}

}  // namespace sinew::graphnet
