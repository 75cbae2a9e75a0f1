#include "sinew/offline/flesh/node_weights.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/flesh/contact_surface.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::flesh {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// Weight of differences along edges against the fit to the skin. With much more, the weights at a toe reach only half
// of the skin's weights there.
constexpr double kSmoothing = 0.01;
// Regularisation for nodes that the skin does not determine.
constexpr double kRegular = 1e-6;
// Thickness in cells up to which skin follows only its bones, and from which on it follows only its flesh.
constexpr double kThin = 0.4, kThick = 0.8;

// Moves every value by one half towards the mean of its neighbours, `steps` times.
void EvenOut(const Csr& neighbours, int steps, Eigen::Ref<Eigen::VectorXd> values) {
  for (int step = 0; step < steps; ++step) {
    const Eigen::VectorXd old = values;
    for (Eigen::Index v = 0; v < values.size(); ++v) {
      const auto around = neighbours[static_cast<int>(v)];
      if (around.empty()) continue;
      double sum = 0;
      for (const int other : around) sum += old[other];
      values[v] = 0.5 * (old[v] + sum / static_cast<double>(around.size()));
    }
  }
}

// Adds `share` times the influences to a row of dense weights.
void Add(const Influences& influences, double share, int row, Eigen::MatrixXd& weights) {
  for (int i = 0; i < influences.count; ++i) weights(row, influences.joints[i]) += share * influences.weights[i];
}

}  // namespace

std::vector<Influences> FitNodeWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                       const std::vector<Influences>& influences, int joints, double cell_size) {
  // Least squares over the skin: the nodes' weights, interpolated, against those of each vertex.
  const int nodes = mesh.node_count();
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(nodes, joints);
  const std::vector<double> areas = VertexAreas(skin);
  for (int v = 0; v < embedding.point_count(); ++v) {
    const auto corners = mesh.tets.row(embedding.tets[v]);
    const double share = areas[v] / (cell_size * cell_size);
    for (int a = 0; a < 4; ++a) {
      const double weight = share * embedding.weights(v, a);
      for (int b = 0; b < 4; ++b) entries.emplace_back(corners[a], corners[b], weight * embedding.weights(v, b));
      for (int i = 0; i < influences[v].count; ++i) {
        right(corners[a], influences[v].joints[i]) += weight * influences[v].weights[i];
      }
    }
  }
  // Penalty on differences along edges, and regularisation.
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        if (a == b) continue;
        entries.emplace_back(mesh.tets(t, a), mesh.tets(t, a), kSmoothing);
        entries.emplace_back(mesh.tets(t, a), mesh.tets(t, b), -kSmoothing);
      }
    }
  }
  for (int n = 0; n < nodes; ++n) entries.emplace_back(n, n, kRegular);
  // One linear solve per joint.
  Matrix A(nodes, nodes);
  A.setFromTriplets(entries.begin(), entries.end());
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(nodes, joints);
  ParallelFor(joints, 1, [&](int j) {
    if (right.col(j).squaredNorm() == 0) return;
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper> solver(A);
    solver.setTolerance(1e-5);
    weights.col(j) = solver.solve(right.col(j));
  });
  // Strongest weights per node; a node without any gets those of the first vertex.
  std::vector<Influences> result;
  for (int n = 0; n < nodes; ++n) {
    result.push_back(StrongestOf(weights.row(n).transpose()));
    if (result.back().count == 0) result.back() = influences.front();
  }
  return result;
}

std::vector<Influences> FleshWeights(const TetMesh& mesh, const TriMesh& skin, const Embedding& embedding,
                                     const std::vector<Influences>& of_nodes, const Csr& neighbours,
                                     const SkinFollowingOptions& options) {
  const int vertices = skin.vertex_count();
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(vertices, options.joints);
  for (int v = 0; v < vertices; ++v) {
    for (int k = 0; k < 4; ++k) {
      Add(of_nodes[mesh.tets(embedding.tets[v], k)], embedding.weights(v, k), v, weights);
    }
  }
  ParallelFor(options.joints, 1, [&](int j) { EvenOut(neighbours, options.smoothing_steps, weights.col(j)); });
  std::vector<Influences> result;
  for (int v = 0; v < vertices; ++v) result.push_back(StrongestOf(weights.row(v).transpose()));
  return result;
}

std::vector<double> FleshShares(const TriMesh& skin, const Csr& neighbours, const SkinFollowingOptions& options) {
  const std::vector<double> thickness = MeasureThickness(skin);
  Eigen::VectorXd shares(skin.vertex_count());
  for (int v = 0; v < skin.vertex_count(); ++v) {
    shares[v] = std::clamp((thickness[v] / options.cell_size - kThin) / (kThick - kThin), 0.0, 1.0);
  }
  EvenOut(neighbours, options.smoothing_steps, shares);
  return {shares.begin(), shares.end()};
}

std::vector<Influences> MixWeights(const std::vector<Influences>& first, const std::vector<Influences>& second,
                                   const std::vector<double>& shares, int joints) {
  std::vector<Influences> result;
  Eigen::MatrixXd weights(1, joints);
  for (size_t v = 0; v < first.size(); ++v) {
    weights.setZero();
    Add(first[v], shares[v], 0, weights);
    Add(second[v], 1 - shares[v], 0, weights);
    result.push_back(StrongestOf(weights.row(0).transpose()));
  }
  return result;
}

}  // namespace sinew::flesh
