#include "sinew/offline/scenes/object_builder.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/farthest.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/plane_body.h"
#include "sinew/offline/elasticity/plane_contact.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew::scenes {
namespace {

using dynamics::ObjectTable;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using elasticity::HandleKind;
using elasticity::PlaneHandle;

constexpr int kFirstCubature = 200, kStates = 50;

int FunctionCount(const PlaneHandle& handle) { return handle.kind == HandleKind::kFrame ? 3 : 1; }

// Positions Q of the functions at rest, one row each.
MatrixXd RestRows(const RawObject& raw) {
  MatrixXd rows = MatrixXd::Zero(raw.basis.cols(), 2);
  Eigen::Index first = 0;
  for (const PlaneHandle& handle : raw.handles) {
    if (handle.kind == HandleKind::kFrame) rows.block<2, 2>(first, 0).setIdentity();
    first += FunctionCount(handle);
    rows.row(first - 1) = handle.centre.transpose();
  }
  return rows;
}

// 1 for functions that carry a position.
VectorXd PositionFunctions(const RawObject& raw) {
  VectorXd carries = VectorXd::Zero(raw.basis.cols());
  Eigen::Index next = 0;
  for (const PlaneHandle& handle : raw.handles) carries[(next += FunctionCount(handle)) - 1] = 1;
  return carries;
}

double SizeOf(const elasticity::PlaneMesh& mesh) {
  return (mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff()).norm();
}

void Check(const RawObject& raw) {
  Eigen::Index functions = 0;
  for (const PlaneHandle& handle : raw.handles) functions += FunctionCount(handle);
  if (raw.handles.empty() || functions > static_cast<Eigen::Index>(ObjectTable::kMaxBasis) ||
      raw.basis.cols() != functions || raw.basis.rows() != raw.mesh.node_count() || !raw.basis.allFinite()) {
    throw UsageError(
        fmt::format("a basis of {} rows and {} columns for {} nodes and handles of {} functions; give one "
                    "row per node, and at most {} functions",
                    raw.basis.rows(), raw.basis.cols(), raw.mesh.node_count(), functions, ObjectTable::kMaxBasis));
  }
  const double size = SizeOf(raw.mesh);
  const double shape = (raw.basis * RestRows(raw) - raw.mesh.positions).cwiseAbs().maxCoeff();
  const double shift = ((raw.basis * PositionFunctions(raw)).array() - 1).abs().maxCoeff();
  if (!(shape < 1e-6 * size) || !(shift < 1e-7)) {
    throw UsageError("the handles do not reproduce the shape at rest or its translations; make their weights sum to 1");
  }
  if (!(raw.density > 0)) throw UsageError(fmt::format("a density of {}; give one above 0", raw.density));
}

// Geometry of a triangle and of the functions on it.
struct Element {
  double area = 0;
  MatrixXd gradients;  // one row per function
};

Element ElementOf(const RawObject& raw, int t) {
  Eigen::Matrix2d edges;
  const auto corner = [&](int k) { return raw.mesh.triangles(t, k); };
  for (int k = 0; k < 2; ++k) {
    edges.col(k) = (raw.mesh.positions.row(corner(k + 1)) - raw.mesh.positions.row(corner(0))).transpose();
  }
  const Eigen::Matrix2d shape = edges.inverse();
  const MatrixXd first = raw.basis.row(corner(1)) - raw.basis.row(corner(0));
  const MatrixXd second = raw.basis.row(corner(2)) - raw.basis.row(corner(0));
  return {edges.determinant() / 2, first.transpose() * shape.row(0) + second.transpose() * shape.row(1)};
}

// Integrals of density phi_k phi_l, exact for linear triangles.
MatrixXd MassOf(const RawObject& raw) {
  MatrixXd weighed = MatrixXd::Zero(raw.basis.rows(), raw.basis.cols());
  for (int t = 0; t < raw.mesh.triangle_count(); ++t) {
    const Eigen::RowVector3i corners = raw.mesh.triangles.row(t);
    const double share = raw.density * ElementOf(raw, t).area / 12;
    const VectorXd sum =
        (raw.basis.row(corners[0]) + raw.basis.row(corners[1]) + raw.basis.row(corners[2])).transpose();
    for (const int corner : corners) weighed.row(corner) += share * (sum.transpose() + raw.basis.row(corner));
  }
  const MatrixXd mass = raw.basis.transpose() * weighed;
  return (mass + mass.transpose()) / 2;
}

// Root of the mean square distance from a handle's centre of what it carries.
double RadiusOf(const RawObject& raw, const PlaneHandle& handle, Eigen::Index function) {
  double sum = 0, total = 0;
  for (int n = 0; n < raw.mesh.node_count(); ++n) {
    const double weight = std::abs(raw.basis(n, function));
    sum += weight * (raw.mesh.positions.row(n).transpose() - handle.centre).squaredNorm();
    total += weight;
  }
  return std::max(total > 0 ? std::sqrt(sum / total) : 0, 1e-3 * SizeOf(raw.mesh));
}

// Random states about rest, two coordinates per row, for measuring cubature.
std::vector<MatrixXd> DrawStates(const RawObject& raw) {
  Random random(1, 77);
  const double size = SizeOf(raw.mesh);
  const VectorXd carries = PositionFunctions(raw);
  std::vector<MatrixXd> states(kStates, RestRows(raw));
  for (MatrixXd& state : states) {
    for (Eigen::Index k = 0; k < state.rows(); ++k) {
      for (int r = 0; r < 2; ++r) state(k, r) += (carries[k] > 0 ? 0.05 * size : 0.15) * random.Normal();
    }
  }
  return states;
}

// Gradient of the elastic energy by Q, integrated over some of the elements.
MatrixXd GradientOf(const std::vector<Element>& elements, const std::vector<int>& chosen, const VectorXd& areas,
                    const elasticity::StableNeoHookean& material, const MatrixXd& state) {
  MatrixXd gradient = MatrixXd::Zero(state.rows(), 2);
  for (size_t i = 0; i < chosen.size(); ++i) {
    const MatrixXd& G = elements[chosen[i]].gradients;
    Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
    F.topLeftCorner<2, 2>() = state.transpose() * G;
    const Eigen::Matrix2d P = material.Stress(F).topLeftCorner<2, 2>();
    gradient += areas[static_cast<Eigen::Index>(i)] * G * P.transpose();
  }
  return gradient;
}

struct Cubature {
  std::vector<int> elements;
  VectorXd areas;
  double error = 0;
};

// Spreads elements by farthest points of their middles; each stands for the area that is nearest to it.
Cubature Spread(const RawObject& raw, const std::vector<Element>& all, int count) {
  MatrixXd middles(static_cast<Eigen::Index>(all.size()), 2);
  for (int t = 0; t < raw.mesh.triangle_count(); ++t) {
    middles.row(t).setZero();
    for (int k = 0; k < 3; ++k) middles.row(t) += raw.mesh.positions.row(raw.mesh.triangles(t, k)) / 3;
  }
  std::vector<int> nearest(all.size(), 0);
  VectorXd best = VectorXd::Constant(middles.rows(), INFINITY);
  int asked = 0;
  const auto distances_from = [&](int i) -> Distances<double> {
    Distances<double> distances = (middles.rowwise() - middles.row(i)).rowwise().norm();
    for (Eigen::Index t = 0; t < middles.rows(); ++t) {
      if (distances[t] >= best[t]) continue;
      best[t] = distances[t];
      nearest[static_cast<size_t>(t)] = asked;
    }
    ++asked;
    return distances;
  };
  Distances<double> distance = (middles.rowwise() - middles.colwise().mean()).rowwise().norm();
  Cubature cubature;
  cubature.elements = ChooseFarthest<double>(count, false, distances_from, distance);
  cubature.areas = VectorXd::Zero(static_cast<Eigen::Index>(cubature.elements.size()));
  for (size_t t = 0; t < all.size(); ++t) cubature.areas[nearest[t]] += all[t].area;
  return cubature;
}

Cubature ChooseCubature(const RawObject& raw, const std::vector<Element>& all, const MatrixXd& mass,
                        const ObjectOptions& options) {
  const auto material = elasticity::StableNeoHookean::FromYoungPoisson(raw.young, raw.poisson);
  const Eigen::LLT<MatrixXd> factor(mass);
  std::vector<int> every(all.size());
  VectorXd areas(static_cast<Eigen::Index>(all.size()));
  for (size_t t = 0; t < all.size(); ++t) {
    every[t] = static_cast<int>(t);
    areas[static_cast<Eigen::Index>(t)] = all[t].area;
  }
  const std::vector<MatrixXd> states = DrawStates(raw);
  std::vector<MatrixXd> full;
  double total = 0;
  // Accelerations are compared: the gradient in the metric of the inverse mass.
  for (const MatrixXd& state : states) {
    full.push_back(GradientOf(all, every, areas, material, state));
    total += factor.matrixL().solve(full.back()).squaredNorm();
  }
  int count = options.cubature > 0 ? options.cubature : kFirstCubature;
  for (;; count += count / 2) {
    Cubature cubature = Spread(raw, all, std::min(count, static_cast<int>(all.size())));
    double off = 0;
    for (size_t s = 0; s < states.size(); ++s) {
      const MatrixXd sampled = GradientOf(all, cubature.elements, cubature.areas, material, states[s]);
      off += factor.matrixL().solve(sampled - full[s]).squaredNorm();
    }
    cubature.error = std::sqrt(off / total);
    const bool enough = options.cubature > 0 || cubature.error <= options.cubature_error;
    if (enough || count >= static_cast<int>(all.size())) return cubature;
  }
}

// Directed edges with a triangle on the left and none on the right.
std::vector<uint32_t> BoundaryOf(const elasticity::PlaneMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) edges.emplace(mesh.triangles(t, k), mesh.triangles(t, (k + 1) % 3));
  }
  std::vector<uint32_t> boundary;
  for (const auto& [from, to] : edges) {
    if (edges.contains({to, from})) continue;
    boundary.push_back(static_cast<uint32_t>(from));
    boundary.push_back(static_cast<uint32_t>(to));
  }
  return boundary;
}

