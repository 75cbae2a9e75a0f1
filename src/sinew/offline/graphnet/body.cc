#include "sinew/offline/graphnet/body.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/graphnet/joint_distances.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::graphnet {
namespace {

constexpr int kPositionColumns = 3, kNormalColumns = 3;
constexpr float kOwnWeight = 0.5f;  // from which weight on a point counts as one of a joint, for distances
constexpr const char* kRemedy =
    "graph networks are for bodies with a pelvis, two legs and a spine, by their joints' names";

using Transforms = std::vector<Eigen::Affine3d>;

Eigen::Matrix3d RotationOf(const Eigen::Affine3d& transform) {
  return ToEigen(ToTransform(transform.cast<float>()).rotation).cast<double>().toRotationMatrix();
}

// Frames of all joints in the frame of the pelvis. Joints below it do not see at all where the body stands.
Transforms RelativeToPelvis(const Skeleton& skeleton, const Pose& pose, int pelvis) {
  Transforms model;
  for (int s = 0; s < skeleton.joint_count(); ++s) {
    const Eigen::Affine3d local = ToAffine(pose[s]).cast<double>();
    const int parent = skeleton.joints[s].parent;
    model.push_back(parent < 0 ? local : Eigen::Affine3d(model[parent] * local));
  }
  const Eigen::Affine3d inverse = model[pelvis].inverse();
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

}  // namespace

std::vector<std::string> NetworkJoints(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Joint& joint : skeleton.joints) {
    if (!joint.helper) names.push_back(joint.name);
  }
  return names;
}

struct Body::State {
  State(Character given, const std::string& file)
      : character(std::move(given)), surface(CollectRestSurface(character)), poser(character) {
    RefuseBadPositions(character, surface, file);
    PlaceJoints(file);
    CollectPoints();
    FindDistances(file);
  }

  // Which joints there are, where they rest, how large the body is.
  void PlaceJoints(const std::string& file) {
    const RestPlacement& placement = surface.placement;
    for (const Eigen::Affine3d& joint : placement.bind_from_joint) {
      rest_joints.push_back(placement.model_from_bind * joint);
      rest_positions.emplace_back(rest_joints.back().translation().cast<float>());
    }
    for (int s = 0; s < character.skeleton.joint_count(); ++s) {
      if (!character.skeleton.joints[s].helper) used_joints.push_back(s);
    }
    joint_names = NetworkJoints(character.skeleton);
    const std::vector<JointIdentity> identities = IdentifyJoints(character.skeleton);
    size = SizeOf(identities, rest_positions, file);
    pelvis = FindJoint(identities, JointKind::kPelvis);
  }

  void CollectPoints() {
    const Eigen::Affine3f model_from_bind = surface.placement.model_from_bind.cast<float>();
    rest = (surface.welded.positions * model_from_bind.linear().transpose()).rowwise() +
           model_from_bind.translation().transpose();
    neighbours = VertexVertices(BuildEdges(surface.welded.triangles, surface.welded.vertex_count()), points());
    const std::vector<double> measured = VertexAreas({rest, surface.welded.triangles});
    areas.assign(measured.begin(), measured.end());
  }

  // Starts of a joint's distances: points that it, its parent or a child moves, for a joint lies between these.
  std::vector<int> StartsOf(int joint) const {
    const auto near = [&](int other) {
      const std::vector<Joint>& joints = character.skeleton.joints;
      return other == joint || joints[other].parent == joint || joints[joint].parent == other;
    };
    std::vector<int> starts;
    for (int i = 0; i < points(); ++i) {
      const Influences& influences = surface.influences[surface.welding.first_of[i]];
      double weight = 0;
      for (int k = 0; k < influences.count; ++k) weight += near(influences.joints[k]) ? influences.weights[k] : 0;
      if (weight >= kOwnWeight) starts.push_back(i);
    }
    return starts;
  }

  void FindDistances(const std::string& file) {
    bool skinned = false;
    for (const Influences& influences : surface.influences) skinned |= influences.count > 0;
    if (!skinned || points() == 0) throw InputError(file, "mesh", "has no point that a joint moves", "skin it first");
    distances.resize(points(), static_cast<Eigen::Index>(used_joints.size()));
    std::vector<int> all(points());
    for (int i = 0; i < points(); ++i) all[i] = i;
    ParallelFor(static_cast<int>(used_joints.size()), 1, [&](int s) {
      std::vector<int> starts = StartsOf(used_joints[s]);
      if (starts.empty()) starts = all;  // a joint that moves nothing, as a tip: straight distances
      const std::vector<float> found = JointDistances(rest, neighbours, rest_positions[used_joints[s]], starts);
      for (int i = 0; i < points(); ++i) distances(i, s) = found[i] / static_cast<float>(size);
    });
  }

  int points() const { return surface.welding.welded_count(); }
  Eigen::RowVector3f PointOf(const Points& vertices, int i) const { return vertices.row(surface.welding.first_of[i]); }

