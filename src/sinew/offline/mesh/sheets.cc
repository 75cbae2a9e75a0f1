#include "sinew/offline/mesh/sheets.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/edges.h"

namespace sinew {
namespace {

// Joins the corners that are one sheet vertex: across edges where exactly two triangles meet and run in opposite
// directions, unless one of the two is detached.
DisjointSets JoinCorners(const Triangles& triangles, const EdgeTable& edges, const std::vector<bool>& detached) {
  DisjointSets corners(static_cast<int>(triangles.size()));
  for (int e = 0; e < edges.edge_count(); ++e) {
    const std::span<const int> sides = edges.half_edges[e];
    if (sides.size() != 2) continue;
    const int h = sides[0], g = sides[1];
    if (Tail(triangles, h) != Head(triangles, g) || detached[h / 3] || detached[g / 3]) continue;
    corners.Join(h, NextAround(g));
    corners.Join(NextAround(h), g);
  }
  return corners;
}

// Marks as detached all but the first of several triangles that run the same way along one edge of sheet vertices:
// there a sheet comes back to itself. Returns whether there was one.
bool Detach(const std::vector<Eigen::Vector3i>& triangles, std::vector<bool>& detached) {
  struct Directed {
    std::pair<int, int> edge;
    int triangle;
    auto operator<=>(const Directed&) const = default;
  };
  std::vector<Directed> edges;
  edges.reserve(3 * triangles.size());
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) edges.push_back({{triangles[t][k], triangles[t][(k + 1) % 3]}, t});
  }
  std::sort(edges.begin(), edges.end());
  bool found = false;
  for (size_t i = 1; i < edges.size(); ++i) {
    if (edges[i].edge != edges[i - 1].edge || detached[edges[i].triangle]) continue;
    detached[edges[i].triangle] = found = true;
  }
  return found;
}

}  // namespace

Triangles ToRows(const std::vector<Eigen::Vector3i>& triangles) {
  Triangles rows(triangles.size(), 3);
  for (size_t t = 0; t < triangles.size(); ++t) rows.row(static_cast<Eigen::Index>(t)) = triangles[t];
  return rows;
}

Sheets CutIntoSheets(const std::vector<Eigen::Vector3i>& triangles, int point_count) {
  const Triangles rows = ToRows(triangles);
  const EdgeTable edges = BuildEdges(rows, point_count);
  std::vector<bool> detached(triangles.size(), false);
  Sheets sheets;
  do {
    DisjointSets corners = JoinCorners(rows, edges, detached);
    sheets = {};
    sheets.triangles.resize(triangles.size());
    // In order of points, and of corners within a point, so that a manifold keeps the numbering of its points.
    std::vector<std::vector<int>> roots(point_count);
    for (int c = 0; c < static_cast<int>(rows.size()); ++c) {
      if (corners.Find(c) == c) roots[rows(c / 3, c % 3)].push_back(c);
    }
    std::vector<int> sheet_of(rows.size(), -1);
    for (int p = 0; p < point_count; ++p) {
      for (const int c : roots[p]) {
        sheet_of[c] = static_cast<int>(sheets.point_of.size());
        sheets.point_of.push_back(p);
        sheets.cut.push_back(roots[p].size() > 1);
      }
    }
    for (int c = 0; c < static_cast<int>(rows.size()); ++c) sheets.triangles[c / 3][c % 3] = sheet_of[corners.Find(c)];
  } while (Detach(sheets.triangles, detached));
  return sheets;
}

}  // namespace sinew