// Rows as the table stores them.
struct StoredRows {
  std::vector<uint32_t> starts = {0};
  std::vector<uint16_t> basis;
  std::vector<double> values;

  // values: one row per function; functions of zeros are left out.
  void Add(const MatrixXd& row) {
    for (Eigen::Index k = 0; k < row.rows(); ++k) {
      if (row.row(k).isZero(0)) continue;
      basis.push_back(static_cast<uint16_t>(k));
      for (Eigen::Index c = 0; c < row.cols(); ++c) values.push_back(row(k, c));
    }
    starts.push_back(static_cast<uint32_t>(basis.size()));
  }

  ObjectTable::Rows LayOut(BlockLayout& layout) const {
    return {.row_count = static_cast<uint32_t>(starts.size() - 1),
            .entry_count = static_cast<uint32_t>(basis.size()),
            .starts_offset = layout.Add(starts),
            .basis_offset = layout.Add(basis),
            .values_offset = layout.Add(values)};
  }
};

// Arrays as they are stored; they must live until the block is written.
struct Stored {
  std::vector<ObjectTable::Handle> handles;
  std::vector<double> rest, mass, areas, lengths, shares;
  std::vector<uint32_t> triangles, boundary, sources, edges;
  StoredRows nodes, elements, points;
};

void StoreHandles(const RawObject& raw, Stored& stored) {
  uint32_t first = 0;
  for (const PlaneHandle& handle : raw.handles) {
    const bool is_frame = handle.kind == HandleKind::kFrame;
    const auto kind = is_frame ? dynamics::HandleKind::kFrame : dynamics::HandleKind::kPoint;
    stored.handles.push_back({.kind = kind,
                              .first = first,
                              .centre = {handle.centre[0], handle.centre[1]},
                              .radius = RadiusOf(raw, handle, first + (is_frame ? 2 : 0))});
    first += static_cast<uint32_t>(FunctionCount(handle));
  }
}

