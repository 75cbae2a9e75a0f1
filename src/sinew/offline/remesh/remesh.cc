#include "sinew/offline/remesh/remesh.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/edit_mesh.h"
#include "sinew/offline/remesh/remesher.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
constexpr int kNone = EditMesh::kNone;
// Number of rounds of splitting, collapsing, flipping and smoothing before the number of vertices is made exact; half
// as many of flipping and smoothing follow.
constexpr int kRounds = 12;
// Number of vertices above which a mesh is made from one with a quarter of them, whose triangles are cut in four: these
// are nearly right at once, while splitting edge by edge leaves slivers that take many rounds over all vertices to work
// out.
constexpr int kDirect = 100000;
// Number of rounds after cutting in four.
constexpr int kQuarteredRounds = 2;
// Options for the same edge length everywhere.
const SizeOptions kUniform = {.smallest_radius = 1, .gradation = 1, .exponent = 0, .largest_turn = 1e9, .spare = {}};

// Moves a point onto the surface by Newton's method along the gradient, inside the faces of the domain that the point
// lies on. Returns the surface's normal.
Vector3d ProjectInside(const ImplicitSurface& surface, int faces, Vector3d& point) {
  Vector3d gradient;
  for (int step = 0; step < 3; ++step) {
    const double value = surface.Evaluate(point, &gradient);
    Vector3d within = gradient;
    for (int k = 0; k < 3; ++k) {
      if ((faces >> (2 * k)) & 3) within[k] = 0;
    }
    // Where the gradient nearly vanishes (the bottom of a crease) a full step would throw the point away.
    point -= value / std::max(within.squaredNorm(), 0.1) * within;
    if (std::abs(value) < 1e-9) break;
  }
  const double length = gradient.norm();
  return length > 0 ? Vector3d(gradient / length) : Vector3d::UnitY();
}

class ImplicitGround : public RemeshGround {
 public:
  explicit ImplicitGround(const ImplicitSurface& surface) : surface_(surface) {}
  Vector3d Project(int faces, const Vector3d&, Vector3d& point) const override {
    return ProjectInside(surface_, faces, point);
  }
  void Hold(int faces, const Vector3d& before, Vector3d& after) const override {
    for (int k = 0; k < 3; ++k) {
      if ((faces >> (2 * k)) & 3) after[k] = before[k];
    }
  }

 private:
  const ImplicitSurface& surface_;
};

std::vector<int> FacesOf(const FineMesh& mesh, const Eigen::AlignedBox3d& domain) {
  std::vector<int> faces(mesh.positions.size());
  ParallelFor(static_cast<int>(faces.size()), 256, [&](int v) { faces[v] = DomainFaces(domain, mesh.positions[v]); });
  return faces;
}

Remesher MakeRemesher(const ImplicitGround& ground, const FineMesh& start, const RemeshOptions& options,
                      SizeField& field) {
  return {ground, start, FacesOf(start, options.domain), options.half, field};
}

// Cuts every triangle in four at the midpoints of its edges.
FineMesh Quartered(const FineMesh& mesh) {
  const EditMesh edges(mesh);
  FineMesh fine{.positions = mesh.positions, .triangles = {}};
  std::vector<int> middles(edges.half_edge_slots());
  for (int h = 0; h < edges.half_edge_slots(); ++h) {
    const int opposite = edges.Opposite(h);
    if (opposite != kNone && opposite < h) {
      middles[h] = middles[opposite];
      continue;
    }
    middles[h] = static_cast<int>(fine.positions.size());
    fine.positions.emplace_back((mesh.positions[edges.From(h)] + mesh.positions[edges.To(h)]) / 2);
  }
  fine.triangles.reserve(4 * mesh.triangles.size());
  for (int h = 0; h < edges.half_edge_slots(); h += 3) {
    const int *corner = mesh.triangles[h / 3].data(), *middle = &middles[h];
    for (int k = 0; k < 3; ++k) fine.triangles.push_back({corner[k], middle[k], middle[(k + 2) % 3]});
    fine.triangles.push_back({middle[0], middle[1], middle[2]});
  }
  return fine;
}

FineMesh RemeshTo(const ImplicitGround& ground, const FineMesh& start, const RemeshOptions& options, SizeField& field,
                  int wanted) {
  if (wanted > kDirect) {
    const FineMesh quarter = RemeshTo(ground, start, options, field, wanted / 4);
    return MakeRemesher(ground, Quartered(quarter), options, field).Run(wanted, kQuarteredRounds);
  }
  // Large meshes change little after the first rounds, and cost the most.
  return MakeRemesher(ground, start, options, field).Run(wanted, wanted > 40000 ? 2 * kRounds / 3 : kRounds);
}

}  // namespace

int DomainFaces(const Eigen::AlignedBox3d& domain, const Vector3d& point) {
  int faces = 0;
  for (int k = 0; k < 3; ++k) {
    if (point[k] == domain.min()[k]) faces |= 1 << (2 * k);
    if (point[k] == domain.max()[k]) faces |= 2 << (2 * k);
  }
  return faces;
}

void ProjectToSurface(const ImplicitSurface& surface, const Eigen::AlignedBox3d& domain,
                      std::vector<Vector3d>& points) {
  ParallelFor(static_cast<int>(points.size()), 256,
              [&](int v) { ProjectInside(surface, DomainFaces(domain, points[v]), points[v]); });
}

FineMesh Remesh(const ImplicitSurface& surface, const FineMesh& start, const RemeshOptions& options) {
  const ImplicitGround ground(surface);
  SizeField uniform(surface, start, kUniform);
  FineMesh thin = MakeRemesher(ground, start, options, uniform).Thin(options.size.smallest_radius);
  ProjectToSurface(surface, options.domain, thin.positions);
  SizeField field(surface, thin, options.size);
  return RemeshTo(ground, thin, options, field, options.vertex_count);
}

int RelaxOnSurface(const ImplicitSurface& surface, const Eigen::AlignedBox3d& domain, const FineMesh& like,
                   const std::vector<double>& lengths, int rounds, FineMesh& mesh) {
  // Far points need more than one projection's steps.
  for (int pass = 0; pass < 3; ++pass) ProjectToSurface(surface, domain, mesh.positions);
  RemeshOptions options;
  options.domain = domain;
  const ImplicitGround ground(surface);
  SizeField uniform(surface, mesh, kUniform);
  return MakeRemesher(ground, mesh, options, uniform).MoveOnly(like, lengths, rounds, mesh);
}

int CountTurned(const ImplicitSurface& surface, const FineMesh& mesh) {
  RemeshOptions options;
  const ImplicitGround ground(surface);
  SizeField uniform(surface, mesh, kUniform);
  FineMesh same = mesh;
  return MakeRemesher(ground, mesh, options, uniform).MoveOnly(mesh, {}, 0, same);
}

}  // namespace sinew
