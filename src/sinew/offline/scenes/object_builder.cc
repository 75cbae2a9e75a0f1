#include "sinew/offline/scenes/object_builder.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/elasticity/elastic_body.h"
#include "sinew/offline/elasticity/plane_body.h"
#include "sinew/offline/elasticity/plane_contact.h"
#include "sinew/offline/elasticity/solid_contact.h"
#include "sinew/offline/mesh/tet_block.h"
#include "sinew/offline/scenes/object_body.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew::scenes {
namespace {

using dynamics::ObjectTable;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using elasticity::Handle;
using elasticity::HandleKind;

constexpr double kPlaneSpacing = 1.0 / 400, kSolidSpacing = 1.0 / 24;

void Check(const ObjectBody& body) {
  Eigen::Index functions = 0;
  for (const Handle& handle : body.handles) functions += handle.function_count();
  if (body.handles.empty() || functions > static_cast<Eigen::Index>(ObjectTable::kMaxBasis) ||
      body.basis.cols() != functions || body.basis.rows() != body.node_count() || !body.basis.allFinite()) {
    throw UsageError(
        fmt::format("a basis of {} rows and {} columns for {} nodes and handles of {} functions; give one "
                    "row per node, and at most {} functions",
                    body.basis.rows(), body.basis.cols(), body.node_count(), functions, ObjectTable::kMaxBasis));
  }
  const double size = body.Size();
  const double shape = (body.basis * body.RestRows() - body.positions).cwiseAbs().maxCoeff();
  const double shift = ((body.basis * body.PositionFunctions()).array() - 1).abs().maxCoeff();
  if (!(shape < 1e-6 * size) || !(shift < 1e-7)) {
    throw UsageError("the handles do not reproduce the shape at rest or its translations; make their weights sum to 1");
  }
  if (!(body.density > 0)) throw UsageError(fmt::format("a density of {}; give one above 0", body.density));
}

// Root of the mean square distance from a handle's centre of what it carries.
double RadiusOf(const ObjectBody& body, const Handle& handle, Eigen::Index function) {
  double sum = 0, total = 0;
  for (int n = 0; n < body.node_count(); ++n) {
    const double weight = std::abs(body.basis(n, function));
    sum += weight * (body.positions.row(n).transpose() - handle.centre).squaredNorm();
    total += weight;
  }
  return std::max(total > 0 ? std::sqrt(sum / total) : 0, 1e-3 * body.Size());
}

// Directed edges with a triangle on the left and none on the right.
Eigen::MatrixXi BoundaryOf(const elasticity::PlaneMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) edges.emplace(mesh.triangles(t, k), mesh.triangles(t, (k + 1) % 3));
  }
  std::vector<int> boundary;
  for (const auto& [from, to] : edges) {
    if (!edges.contains({to, from})) boundary.insert(boundary.end(), {from, to});
  }
  using Rows = Eigen::Matrix<int, Eigen::Dynamic, 2, Eigen::RowMajor>;
  return Eigen::Map<const Rows>(boundary.data(), static_cast<Eigen::Index>(boundary.size() / 2), 2);
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
  std::vector<double> rest, mass, element_measures, point_measures, shares;
  std::vector<uint32_t> cells, boundary, sources, facets;
  StoredRows nodes, elements, points;
};

void StoreHandles(const ObjectBody& body, Stored& stored) {
  uint32_t first = 0;
  for (const Handle& handle : body.handles) {
    const bool is_frame = handle.kind == HandleKind::kFrame;
    const auto next = first + static_cast<uint32_t>(handle.function_count());
    ObjectTable::Handle own{.kind = is_frame ? dynamics::HandleKind::kFrame : dynamics::HandleKind::kPoint,
                            .first = first,
                            .centre = {},
                            .radius = RadiusOf(body, handle, next - 1)};
    for (Eigen::Index r = 0; r < handle.centre.size(); ++r) own.centre[r] = handle.centre[r];
    stored.handles.push_back(own);
    first = next;
  }
}

// Weights of a facet's corners at its contact points, which all stand for the same part of it.
std::vector<VectorXd> PointsOn(const MatrixXd& corners, double spacing) {
  double longest = 0;
  for (Eigen::Index k = 0; k < corners.rows(); ++k) {
    longest = std::max(longest, (corners.row(k) - corners.row((k + 1) % corners.rows())).norm());
  }
  const int count = std::max(1, static_cast<int>(std::ceil(longest / spacing)));
  std::vector<VectorXd> points;
  if (corners.rows() == 3) {
    for (const Eigen::Vector3d& weights : elasticity::TriangleMiddles(count)) points.emplace_back(weights);
    return points;
  }
  // Even steps from the first node of an edge on.
  for (int k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) / count;
    points.emplace_back(Eigen::Vector2d(1 - t, t));
  }
  return points;
}

double MeasureOf(const MatrixXd& corners) {
  const VectorXd a = (corners.row(1) - corners.row(0)).transpose();
  if (corners.rows() == 2) return a.norm();
  const Eigen::Vector3d first = a, second = (corners.row(2) - corners.row(0)).transpose();
  return first.cross(second).norm() / 2;
}

void StorePoints(const ObjectBody& body, double spacing, Stored& stored) {
  const int d = body.dimension();
  for (Eigen::Index f = 0; f < body.boundary.rows(); ++f) {
    MatrixXd corners(d, d), values(d, body.basis.cols());
    for (int k = 0; k < d; ++k) {
      corners.row(k) = body.positions.row(body.boundary(f, k));
      values.row(k) = body.basis.row(body.boundary(f, k));
    }
    const std::vector<VectorXd> points = PointsOn(corners, spacing);
    const double measure = MeasureOf(corners) / static_cast<double>(points.size());
    for (const VectorXd& weights : points) {
      stored.points.Add(values.transpose() * weights);
      stored.point_measures.push_back(measure);
      stored.facets.push_back(static_cast<uint32_t>(f));
      stored.shares.insert(stored.shares.end(), weights.data() + 1, weights.data() + weights.size());
    }
  }
}