// Contact points along the outline: even steps from the first node of each edge on.
void StorePoints(const RawObject& raw, double spacing, Stored& stored) {
  for (size_t i = 0; i < stored.boundary.size(); i += 2) {
    const auto a = static_cast<Eigen::Index>(stored.boundary[i]), b = static_cast<Eigen::Index>(stored.boundary[i + 1]);
    const double length = (raw.mesh.positions.row(b) - raw.mesh.positions.row(a)).norm();
    const int count = std::max(1, static_cast<int>(std::ceil(length / spacing)));
    for (int k = 0; k < count; ++k) {
      const double t = static_cast<double>(k) / count;
      stored.points.Add(((1 - t) * raw.basis.row(a) + t * raw.basis.row(b)).transpose());
      stored.lengths.push_back(length / count);
      stored.edges.push_back(static_cast<uint32_t>(i / 2));
      stored.shares.push_back(t);
    }
  }
}

Stored Store(const RawObject& raw, const std::vector<Element>& elements, const Cubature& cubature, const MatrixXd& mass,
             double spacing) {
  Stored stored;
  StoreHandles(raw, stored);
  for (int n = 0; n < raw.mesh.node_count(); ++n) {
    stored.rest.insert(stored.rest.end(), {raw.mesh.positions(n, 0), raw.mesh.positions(n, 1)});
    stored.nodes.Add(raw.basis.row(n).transpose());
  }
  for (int t = 0; t < raw.mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) stored.triangles.push_back(static_cast<uint32_t>(raw.mesh.triangles(t, k)));
  }
  stored.boundary = BoundaryOf(raw.mesh);
  stored.mass.assign(mass.data(), mass.data() + mass.size());
  for (const int t : cubature.elements) {
    stored.elements.Add(elements[t].gradients);
    stored.sources.push_back(static_cast<uint32_t>(t));
  }
  stored.areas.assign(cubature.areas.data(), cubature.areas.data() + cubature.areas.size());
  StorePoints(raw, spacing, stored);
  return stored;
}

