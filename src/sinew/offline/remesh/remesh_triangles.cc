#include "sinew/offline/remesh/remesh_triangles.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/sheets.h"
#include "sinew/offline/remesh/mesh_ground.h"
#include "sinew/offline/remesh/remesher.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

constexpr int kRounds = 10;
// Number of vertices up to which a sheet stays as it is.
constexpr int kSmallSheet = 40;

// One connected piece of a manifold, with the triangles of the source that it consists of.
struct Sheet {
  FineMesh mesh;
  std::vector<int> labels, source_triangles;
  std::vector<bool> fixed;  // one per vertex
};

std::vector<Sheet> SheetsOf(const LabelledMesh& source) {
  const Sheets cut = CutIntoSheets(source.mesh.triangles, static_cast<int>(source.mesh.positions.size()));
  const int count = static_cast<int>(cut.point_of.size());
  DisjointSets sets(count);
  for (const Eigen::Vector3i& t : cut.triangles) sets.Join(t[0], t[1]), sets.Join(t[1], t[2]);
  std::vector<int> sheet_of(count, -1), local(count, -1);
  std::vector<Sheet> sheets;
  for (size_t t = 0; t < cut.triangles.size(); ++t) {
    int& index = sheet_of[sets.Find(cut.triangles[t][0])];
    if (index < 0) index = static_cast<int>(sheets.size()), sheets.emplace_back();
    Sheet& sheet = sheets[index];
    Eigen::Vector3i corners;
    for (int k = 0; k < 3; ++k) {
      const int v = cut.triangles[t][k];
      if (local[v] < 0) {
        local[v] = static_cast<int>(sheet.mesh.positions.size());
        sheet.mesh.positions.push_back(source.mesh.positions[cut.point_of[v]]);
        sheet.fixed.push_back(cut.cut[v]);
      }
      corners[k] = local[v];
    }
    sheet.mesh.triangles.push_back(corners);
    sheet.labels.push_back(source.labels.empty() ? 0 : source.labels[t]);
    sheet.source_triangles.push_back(static_cast<int>(t));
  }
  return sheets;
}

bool IsClosed(const FineMesh& mesh) {
  const EditMesh edit(mesh);
  for (int h = 0; h < edit.half_edge_slots(); ++h) {
    if (edit.Opposite(h) == EditMesh::kNone) return false;
  }
  return true;
}

void MoveAlongNormals(const std::vector<double>& distances, FineMesh& mesh) {
  const Points normals = VertexNormals(ToTriMesh(mesh));
  for (size_t v = 0; v < distances.size(); ++v) {
    mesh.positions[v] += distances[v] * normals.row(static_cast<Eigen::Index>(v)).transpose().cast<double>();
  }
}

// Moves the vertices to where their triangles lie on the source in the mean, instead of below its ridges: each by the
// mean distance, over the source's vertices nearest to its triangles, of these from the triangles.
void MoveToMean(const TriMesh& source, FineMesh& mesh) {
  const TriMesh now = ToTriMesh(mesh);
  const SurfaceQuery query(now);
  const std::vector<double> areas = VertexAreas(source);
  std::vector<SurfacePoint> nearest(source.vertex_count());
  ParallelFor(source.vertex_count(), 256,
              [&](int v) { nearest[v] = query.Closest(source.positions.row(v).transpose()).value_or(SurfacePoint()); });
  std::vector<double> sums(mesh.positions.size(), 0), totals(mesh.positions.size(), 0);
  for (int v = 0; v < source.vertex_count(); ++v) {
    const SurfacePoint& at = nearest[v];
    if (at.triangle < 0) continue;
    const auto corners = Corners(now, at.triangle);
    const Vector3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).stableNormalized();
    const double distance = normal.dot(source.positions.row(v).transpose().cast<double>() - at.point);
    for (int k = 0; k < 3; ++k) {
      sums[now.triangles(at.triangle, k)] += areas[v] * at.barycentric[k] * distance;
      totals[now.triangles(at.triangle, k)] += areas[v] * at.barycentric[k];
    }
  }
  for (size_t v = 0; v < sums.size(); ++v) sums[v] = totals[v] > 0 ? sums[v] / totals[v] : 0;
  MoveAlongNormals(sums, mesh);
}

