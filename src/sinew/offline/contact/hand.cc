#include "sinew/offline/contact/hand.h"

#include <cmath>
#include <iterator>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/character/influences.h"
#include "sinew/offline/contact/solve_contact.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/skin_weights.h"
#include "sinew/offline/flesh/node_weights.h"
#include "sinew/offline/mesh/fill_surface.h"
#include "sinew/offline/mesh/tet_block.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::contact {

struct HandParts {
  embedded::Figure figure;
  TetMesh mesh;
  Eigen::MatrixXd weights;  // one row per node, one column per joint
};

namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStateAmount = 0.5;  // share of the joint limits that states fill
// How far the fingers are spread at rest, as --shape spread: as far as they can be, so that little is closed between
// them by tetrahedra that are wider than the gaps.
constexpr double kSpread = 1.8;
constexpr uint64_t kPoseSeed = 1;
constexpr uint32_t kPoses = 1 << 24;  // of the sequence that poses are drawn from
constexpr const char* kDigits[] = {"thumb", "index", "middle", "ring", "pinky"};

// The surface of the tetrahedra, by its own nodes alone, and which nodes of the mesh those are.
struct OwnSurface {
  FineMesh mesh;
  std::vector<int> nodes;
};

OwnSurface OwnSurfaceOf(const TetMesh& mesh) {
  OwnSurface own;
  const Triangles surface = SurfaceOf(mesh);
  std::vector<int> number(mesh.node_count(), -1);
  for (Eigen::Index t = 0; t < surface.rows(); ++t) {
    for (const int node : surface.row(t)) number[node] = 0;
  }
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (number[n] < 0) continue;
    number[n] = static_cast<int>(own.nodes.size());
    own.nodes.push_back(n);
    own.mesh.positions.emplace_back(mesh.positions.row(n).transpose());
  }
  for (Eigen::Index t = 0; t < surface.rows(); ++t) {
    own.mesh.triangles.emplace_back(number[surface(t, 0)], number[surface(t, 1)], number[surface(t, 2)]);
  }
  return own;
}

// Every node of the surface as a point in one of its tetrahedra, at a corner.
Embedding AtCorners(const TetMesh& mesh, const std::vector<int>& nodes) {
  std::vector<int> tet_of(mesh.node_count()), corner_of(mesh.node_count());
  for (int i = 0; i < 4 * mesh.tet_count(); ++i) {
    tet_of[mesh.tets(i / 4, i % 4)] = i / 4;
    corner_of[mesh.tets(i / 4, i % 4)] = i % 4;
  }
  Embedding embedding;
  embedding.weights.setZero(static_cast<Eigen::Index>(nodes.size()), 4);
  for (size_t i = 0; i < nodes.size(); ++i) {
    embedding.tets.push_back(tet_of[nodes[i]]);
    embedding.weights(static_cast<Eigen::Index>(i), corner_of[nodes[i]]) = 1;
  }
  return embedding;
}

// Skinning weights of the hand's surface, carried on to the nodes inside: the strongest few per node.
Eigen::MatrixXd WeightsOf(const embedded::Figure& figure, const embedded::Implicit& implicit, const TetMesh& mesh) {
  const OwnSurface own = OwnSurfaceOf(mesh);
  const SkinWeights packed = embedded::MakeSkinWeights(figure, implicit, own.mesh, false);
  std::vector<Influences> of_surface;
  for (size_t v = 0; v < own.nodes.size(); ++v) of_surface.push_back(InfluencesOf(packed, static_cast<int>(v)));
  const int joints = static_cast<int>(figure.joints.size());
  const double cell = std::cbrt(12 * SignedVolume(mesh) / mesh.tet_count());
  const std::vector<Influences> of_nodes =
      flesh::FitNodeWeights(mesh, ToTriMesh(own.mesh), AtCorners(mesh, own.nodes), of_surface, joints, cell);
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(mesh.node_count(), joints);
  for (int n = 0; n < mesh.node_count(); ++n) {
    Influences influences = of_nodes[n];
    Normalize(influences);
    for (int i = 0; i < influences.count; ++i) weights(n, influences.joints[i]) = influences.weights[i];
  }
  return weights;
}

