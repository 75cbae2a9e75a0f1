#include "sinew/offline/autorig/branch_shapes.h"

#include <array>
#include <numeric>

#include "sinew/offline/autorig/shaped_body.h"
#include "sinew/offline/bodies/made_body.h"
#include "sinew/offline/character/influences.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/remesh/sound_surface.h"

namespace sinew::autorig {
namespace {

constexpr int kVerticesAtOnce = 256;

std::array<int, kJoints> FirstJoints() {
  std::array<int, kJoints> joints;
  std::iota(joints.begin(), joints.end(), 0);
  return joints;
}

// Values at the nearest places of a surface.
RowMatrix AtNearest(const TriMesh& surface, const RowMatrix& values, const Points& points) {
  const SurfaceQuery query(surface);
  RowMatrix found(points.rows(), values.cols());
  ParallelFor(static_cast<int>(points.rows()), kVerticesAtOnce, [&](int v) {
    const SurfacePoint at = *query.Closest(points.row(v).transpose());
    found.row(v).setZero();
    for (int k = 0; k < 3; ++k) {
      found.row(v) += static_cast<float>(at.barycentric[k]) * values.row(surface.triangles(at.triangle, k));
    }
  });
  return found;
}

}  // namespace

BranchShapes::BranchShapes(const Character& character, const Eigen::Matrix3d& turn, const RigNetwork& network,
                           const ResidualBranch& branch, uint64_t seed, const std::string& file)
    : character_(character), branch_(branch), rest_(MainBindPose(character)) {
  const TriMesh source = bodies::SourceSurface(character, file);
  const TriMesh surface = MakeWorkingSurface(SoundSurface(source), kWorkingVertices, seed, file).mesh;
  const Envelope envelope = FindEnvelope(surface, turn, network, file);
  turn_ = envelope.turn();
  unit_ = envelope.unit();
  masks_ = BendingMasks(BipedWeights(character, FirstJoints()), branch.masks());
  const SurfaceEdges& edges = *envelope.input.edges;
  const RowMatrix B = branch.Shapes(ShapeFeatures(network, envelope.input), edges);
  B_ = AtNearest(surface, layers::VertexMeans(edges.ends, B, surface.vertex_count()), source.positions);
}

Points BranchShapes::Added(const Pose& pose) const {
  const layers::RigPose turns = TurnsOfJoints(character_.skeleton, FirstJoints(), rest_, pose, turn_);
  const RowMatrix added = layers::AddedByShapes(masks_, B_, branch_.Coefficients(turns.bottomRows(kBendingJoints)));
  return added * (unit_ * turn_).cast<float>();
}

Points BranchShapes::Shape(const Pose& pose) const {
  const Points added = Added(pose);
  Points shape = SkinnedShape(character_, pose);
  const std::vector<Eigen::Affine3f> still = LocalToModel(character_.skeleton, rest_),
                                     moved = LocalToModel(character_.skeleton, pose);
  std::vector<Eigen::Matrix3f> turns;
  for (size_t j = 0; j < still.size(); ++j) turns.emplace_back(moved[j].linear() * still[j].linear().inverse());
  int row = 0;
  for (const Part& part : character_.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++row) {
      if (part.weights.empty()) continue;
      const Influences influences = InfluencesOf(part.weights, v);
      for (int i = 0; i < influences.count; ++i) {
        shape.row(row) += static_cast<float>(influences.weights[i]) *
                          (turns[influences.joints[i]] * added.row(row).transpose()).transpose();
      }
    }
  }
  return shape;
}

}  // namespace sinew::autorig
