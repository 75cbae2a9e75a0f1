#include "sinew/offline/flesh/hidden_flesh.h"

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::flesh {
namespace {

using Eigen::Vector3f;

// Depth in other flesh from which on skin is hidden, as a share of the body's size: 1.8 mm of a grown body.
constexpr float kDepth = 1e-3f;

// Piece of flesh with its inside.
struct Body {
  int piece = -1;
  Box box;
  WindingNumber winding;
};

// Triangles of a piece, on vertices of their own.
TriMesh TakePiece(const TriMesh& mesh, const std::vector<int>& triangles) {
  TriMesh piece;
  const auto count = static_cast<Eigen::Index>(triangles.size());
  piece.positions.resize(3 * count, 3);
  piece.triangles.resize(count, 3);
  for (Eigen::Index t = 0; t < count; ++t) {
    for (int k = 0; k < 3; ++k) {
      const Eigen::Index corner = 3 * t + k;
      piece.positions.row(corner) = mesh.positions.row(mesh.triangles(triangles[t], k));
      piece.triangles(t, k) = static_cast<int>(corner);
    }
  }
  return piece;
}

}  // namespace

std::vector<bool> FindHidden(const TriMesh& mesh, const Roles& roles) {
  std::vector<bool> hidden(mesh.triangle_count(), false);
  // Skins in patches enclose nothing by themselves.
  if (roles.patches) return hidden;
  std::vector<std::vector<int>> triangles(roles.pieces.size());
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const int piece = roles.piece_of_triangle[t];
    if (piece >= 0 && roles.pieces[piece].role == Role::kFlesh) triangles[piece].push_back(t);
  }
  std::vector<Body> bodies;
  for (size_t i = 0; i < triangles.size(); ++i) {
    if (triangles[i].empty()) continue;
    const TriMesh piece = TakePiece(mesh, triangles[i]);
    bodies.push_back({static_cast<int>(i), BoundingBox(piece.positions), WindingNumber(piece)});
  }
  if (bodies.size() < 2) return hidden;
  // Points that are inside, even a little outwards from where they are.
  const Points normals = VertexNormals(mesh);
  const float step = kDepth * BoundingBox(mesh.positions).sizes().maxCoeff();
  std::vector<char> inside(mesh.vertex_count(), 0);
  ParallelFor(mesh.vertex_count(), 256, [&](int v) {
    const int piece = roles.piece_of_point[v];
    if (piece < 0 || roles.pieces[piece].role != Role::kFlesh) return;
    const float outwards = roles.pieces[piece].faces_inwards ? -step : step;
    const Vector3f at = (mesh.positions.row(v) + outwards * normals.row(v)).transpose();
    for (const Body& body : bodies) {
      inside[v] |= body.piece != piece && body.box.contains(at) && body.winding.Inside(at);
    }
  });
  for (const Body& body : bodies) {
    for (const int t : triangles[body.piece]) {
      const auto corners = mesh.triangles.row(t);
      hidden[t] = inside[corners[0]] && inside[corners[1]] && inside[corners[2]];
    }
  }
  return hidden;
}

}  // namespace sinew::flesh