HandParts MakeParts(const SolidOptions& options) {
  const embedded::Kind& kind = embedded::FindKind("hand");
  embedded::Shape shape(kind.parameters);
  shape.Set("spread", kSpread);
  HandParts parts{.figure = kind.build(shape), .mesh = {}, .weights = {}};
  const embedded::Implicit implicit(parts.figure.sculpture);
  parts.mesh = FillWithTets(implicit, options.tets);
  parts.weights = WeightsOf(parts.figure, implicit, parts.mesh);
  return parts;
}

elasticity::HandleSubspace SubspaceOf(const HandParts& parts) {
  std::vector<elasticity::Handle> handles;
  for (const embedded::FigureJoint& joint : parts.figure.joints) {
    const Vector3d middle = (joint.position + joint.tip) / 2;
    handles.push_back({elasticity::HandleKind::kFrame, middle});
  }
  return {parts.mesh.positions, std::move(handles), parts.weights};
}

ContactObject::Pairs BonePairs(const embedded::Figure& figure) {
  ContactObject::Pairs pairs;
  for (size_t j = 0; j < figure.joints.size(); ++j) {
    if (figure.joints[j].parent >= 0) pairs.emplace_back(figure.joints[j].parent, static_cast<int>(j));
  }
  return pairs;
}

int RegionOf(const std::string& joint) {
  for (int digit = 0; digit < 5; ++digit) {
    if (joint.find(kDigits[digit]) != std::string::npos) return 1 + digit;
  }
  return 0;
}

}  // namespace

Hand::Hand(const SolidOptions& options) : Hand(MakeParts(options), options) {}

Hand::Hand(HandParts parts, const SolidOptions& options)
    : SolidObject(parts.mesh, SubspaceOf(parts), BonePairs(parts.figure), options.Material(),
                  elasticity::MakeSolidCollider(options.collider, options.collider_radius), options.NameOf("hand")),
      skeleton(embedded::SkeletonOf(parts.figure.joints)),
      limits(FindLimits(skeleton, {})),
      regions({"palm"}) {
  regions.insert(regions.end(), std::begin(kDigits), std::end(kDigits));
  for (int n = 0; n < node_count(); ++n) {
    Eigen::Index strongest = 0;
    parts.weights.row(n).maxCoeff(&strongest);
    region_of.push_back(RegionOf(skeleton.joints[strongest].name));
  }
}

VectorXd Hand::StateOf(const Pose& pose) const {
  const std::vector<Eigen::Affine3f> rest = LocalToModel(skeleton, skeleton.RestPose());
  const std::vector<Eigen::Affine3f> posed = LocalToModel(skeleton, pose);
  VectorXd state(subspace.state_size());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const Eigen::Affine3d motion = posed[j].cast<double>() * rest[j].cast<double>().inverse();
    const int first = subspace.offsets()[j];
    const Eigen::Matrix3d matrix = motion.linear();
    state.segment<9>(first) = matrix.reshaped<Eigen::RowMajor>();
    state.segment<3>(first + 9) = motion * Vector3d(subspace.handles()[j].centre);
  }
  return state;
}

VectorXd Hand::DrawState(Random& random) const {
  const Articulation articulation(skeleton);
  const auto index = static_cast<int>(random.Below(kPoses));
  std::vector<Eigen::Quaterniond> turns = articulation.Deltas(
      poses::SamplePosesFrom(index, articulation, limits, {.count = 1, .seed = kPoseSeed, .amount = kStateAmount})
          .front());
  turns[0].setIdentity();
  for (int tries = 0; tries < 6; ++tries) {
    const VectorXd state = StateOf(articulation.ToPose(turns));
    try {
      RelaxState(*this, state);
      return state;
    } catch (const FailedError&) {
      for (Eigen::Quaterniond& turn : turns) turn = Eigen::Quaterniond::Identity().slerp(0.5, turn);
    }
  }
  throw FailedError("the hand has no equilibrium in any pose; give it other tetrahedra");
}

}  // namespace sinew::contact
