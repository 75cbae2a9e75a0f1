#include "sinew/offline/contact/loaded_solid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/farthest.h"
#include "sinew/offline/mesh/edge_distance.h"
#include "sinew/offline/mesh/tet_block.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using elasticity::HandleKind;
using elasticity::HeldNodes;

constexpr int kPatches = 2;
constexpr int kSpreadSteps = 5;  // in which handles move to the middle of their shares

elasticity::HandleSubspace SubspaceOf(const SolidParts& parts) {
  std::vector<elasticity::Handle> handles;
  for (const HeldNodes& handle : parts.handles) {
    handles.push_back({handle.kind, elasticity::CentreOf(parts.mesh, handle)});
  }
  return elasticity::HandleSubspace::OfFunctions(parts.mesh.positions, std::move(handles),
                                                 elasticity::BiharmonicCoordinates(parts.mesh, parts.handles));
}

Vector3d DrawDirection(Random& random) {
  Vector3d direction;
  for (double& coordinate : direction) coordinate = random.Normal();
  return direction.normalized();
}

// Neighbours of each node along the edges of the tetrahedra.
Csr NeighboursOf(const TetMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int k = 0; k < 16; ++k) {
      if (k / 4 != k % 4) edges.emplace(mesh.tets(t, k / 4), mesh.tets(t, k % 4));
    }
  }
  return BuildCsr(mesh.node_count(), [&](const auto& put) {
    for (const auto& [a, b] : edges) put(a, b);
  });
}

// Ways through the body along its edges.
class Ways {
 public:
  explicit Ways(const TetMesh& mesh) : positions_(mesh.positions.cast<float>()), neighbours_(NeighboursOf(mesh)) {}

  const Csr& neighbours() const { return neighbours_; }
  Distances<double> From(const std::vector<int>& nodes) const {
    std::vector<double> all(static_cast<size_t>(positions_.rows()), std::numeric_limits<double>::infinity());
    for (const int node : nodes) all[node] = 0;
    WalkEdges(positions_, neighbours_, all);
    return Eigen::Map<VectorXd>(all.data(), positions_.rows());
  }

 private:
  Points positions_;
  Csr neighbours_;
};

// The handle that each node is nearest to.
std::vector<int> SharesOf(const Ways& ways, const std::vector<HeldNodes>& handles) {
  Distances<double> nearest;
  std::vector<int> share;
  for (size_t j = 0; j < handles.size(); ++j) {
    const Distances<double> distance = ways.From(handles[j].nodes);
    if (j == 0) {
      nearest = distance;
      share.assign(nearest.size(), 0);
    }
    for (Eigen::Index n = 0; n < nearest.size(); ++n) {
      if (distance[n] >= nearest[n]) continue;
      nearest[n] = distance[n];
      share[n] = static_cast<int>(j);
    }
  }
  return share;
}

// Node of a share that is nearest to its middle.
int MiddleOf(const TetMesh& mesh, const std::vector<int>& share, int own) {
  Eigen::RowVector3d sum = Eigen::RowVector3d::Zero();
  int count = 0;
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (share[n] != own) continue;
    sum += mesh.positions.row(n);
    ++count;
  }
  int best = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (int n = 0; n < mesh.node_count(); ++n) {
    const double off = (mesh.positions.row(n) - sum / count).squaredNorm();
    if (share[n] != own || off >= nearest) continue;
    nearest = off;
    best = n;
  }
  return best;
}

}  // namespace

LoadedSolid::LoadedSolid(SolidParts parts, const SolidOptions& options, const std::string& kind)
    : LoadedSolid(parts, SubspaceOf(parts), options, kind) {}

LoadedSolid::LoadedSolid(SolidParts parts, elasticity::HandleSubspace subspace_in, const SolidOptions& options,
                         const std::string& kind)
    : SolidObject(std::move(parts.mesh), std::move(subspace_in), std::move(parts.graph), options.Material(),
                  elasticity::MakeSolidCollider(options.collider, options.collider_radius), options.NameOf(kind)),
      foot(std::move(parts.foot)),
      loads_(parts.loads),
      foot_functions_(subspace.offsets()[parts.foot_handles] / 3) {}