Block LayOut(const Stored& stored, ObjectTable::Header header) {
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.handles_offset = layout.Add(stored.handles);
  header.rest_offset = layout.Add(stored.rest);
  header.triangles_offset = layout.Add(stored.triangles);
  header.boundary_offset = layout.Add(stored.boundary);
  header.mass_offset = layout.Add(stored.mass);
  header.areas_offset = layout.Add(stored.areas);
  header.lengths_offset = layout.Add(stored.lengths);
  header.sources_offset = layout.Add(stored.sources);
  header.edges_offset = layout.Add(stored.edges);
  header.shares_offset = layout.Add(stored.shares);
  header.nodes = stored.nodes.LayOut(layout);
  header.elements = stored.elements.LayOut(layout);
  header.points = stored.points.LayOut(layout);
  header.handle_count = static_cast<uint32_t>(stored.handles.size());
  header.node_count = static_cast<uint32_t>(stored.rest.size() / 2);
  header.triangle_count = static_cast<uint32_t>(stored.triangles.size() / 3);
  header.boundary_count = static_cast<uint32_t>(stored.boundary.size() / 2);
  header.bytes = layout.bytes();
  Block block = layout.Write(header);
  auto& written = *reinterpret_cast<ObjectTable::Header*>(block.bytes().data());
  written.checksum = runtime::Checksum(block.bytes().subspan(offsetof(ObjectTable::Header, bytes)));
  return block;
}

}  // namespace

MatrixXd BasisOf(const elasticity::HandleSubspace& subspace) {
  std::vector<int> columns;
  for (size_t j = 0; j < subspace.handles().size(); ++j) {
    const int first = subspace.offsets()[j];
    if (subspace.handles()[j].kind == HandleKind::kFrame) {
      columns.insert(columns.end(), {first, first + 1, first + 4});
    } else {
      columns.push_back(first);
    }
  }
  // Rows of the first coordinate alone: those of the second have the same numbers.
  MatrixXd basis = MatrixXd::Zero(subspace.rest().rows(), static_cast<Eigen::Index>(columns.size()));
  for (size_t k = 0; k < columns.size(); ++k) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(subspace.U(), columns[k]); it; ++it) {
      if (it.row() % 2 == 0) basis(it.row() / 2, static_cast<Eigen::Index>(k)) = it.value();
    }
  }
  return basis;
}

BuiltObject BuildObject(const RawObject& raw, const ObjectOptions& options) {
  Check(raw);
  const elasticity::PlaneBody body(raw.mesh, raw.young, raw.poisson);  // refuses bad triangles and materials
  const MatrixXd mass = MassOf(raw);
  const Eigen::LDLT<MatrixXd> factor(mass);
  if (!(factor.vectorD().minCoeff() > 1e-12 * factor.vectorD().maxCoeff())) {
    throw UsageError("functions of the handles depend on each other; leave out a handle");
  }
  std::vector<Element> elements;
  for (int t = 0; t < raw.mesh.triangle_count(); ++t) elements.push_back(ElementOf(raw, t));
  const Cubature cubature = ChooseCubature(raw, elements, mass, options);
  const double size = SizeOf(raw.mesh);
  ObjectTable::Header header{};
  header.magic = ObjectTable::Header::kMagic;
  header.version = ObjectTable::Header::kVersion;
  header.basis_count = static_cast<uint32_t>(raw.basis.cols());
  header.mu = body.material().mu();
  header.lambda = body.material().lambda();
  header.density = raw.density;
  header.contact_stiffness = elasticity::ContactStiffness(raw.young, options.contact_depth * size);
  header.size = size;
  const Stored stored = Store(raw, elements, cubature, mass, options.contact_spacing * size);
  return {.file = LayOut(stored, header),
          .cubature = static_cast<int>(cubature.elements.size()),
          .cubature_error = cubature.error};
}

}  // namespace sinew::scenes
