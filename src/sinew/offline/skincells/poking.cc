#include "sinew/offline/skincells/poking.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::skincells {
namespace {

// Largest distance from the cloth at which it covers a triangle, as a fraction of its longest side.
constexpr float kNear = 0.3f;

}  // namespace

PokeMeter::PokeMeter(const Points& cloth_rest, Triangles cloth_triangles, Triangles body_triangles,
                     const Points& body_rest)
    : cloth_triangles_(std::move(cloth_triangles)),
      body_triangles_(std::move(body_triangles)),
      border_(cloth_rest.rows(), false) {
  const EdgeTable edges = BuildEdges(cloth_triangles_, static_cast<int>(cloth_rest.rows()));
  for (int e = 0; e < edges.edge_count(); ++e) {
    if (edges.half_edges[e].size() != 1) continue;
    for (const int v : edges.vertices[e]) border_[v] = true;
  }
  std::vector<int> all(body_triangles_.rows());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<Where> sides = Sides(cloth_rest, body_rest, all, kNear);
  for (const int t : all) {
    if (sides[t] == Where::kInside) covered_.push_back(t);
  }
}

std::vector<PokeMeter::Where> PokeMeter::Sides(const Points& cloth, const Points& body, const std::vector<int>& which,
                                               float reach) const {
  const TriMesh mesh{cloth, cloth_triangles_};
  const SurfaceQuery query(mesh);
  const Points normals = VertexNormals(mesh);
  std::vector<Where> out(which.size(), Where::kUnknown);
  ParallelFor(static_cast<int>(which.size()), 256, [&](int i) {
    const auto corners = body_triangles_.row(which[i]);
    const Eigen::Vector3f center = (body.row(corners[0]) + body.row(corners[1]) + body.row(corners[2])).transpose() / 3;
    const auto nearest = query.Closest(center, reach);
    if (!nearest) return;
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    double off_border = 0;
    for (int k = 0; k < 3; ++k) {
      const int v = cloth_triangles_(nearest->triangle, k);
      normal += nearest->barycentric[k] * normals.row(v).transpose().cast<double>();
      if (!border_[v]) off_border += nearest->barycentric[k];
    }
    if (off_border < 1e-6) return;
    out[i] = (center.cast<double>() - nearest->point).dot(normal) > 0 ? Where::kOutside : Where::kInside;
  });
  return out;
}

int PokeMeter::Poking(const Points& cloth, const Points& body) const {
  const std::vector<Where> sides = Sides(cloth, body, covered_, std::numeric_limits<float>::infinity());
  return static_cast<int>(std::count(sides.begin(), sides.end(), Where::kOutside));
}

}  // namespace sinew::skincells