// Gives a closed mesh the volume of its source: first locally, then what is left by one distance for all.
void KeepVolume(const FineMesh& source_mesh, FineMesh& mesh) {
  const TriMesh source = ToTriMesh(source_mesh);
  const double wanted = SignedVolume(source);
  if (!(std::abs(wanted) > 0)) return;
  MoveToMean(source, mesh);
  for (int pass = 0; pass < 2; ++pass) {
    const TriMesh now = ToTriMesh(mesh);
    const double distance = (wanted - SignedVolume(now)) / SurfaceArea(now);
    MoveAlongNormals(std::vector<double>(mesh.positions.size(), distance), mesh);
  }
}

void Append(const Sheet& sheet, LabelledMesh piece, RemeshedTriangles& all) {
  const SurfaceMap map = MapToClosest(SurfaceQuery(ToTriMesh(sheet.mesh)), piece.mesh.positions);
  for (int v = 0; v < map.count(); ++v) {
    all.map.triangles.push_back(sheet.source_triangles[map.triangles[v]]);
    all.map.barycentric.push_back(map.barycentric[v]);
    all.map.offsets.push_back(map.offsets[v]);
  }
  LabelledMesh& result = all.result;
  const int first = static_cast<int>(result.mesh.positions.size());
  result.mesh.positions.insert(result.mesh.positions.end(), piece.mesh.positions.begin(), piece.mesh.positions.end());
  for (const Eigen::Vector3i& t : piece.mesh.triangles) {
    result.mesh.triangles.emplace_back(t + Eigen::Vector3i::Constant(first));
  }
  result.labels.insert(result.labels.end(), piece.labels.begin(), piece.labels.end());
}

// Sheet that is remeshed, and what it is remeshed on.
struct Ground {
  LinedSheet lined;
  std::unique_ptr<MeshGround> surface;
  std::unique_ptr<SizeField> sizes;
};

Ground Prepare(const Sheet& sheet, const SizeOptions& options, bool thickness) {
  Ground ground;
  ground.lined = FindLines(sheet.mesh, sheet.labels, sheet.fixed);
  ground.surface = std::make_unique<MeshGround>(ground.lined);
  ground.sizes = std::make_unique<SizeField>(ground.lined.mesh, ground.surface->Radii(thickness), options);
  return ground;
}

// Number of vertices for each sheet; 0: it stays as it is.
std::vector<int> ShareVertices(const std::vector<Sheet>& sheets, std::vector<Ground>& grounds, int wanted) {
  std::vector<int> counts(sheets.size(), 0);
  double left = wanted;
  for (const Sheet& sheet : sheets) {
    if (sheet.mesh.positions.size() <= kSmallSheet) left -= static_cast<double>(sheet.mesh.positions.size());
  }
  // The scale at which all sheets together have as many vertices as are left.
  double low = 1e-6, high = 1e4;
  const auto sum = [&](double scale) {
    double total = 0;
    for (const Ground& ground : grounds) total += ground.sizes ? ground.sizes->CountFor(scale) : 0;
    return total;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (sum(middle) > left ? low : high) = middle;
  }
  const double factor = std::max(left, 0.0) / std::max(sum(high), 1e-9);
  double exact = 0, given = 0;
  for (size_t i = 0; i < sheets.size(); ++i) {
    if (!grounds[i].sizes) continue;
    exact += factor * grounds[i].sizes->CountFor(high);
    counts[i] = std::max(kSmallSheet, static_cast<int>(std::lround(exact - given)));
    given += counts[i];
  }
  return counts;
}

// Moves free vertices to random places of their surroundings, so that every seed starts from another mesh.
void Shake(const MeshGround& ground, Random& random, LinedSheet& sheet) {
  const EditMesh edit(sheet.mesh);
  const std::vector<Vector3d> before = sheet.mesh.positions;
  for (int v = 0; v < edit.vertex_slots(); ++v) {
    if (sheet.faces[v] != 0) continue;
    edit.VisitNeighbors(v, [&](int w) { sheet.mesh.positions[v] += random.Uniform(0, 0.1) * (before[w] - before[v]); });
  }
  ParallelFor(edit.vertex_slots(), 256, [&](int v) {
    if (sheet.faces[v] == 0) ground.Project(0, Vector3d::Zero(), sheet.mesh.positions[v]);
  });
}

