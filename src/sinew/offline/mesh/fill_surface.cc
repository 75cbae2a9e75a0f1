#include "sinew/offline/mesh/fill_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/bcc_grid.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/disjoint_sets.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

// Nodes that are nearer to a cut than this share of the edge are moved onto the surface: the paper's values, which keep
// all dihedral angles away from 0 and pi. Long edges join two corners or two centres, short ones a corner and a centre.
constexpr double kWarpLong = 0.24999, kWarpShort = 0.41189;
constexpr int kRootSteps = 12;
constexpr int kFewestTets = 100;

using Edge = std::pair<int, int>;  // lower node first

// The lattice while it is fitted to the surface.
struct Fitting {
  BccGrid grid;
  std::vector<double> values;            // per node; negative inside, 0 for nodes on the surface
  std::vector<Vector3d> positions;       // per node
  std::vector<std::array<int, 4>> tets;  // that are not outside as a whole
  std::vector<Edge> edges;               // that the surface crosses, ascending
  std::vector<Vector3d> cuts;            // one per edge
};

CubeGrid GridOf(const ImplicitSurface& surface, double cell_size) {
  TriMesh corners;
  corners.positions.resize(2, 3);
  const Eigen::AlignedBox3d box = surface.Bounds();
  corners.positions << box.min().cast<float>().transpose(), box.max().cast<float>().transpose();
  corners.triangles.resize(0, 3);
  return MakeCubeGrid(corners, cell_size);
}

// Place on an edge where the surface crosses it, by regula falsi (Illinois).
Vector3d CutOf(const ImplicitSurface& surface, const Fitting& fitting, const Edge& edge) {
  Vector3d inside = fitting.positions[edge.first], outside = fitting.positions[edge.second];
  double low = fitting.values[edge.first], high = fitting.values[edge.second];
  if (low > 0) {
    std::swap(inside, outside);
    std::swap(low, high);
  }
  const Vector3d along = outside - inside;
  double from = 0, to = 1;
  int moved = 0;  // which end moved last: -1 from, 1 to
  for (int step = 0; step < kRootSteps; ++step) {
    const double middle = from + (to - from) * low / (low - high);
    const double value = surface.Evaluate(inside + middle * along, nullptr);
    if (value == 0) return inside + middle * along;
    const int side = value < 0 ? -1 : 1;
    (side < 0 ? from : to) = middle;
    (side < 0 ? low : high) = value;
    // An end that stays twice counts half, so that it moves, too.
    if (side == moved) (side < 0 ? high : low) /= 2;
    moved = side;
  }
  return inside + from * along;
}

Fitting FitLattice(const ImplicitSurface& surface, double cell_size) {
  Fitting fitting;
  fitting.grid = {GridOf(surface, cell_size)};
  const BccGrid& grid = fitting.grid;
  const int nodes = grid.CornerCount() + grid.CellCount();
  fitting.values.resize(nodes);
  fitting.positions.resize(nodes);
  ParallelFor(nodes, 256, [&](int n) {
    fitting.positions[n] = grid.Position(n);
    fitting.values[n] = surface.Evaluate(fitting.positions[n], nullptr);
  });
  const std::vector<double>& values = fitting.values;
  for (int c = 0; c < grid.CellCount(); ++c) {
    for (int which = 0; which < kTetsPerCell; ++which) {
      const LatticeTet tet = TetOf(grid, grid.CellAt(c), which);
      if (!tet.exists) continue;
      if (std::none_of(tet.nodes, tet.nodes + 4, [&](int n) { return values[n] < 0; })) continue;
      fitting.tets.push_back({tet.nodes[0], tet.nodes[1], tet.nodes[2], tet.nodes[3]});
      for (int a = 0; a < 4; ++a) {
        for (int b = a + 1; b < 4; ++b) {
          const Edge edge = std::minmax(tet.nodes[a], tet.nodes[b]);
          if (values[edge.first] * values[edge.second] < 0) fitting.edges.push_back(edge);
        }
      }
    }
  }
  std::sort(fitting.edges.begin(), fitting.edges.end());
  fitting.edges.erase(std::unique(fitting.edges.begin(), fitting.edges.end()), fitting.edges.end());
  fitting.cuts.resize(fitting.edges.size());
  ParallelFor(static_cast<int>(fitting.edges.size()), 64,
              [&](int e) { fitting.cuts[e] = CutOf(surface, fitting, fitting.edges[e]); });
  return fitting;
}