  // sum_s w_si M_s x for the joints that move point i.
  template <typename Map>
  Eigen::Vector3d Blend(int i, const std::vector<Map>& maps, const Eigen::Vector3d& x) const {
    const Influences& influences = surface.influences[surface.welding.first_of[i]];
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int k = 0; k < influences.count; ++k) sum += influences.weights[k] * (maps[influences.joints[k]] * x);
    return influences.count > 0 ? sum : x;
  }

  // r_i = sum_s w_si G_s(pose) G_s(rest)^-1 rbar_i (Eqs. 2 to 4; the sum of Eq. 4 runs over s), without the pelvis's
  // own turn.
  void FillPositions(const Transforms& relative, RowMatrix& features) const {
    std::vector<Eigen::Matrix3d> turns;
    const Eigen::Matrix3d pelvis_rest = RotationOf(rest_joints[pelvis]);
    for (size_t s = 0; s < relative.size(); ++s) {
      turns.emplace_back(pelvis_rest * RotationOf(relative[s]) * RotationOf(rest_joints[s]).transpose());
    }
    for (int i = 0; i < points(); ++i) {
      const Eigen::Vector3d rbar = rest.row(i).transpose().cast<double>() - rest_joints[pelvis].translation();
      const Eigen::Vector3f r = (Blend(i, turns, rbar) / size).cast<float>();
      for (int c = 0; c < 3; ++c) features(i, c) = r[c];
    }
  }

  // n_i, of the skinned points in the frame of the pelvis.
  void FillNormals(const Transforms& relative, RowMatrix& features) const {
    Transforms maps;
    for (size_t s = 0; s < relative.size(); ++s) {
      maps.push_back(rest_joints[pelvis] * relative[s] * rest_joints[s].inverse());
    }
    TriMesh posed{Points(points(), 3), surface.welded.triangles};
    for (int i = 0; i < points(); ++i) {
      const Eigen::Vector3f x = Blend(i, maps, rest.row(i).transpose().cast<double>()).cast<float>();
      for (int c = 0; c < 3; ++c) posed.positions(i, c) = x[c];
    }
    features.middleCols(kPositionColumns, kNormalColumns) = VertexNormals(posed);
  }

  Character character;
  RestSurface surface;
  Poser poser;
  Transforms rest_joints;                       // per joint of the skeleton, in model space
  std::vector<Eigen::Vector3f> rest_positions;  // of these
  std::vector<int> used_joints;
  std::vector<std::string> joint_names;  // of used_joints
  double size = 0;
  int pelvis = -1;
  Points rest;  // points in model space
  Csr neighbours;
  std::vector<float> areas;
  RowMatrix distances;  // x_i
};

Body::Body(Character character, const std::string& file)
    : state_(std::make_unique<State>(std::move(character), file)) {}
Body::~Body() = default;
Body::Body(Body&&) noexcept = default;

const Character& Body::character() const { return state_->character; }
const std::vector<std::string>& Body::joints() const { return state_->joint_names; }
int Body::points() const { return state_->points(); }
int Body::columns() const { return kPositionColumns + kNormalColumns + static_cast<int>(state_->used_joints.size()); }
double Body::size() const { return state_->size; }
const Csr& Body::neighbours() const { return state_->neighbours; }
const std::vector<float>& Body::areas() const { return state_->areas; }

std::vector<float> Body::VertexShares() const {
  const std::vector<int>& welded_of = state_->surface.welding.welded_of;
  std::vector<int> copies(points(), 0);
  for (const int point : welded_of) ++copies[point];
  double total = 0;
  for (const float area : areas()) total += area;
  std::vector<float> shares;
  for (const int point : welded_of) shares.push_back(static_cast<float>(areas()[point] / (copies[point] * total)));
  return shares;
}

Body::Frame Body::Evaluate(const Pose& pose) const {
  const State& state = *state_;
  Frame frame{JoinParts(state.poser.Evaluate(pose)), Eigen::Matrix3f::Identity(), RowMatrix(points(), columns())};
  const Eigen::Affine3d pelvis = LocalToModel(state.character.skeleton, pose)[state.pelvis].cast<double>();
  frame.rotation = (RotationOf(pelvis) * RotationOf(state.rest_joints[state.pelvis]).transpose()).cast<float>();
  const Transforms relative = RelativeToPelvis(state.character.skeleton, pose, state.pelvis);
  state.FillPositions(relative, frame.features);
  state.FillNormals(relative, frame.features);
  frame.features.rightCols(state.distances.cols()) = state.distances;
  return frame;
}

RowMatrix Body::Targets(const Frame& frame, const Points& truth) const {
  RowMatrix targets(points(), 3);
  for (int i = 0; i < points(); ++i) {
    const Eigen::RowVector3f missing = state_->PointOf(truth, i) - state_->PointOf(frame.skinned, i);
    targets.row(i) = missing * frame.rotation / static_cast<float>(state_->size);
  }
  return targets;
}

Points Body::Apply(const Frame& frame, const ConstRows& answer) const {
  Points shape = frame.skinned;
  const std::vector<int>& welded_of = state_->surface.welding.welded_of;
  for (Eigen::Index v = 0; v < shape.rows(); ++v) {
    const Eigen::RowVector3f row = answer.row(welded_of[v]);
    shape.row(v) += static_cast<float>(state_->size) * row * frame.rotation.transpose();
  }
  return shape;
}

}  // namespace sinew::graphnet