bool RemeshSheet(const Sheet& sheet, const Ground& ground, int wanted, Random& random, RemeshedTriangles& all) {
  LinedSheet start = ground.lined;
  Shake(*ground.surface, random, start);
  Remesher remesher(*ground.surface, start.mesh, std::move(start.faces), false, *ground.sizes);
  remesher.SetLabels(std::move(start.labels));
  const bool reached = remesher.Approach(wanted, kRounds);
  LabelledMesh piece{remesher.Current(), remesher.Labels()};
  if (IsClosed(sheet.mesh)) KeepVolume(sheet.mesh, piece.mesh);
  Append(sheet, std::move(piece), all);
  return reached;
}

SizeOptions SizesFor(const LabelledMesh& source, const IsotropicOptions& isotropic) {
  const double size = BoundingBox(ToTriMesh(source.mesh).positions).diagonal().norm();
  SizeOptions options;
  options.exponent = isotropic.exponent;
  options.smallest_radius = isotropic.smallest_radius * size;
  return options;
}

// Part of a number that falls to the sheet with triangles [before, before + own) of all: the parts sum to the number.
int PartOf(int number, size_t before, size_t own, size_t all) {
  const auto until = [&](size_t triangles) {
    return static_cast<int64_t>(number) * static_cast<int64_t>(triangles) / static_cast<int64_t>(all);
  };
  return static_cast<int>(until(before + own) - until(before));
}

}  // namespace

struct IsotropicRemesher::State {
  std::vector<Sheet> sheets;
  std::vector<Ground> grounds;  // of sheets that do not stay as they are
  std::vector<int> counts;      // of vertices, for each sheet
};

IsotropicRemesher::IsotropicRemesher(const LabelledMesh& source, const IsotropicOptions& options)
    : state_(std::make_unique<State>()) {
  state_->sheets = SheetsOf(source);
  const SizeOptions sizes = SizesFor(source, options);
  for (const Sheet& sheet : state_->sheets) {
    state_->grounds.push_back(sheet.mesh.positions.size() > kSmallSheet ? Prepare(sheet, sizes, options.thickness)
                                                                        : Ground());
  }
  state_->counts = ShareVertices(state_->sheets, state_->grounds, options.vertex_count);
  for (size_t i = 0; i < state_->counts.size(); ++i) {
    if (state_->grounds[i].sizes) state_->grounds[i].sizes->ScaleFor(state_->counts[i]);  // threads only read it now
  }
}

IsotropicRemesher::~IsotropicRemesher() = default;

RemeshedTriangles IsotropicRemesher::Remesh(uint64_t seed) const {
  RemeshedTriangles all;
  for (size_t i = 0; i < state_->sheets.size(); ++i) {
    const Sheet& sheet = state_->sheets[i];
    Random random(seed, i);
    if (state_->grounds[i].surface == nullptr) {
      Append(sheet, {sheet.mesh, sheet.labels}, all);
    } else if (!RemeshSheet(sheet, state_->grounds[i], state_->counts[i], random, all)) {
      all.reached = false;
    }
  }
  return all;
}

RemeshedTriangles RemeshIsotropic(const LabelledMesh& source, const IsotropicOptions& options) {
  return IsotropicRemesher(source, options).Remesh(options.seed);
}

RemeshedTriangles EditAtRandom(const LabelledMesh& source, const RandomEdits& edits) {
  const std::vector<Sheet> sheets = SheetsOf(source);
  const SizeOptions uniform = SizesFor(source, {.exponent = 0});
  RemeshedTriangles all;
  size_t before = 0;
  for (size_t i = 0; i < sheets.size(); ++i) {
    const size_t own = sheets[i].source_triangles.size(), total = source.mesh.triangles.size();
    Random random(edits.seed, i);
    const Remesher::Edits wanted = {PartOf(edits.flips, before, own, total), PartOf(edits.splits, before, own, total),
                                    PartOf(edits.collapses, before, own, total)};
    Ground ground = Prepare(sheets[i], uniform, false);
    Remesher remesher(*ground.surface, ground.lined.mesh, ground.lined.faces, false, *ground.sizes);
    remesher.SetLabels(ground.lined.labels);
    const Remesher::Edits done = remesher.EditAtRandom(wanted, random);
    all.reached &= done.flips == wanted.flips && done.splits == wanted.splits && done.collapses == wanted.collapses;
    LabelledMesh piece{remesher.Current(), remesher.Labels()};
    if (IsClosed(sheets[i].mesh)) KeepVolume(sheets[i].mesh, piece.mesh);
    Append(sheets[i], std::move(piece), all);
    before += own;
  }
  return all;
}

}  // namespace sinew