// Moves nodes that are near a cut onto the surface, in their order. Their edges are no longer crossed.
void WarpNodes(Fitting& fitting) {
  const int corners = fitting.grid.CornerCount();
  const Csr edges_of = BuildCsr(static_cast<int>(fitting.values.size()), [&](const auto& put) {
    for (size_t e = 0; e < fitting.edges.size(); ++e) {
      put(fitting.edges[e].first, static_cast<int>(e));
      put(fitting.edges[e].second, static_cast<int>(e));
    }
  });
  for (int n = 0; n < edges_of.row_count(); ++n) {
    double nearest = 1;  // as a share of the distance that is allowed
    int cut = -1;
    for (const int e : edges_of[n]) {
      const auto [a, b] = fitting.edges[e];
      if (fitting.values[a] == 0 || fitting.values[b] == 0) continue;
      const bool is_long = (a < corners) == (b < corners);
      const double allowed = fitting.grid.h * (is_long ? kWarpLong : kWarpShort * std::sqrt(0.75));
      const double share = (fitting.cuts[e] - fitting.positions[n]).norm() / allowed;
      if (share >= nearest) continue;
      nearest = share;
      cut = e;
    }
    if (cut < 0) continue;
    fitting.positions[n] = fitting.cuts[cut];
    fitting.values[n] = 0;
  }
}

// Tetrahedra over points that are numbered: nodes of the lattice, then cuts.
class Collector {
 public:
  explicit Collector(const Fitting& fitting) : fitting_(fitting) {
    const int nodes = static_cast<int>(fitting.values.size());
    for (size_t e = 0; e < fitting.edges.size(); ++e) cut_of_[fitting.edges[e]] = nodes + static_cast<int>(e);
  }

  // Adds what is inside of a lattice tetrahedron.
  void AddInside(const std::array<int, 4>& tet) {
    std::vector<int> in, on, out;
    for (const int n : tet) {
      const double value = fitting_.values[n];
      (value < 0 ? in : value == 0 ? on : out).push_back(n);
    }
    if (in.empty()) return;
    if (out.empty()) return Add({tet[0], tet[1], tet[2], tet[3]});
    const auto cut = [&](int a, int b) { return cut_of_.at(std::minmax(a, b)); };
    if (in.size() == 1) {
      std::vector<int> corners = {in[0]};
      for (const int n : on) corners.push_back(n);
      for (const int n : out) corners.push_back(cut(in[0], n));
      Add({corners[0], corners[1], corners[2], corners[3]});
    } else if (in.size() == 3) {
      AddPrism({in[0], in[1], in[2]}, {cut(in[0], out[0]), cut(in[1], out[0]), cut(in[2], out[0])});
    } else if (on.empty()) {
      AddPrism({in[0], cut(in[0], out[0]), cut(in[0], out[1])}, {in[1], cut(in[1], out[0]), cut(in[1], out[1])});
    } else {
      AddPyramid(on[0], {in[0], in[1], cut(in[1], out[0]), cut(in[0], out[0])});
    }
  }