Nodes LoadedSolid::DrawLoad(Random& random) const {
  const double per_node = loads_.volume / node_count(), per_place = loads_.area / place_count();
  const double amount = loads_.body * random.Uniform();
  const Vector3d body = amount * DrawDirection(random);
  Nodes forces = (per_node * body).transpose().replicate(node_count(), 1);
  for (int patch = 0; patch < kPatches; ++patch) {
    const auto centre = mesh.positions.row(places[random.Below(static_cast<uint32_t>(place_count()))]);
    const Vector3d direction = DrawDirection(random);
    const Eigen::RowVector3d pressure = (loads_.pressure * random.Uniform() * direction).transpose();
    for (const int n : places) {
      const double off = (mesh.positions.row(n) - centre).squaredNorm() / (loads_.patch * loads_.patch);
      forces.row(n) += per_place * std::exp(-off) * pressure;
    }
  }
  return forces;
}

VectorXd LoadedSolid::Settle(const elasticity::Projector& projector, Random& random) const {
  Nodes forces = DrawLoad(random);
  for (int tries = 0; tries < 8; ++tries, forces /= 2) {
    Nodes x = mesh.positions;
    const elasticity::SolveReport report = solver.Solve(projector, &forces, x);
    if (report.status != elasticity::SolveStatus::kConverged || report.inverted_tets > 0) continue;
    return subspace.Project(x.reshaped<Eigen::RowMajor>());
  }
  throw FailedError("the body has no equilibrium even under small loads; give it other tetrahedra");
}

VectorXd LoadedSolid::DrawState(Random& random) const {
  // All functions but the first, those of the handles that hold the foot.
  const Eigen::SparseMatrix<double> free = subspace.B().rightCols(subspace.B().cols() - foot_functions_);
  return Settle(elasticity::RangeSpace(free, 3), random);
}

VectorXd LoadedSolid::DrawTestState(Random& random) const { return Settle(elasticity::PinnedNodes(foot), random); }

double SurfaceAreaOf(const TetMesh& mesh) {
  const Triangles surface = SurfaceOf(mesh);
  double area = 0;
  for (Eigen::Index t = 0; t < surface.rows(); ++t) {
    const auto at = [&](int k) { return Vector3d(mesh.positions.row(surface(t, k)).transpose()); };
    area += (at(1) - at(0)).cross(at(2) - at(0)).norm() / 2;
  }
  return area;
}

int NearestNode(const TetMesh& mesh, const Vector3d& at) {
  Eigen::Index node = 0;
  (mesh.positions.rowwise() - at.transpose()).rowwise().squaredNorm().minCoeff(&node);
  return static_cast<int>(node);
}

std::vector<HeldNodes> SpreadHandles(const TetMesh& mesh, const std::vector<int>& foot, int count) {
  const Ways ways(mesh);
  Distances<double> distance = ways.From(foot.empty() ? std::vector<int>{0} : foot);
  const auto distances_from = [&](int n) { return ways.From({n}); };
  std::vector<HeldNodes> handles;
  if (!foot.empty()) handles.push_back({HandleKind::kFrame, foot});
  for (const int node : ChooseFarthest<double>(count, !foot.empty(), distances_from, distance)) {
    handles.push_back({HandleKind::kPoint, {node}});
  }
  const size_t first = foot.empty() ? 0 : 1;
  for (int step = 0; step < kSpreadSteps; ++step) {
    const std::vector<int> share = SharesOf(ways, handles);
    for (size_t j = first; j < handles.size(); ++j) handles[j].nodes = {MiddleOf(mesh, share, static_cast<int>(j))};
  }
  return handles;
}

ContactObject::Pairs GraphOf(const TetMesh& mesh, const std::vector<HeldNodes>& handles) {
  const Ways ways(mesh);
  const std::vector<int> share = SharesOf(ways, handles);
  std::set<std::pair<int, int>> pairs;
  for (int n = 0; n < mesh.node_count(); ++n) {
    for (const int other : ways.neighbours()[n]) {
      if (share[n] < share[other]) pairs.emplace(share[n], share[other]);
    }
  }
  return {pairs.begin(), pairs.end()};
}

}  // namespace sinew::contact