std::vector<uint32_t> RowByRow(const Eigen::MatrixXi& rows) {
  std::vector<uint32_t> numbers;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (const int number : rows.row(i)) numbers.push_back(static_cast<uint32_t>(number));
  }
  return numbers;
}

Stored Store(const ObjectBody& body, const std::vector<ObjectElement>& elements, const Cubature& cubature,
             const MatrixXd& mass, double spacing) {
  Stored stored;
  StoreHandles(body, stored);
  for (int n = 0; n < body.node_count(); ++n) {
    for (const double coordinate : body.positions.row(n)) stored.rest.push_back(coordinate);
    stored.nodes.Add(body.basis.row(n).transpose());
  }
  stored.cells = RowByRow(body.cells);
  stored.boundary = RowByRow(body.boundary);
  stored.mass.assign(mass.data(), mass.data() + mass.size());
  for (const int t : cubature.elements) {
    stored.elements.Add(elements[static_cast<size_t>(t)].gradients);
    stored.sources.push_back(static_cast<uint32_t>(t));
  }
  stored.element_measures.assign(cubature.measures.begin(), cubature.measures.end());
  StorePoints(body, spacing, stored);
  return stored;
}

Block LayOut(const Stored& stored, ObjectTable::Header header) {
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.handles_offset = layout.Add(stored.handles);
  header.rest_offset = layout.Add(stored.rest);
  header.cells_offset = layout.Add(stored.cells);
  header.boundary_offset = layout.Add(stored.boundary);
  header.mass_offset = layout.Add(stored.mass);
  header.element_measures_offset = layout.Add(stored.element_measures);
  header.point_measures_offset = layout.Add(stored.point_measures);
  header.sources_offset = layout.Add(stored.sources);
  header.facets_offset = layout.Add(stored.facets);
  header.shares_offset = layout.Add(stored.shares);
  header.nodes = stored.nodes.LayOut(layout);
  header.elements = stored.elements.LayOut(layout);
  header.points = stored.points.LayOut(layout);
  header.handle_count = static_cast<uint32_t>(stored.handles.size());
  header.node_count = static_cast<uint32_t>(stored.rest.size() / header.dimension);
  header.cell_count = static_cast<uint32_t>(stored.cells.size() / (header.dimension + 1));
  header.boundary_count = static_cast<uint32_t>(stored.boundary.size() / header.dimension);
  header.bytes = layout.bytes();
  Block block = layout.Write(header);
  auto& written = *reinterpret_cast<ObjectTable::Header*>(block.bytes().data());
  written.checksum = runtime::Checksum(block.bytes().subspan(offsetof(ObjectTable::Header, bytes)));
  return block;
}

// material: of the body.
BuiltObject Build(const ObjectBody& body, const elasticity::StableNeoHookean& material, const ObjectOptions& options) {
  const std::vector<ObjectElement> elements = ElementsOf(body);
  const MatrixXd mass = MassOf(body, elements);
  const Eigen::LDLT<MatrixXd> factor(mass);
  if (!(factor.vectorD().minCoeff() > 1e-12 * factor.vectorD().maxCoeff())) {
    throw UsageError("functions of the handles depend on each other; leave out a handle");
  }
  const Cubature cubature = ChooseCubature(body, elements, mass, options.cubature, options.cubature_error);
  const double size = body.Size();
  const double spacing = body.dimension() == 2 ? kPlaneSpacing : kSolidSpacing;
  ObjectTable::Header header{};
  header.magic = ObjectTable::Header::kMagic;
  header.version = ObjectTable::Header::kVersion;
  header.dimension = static_cast<uint32_t>(body.dimension());
  header.basis_count = static_cast<uint32_t>(body.basis.cols());
  header.mu = material.mu();
  header.lambda = material.lambda();
  header.density = body.density;
  header.contact_stiffness = elasticity::ContactStiffness(body.young, options.contact_depth * size);
  header.size = size;
  const Stored stored =
      Store(body, elements, cubature, mass, (options.contact_spacing > 0 ? options.contact_spacing : spacing) * size);
  return {.file = LayOut(stored, header),
          .cubature = static_cast<int>(cubature.elements.size()),
          .cubature_error = cubature.error};
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
  const ObjectBody body{.positions = raw.mesh.positions,
                        .cells = raw.mesh.triangles,
                        .boundary = BoundaryOf(raw.mesh),
                        .handles = raw.handles,
                        .basis = raw.basis,
                        .young = raw.young,
                        .poisson = raw.poisson,
                        .density = raw.density};
  Check(body);
  const elasticity::PlaneBody full(raw.mesh, raw.young, raw.poisson);  // refuses bad triangles and materials
  return Build(body, full.material(), options);
}

BuiltObject BuildObject(const RawSolid& raw, const ObjectOptions& options) {
  const ObjectBody body{.positions = raw.mesh.positions,
                        .cells = raw.mesh.tets,
                        .boundary = SurfaceOf(raw.mesh),
                        .handles = raw.handles,
                        .basis = raw.basis,
                        .young = raw.young,
                        .poisson = raw.poisson,
                        .density = raw.density};
  Check(body);
  // Refuses bad tetrahedra and materials.
  const elasticity::ElasticBody full(raw.mesh,
                                     {.young = raw.young, .poisson = raw.poisson, .tet_poisson = raw.poisson});
  return Build(body, elasticity::StableNeoHookean::FromYoungPoisson(raw.young, raw.poisson), options);
}

}  // namespace sinew::scenes