  // Only points that a tetrahedron uses, in their order.
  TetMesh Take() const {
    const size_t nodes = fitting_.positions.size();
    std::vector<int> number(nodes + fitting_.cuts.size(), -1);
    for (const auto& tet : tets_) {
      for (const int point : tet) number[point] = 0;
    }
    int count = 0;
    for (int& n : number) {
      if (n == 0) n = count++;
    }
    TetMesh mesh;
    mesh.positions.resize(count, 3);
    for (size_t p = 0; p < number.size(); ++p) {
      if (number[p] >= 0) mesh.positions.row(number[p]) = PositionOf(static_cast<int>(p)).transpose();
    }
    mesh.tets.resize(static_cast<Eigen::Index>(tets_.size()), 4);
    for (size_t t = 0; t < tets_.size(); ++t) {
      for (int k = 0; k < 4; ++k) mesh.tets(static_cast<Eigen::Index>(t), k) = number[tets_[t][k]];
    }
    return mesh;
  }

 private:
  Vector3d PositionOf(int point) const {
    const int nodes = static_cast<int>(fitting_.positions.size());
    return point < nodes ? fitting_.positions[point] : fitting_.cuts[point - nodes];
  }

  void Add(std::array<int, 4> tet) {
    TetCorners corners;
    for (int k = 0; k < 4; ++k) corners[k] = PositionOf(tet[k]);
    if (SignedVolume(corners) < 0) std::swap(tet[2], tet[3]);
    tets_.push_back(tet);
  }

  // Diagonals start at the lowest point, so that both sides of a face cut it alike.
  void AddPyramid(int apex, const std::array<int, 4>& base) {
    const auto lowest = std::min_element(base.begin(), base.end()) - base.begin();
    const auto at = [&](int k) { return base[(lowest + k) % 4]; };
    Add({apex, at(0), at(1), at(2)});
    Add({apex, at(0), at(2), at(3)});
  }

  // Two triangles whose corners are joined in their order.
  void AddPrism(std::array<int, 3> a, std::array<int, 3> b) {
    if (*std::min_element(b.begin(), b.end()) < *std::min_element(a.begin(), a.end())) std::swap(a, b);
    const auto lowest = std::min_element(a.begin(), a.end()) - a.begin();
    std::rotate(a.begin(), a.begin() + lowest, a.end());
    std::rotate(b.begin(), b.begin() + lowest, b.end());
    Add({a[0], b[0], b[1], b[2]});
    AddPyramid(a[0], {a[1], a[2], b[2], b[1]});
  }

  const Fitting& fitting_;
  std::map<Edge, int> cut_of_;
  std::vector<std::array<int, 4>> tets_;
};

void RequireOnePiece(const TetMesh& mesh) {
  if (mesh.tet_count() == 0)
    throw FailedError("nothing is inside of the surface at this size of cells; give smaller ones");
  DisjointSets pieces(mesh.node_count());
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int k = 1; k < 4; ++k) pieces.Join(mesh.tets(t, 0), mesh.tets(t, k));
  }
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (pieces.Find(n) != 0) throw FailedError("the tetrahedra fall apart into pieces at this size; give more of them");
  }
}

TetMesh Fill(const ImplicitSurface& surface, double cell_size) {
  Fitting fitting = FitLattice(surface, cell_size);
  WarpNodes(fitting);
  Collector collector(fitting);
  for (const auto& tet : fitting.tets) collector.AddInside(tet);
  return collector.Take();
}

}  // namespace

TetMesh FillSurface(const ImplicitSurface& surface, double cell_size) {
  TetMesh mesh = Fill(surface, cell_size);
  RequireOnePiece(mesh);
  return mesh;
}

TetMesh FillWithTets(const ImplicitSurface& surface, int tets) {
  if (tets < kFewestTets) throw UsageError(fmt::format("{} tetrahedra; give at least {}", tets, kFewestTets));
  double cell_size = std::cbrt(kTetsPerCell * surface.Bounds().volume() / tets) / 2;
  TetMesh mesh;
  for (int attempt = 0; attempt < 8; ++attempt) {
    mesh = Fill(surface, cell_size);
    const double ratio = static_cast<double>(std::max(1, mesh.tet_count())) / tets;
    if (ratio > 0.97 && ratio < 1.03) break;
    cell_size *= std::cbrt(std::clamp(ratio, 0.1, 10.0));
  }
  RequireOnePiece(mesh);
  return mesh;
}

}  // namespace sinew
