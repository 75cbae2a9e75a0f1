#include "sinew/offline/lod/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/sheets.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew::lod {
namespace {

// Parts are welded to each other where their mesh data are in one space: those of one skin, or of one placement.
std::vector<int> SpacesOfParts(const Character& character) {
  std::vector<int> space(character.parts.size());
  for (size_t p = 0; p < space.size(); ++p) {
    space[p] = static_cast<int>(p);
    for (size_t q = 0; q < p; ++q) {
      const Part &a = character.parts[p], &b = character.parts[q];
      if (a.skin == b.skin && (a.skin >= 0 || a.model_from_mesh.matrix() == b.model_from_mesh.matrix())) {
        space[p] = space[q];
        break;
      }
    }
  }
  return space;
}

void CheckFinite(const Character& character, const std::string& file) {
  for (const Part& part : character.parts) {
    for (Eigen::Index v = 0; v < part.mesh.positions.rows(); ++v) {
      if (!part.mesh.positions.row(v).allFinite()) {
        throw InputError(file, fmt::format("vertex {} of {}", v, part.name), "its position is not a finite number",
                         "export the mesh again");
      }
    }
  }
}

// Points of all parts of one space, by exact position, then numbered over all spaces by their first vertex.
void WeldParts(const Character& character, Surface& surface) {
  const std::vector<int> space = SpacesOfParts(character);
  const int vertices = surface.first_vertex.back();
  std::vector<int> first(vertices);  // the first vertex at the same place
  for (size_t p = 0; p < space.size(); ++p) {
    if (space[p] != static_cast<int>(p)) continue;
    std::vector<int> members;
    for (size_t q = p; q < space.size(); ++q) {
      if (space[q] != space[p]) continue;
      for (int v = surface.first_vertex[q]; v < surface.first_vertex[q + 1]; ++v) members.push_back(v);
    }
    Points positions(members.size(), 3);
    Eigen::Index row = 0;
    for (size_t q = p; q < space.size(); ++q) {
      if (space[q] != space[p]) continue;
      const Points& own = character.parts[q].mesh.positions;
      positions.middleRows(row, own.rows()) = own;
      row += own.rows();
    }
    const Welding welding = WeldEqual(positions);
    for (size_t m = 0; m < members.size(); ++m) first[members[m]] = members[welding.first_of[welding.welded_of[m]]];
  }
  surface.point_of_vertex.resize(vertices);
  int points = 0;
  for (int v = 0; v < vertices; ++v) {
    surface.point_of_vertex[v] = first[v] == v ? points++ : surface.point_of_vertex[first[v]];
  }
  surface.positions.resize(points);
}

// A wedge per combination of point, part and attributes, numbered in order of its first vertex.
std::vector<int> FindWedges(const Character& character, Surface& surface) {
  int columns = 0;
  for (const Part& part : character.parts) columns = std::max(columns, AttributeColumns(part));
  const int vertices = surface.first_vertex.back();
  std::vector<int> wedge_of_vertex(vertices);
  std::vector<std::vector<int>> wedges_at(surface.point_count());
  std::vector<Eigen::VectorXd> rows;
  std::vector<int> part_of_wedge;
  for (int p = 0; p < surface.part_count(); ++p) {
    const Part& part = character.parts[p];
    Eigen::VectorXd row = Eigen::VectorXd::Zero(columns);
    for (int v = surface.first_vertex[p]; v < surface.first_vertex[p + 1]; ++v) {
      int column = 0;
      for (const VertexAttribute& attribute : part.attributes) {
        const size_t at = static_cast<size_t>(v - surface.first_vertex[p]) * attribute.components;
        for (int c = 0; c < attribute.components; ++c) row[column++] = attribute.values[at + c];
      }
      std::vector<int>& here = wedges_at[surface.point_of_vertex[v]];
      const auto same =
          std::find_if(here.begin(), here.end(), [&](int w) { return part_of_wedge[w] == p && rows[w] == row; });
      if (same != here.end()) {
        wedge_of_vertex[v] = *same;
        continue;
      }
      wedge_of_vertex[v] = static_cast<int>(rows.size());
      here.push_back(wedge_of_vertex[v]);
      rows.push_back(row);
      part_of_wedge.push_back(p);
      surface.point_of_wedge.push_back(surface.point_of_vertex[v]);
    }
  }
  surface.wedge_attributes.resize(static_cast<Eigen::Index>(rows.size()), columns);
  for (size_t w = 0; w < rows.size() && columns > 0; ++w) {
    surface.wedge_attributes.row(static_cast<Eigen::Index>(w)) = rows[w];
  }
  return wedge_of_vertex;
}

bool AllDifferent(const Eigen::Vector3i& t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; }

void AddTriangles(const Character& character, const std::vector<int>& wedge_of_vertex, Surface& surface) {
  for (int p = 0; p < surface.part_count(); ++p) {
    const Triangles& triangles = character.parts[p].mesh.triangles;
    for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
      Eigen::Vector3i points, wedges;
      for (int k = 0; k < 3; ++k) {
        const int v = surface.first_vertex[p] + triangles(t, k);
        points[k] = surface.point_of_vertex[v];
        wedges[k] = wedge_of_vertex[v];
      }
      if (!AllDifferent(points)) {
        ++surface.dropped_triangles;
        continue;
      }
      surface.triangles.push_back(points);
      surface.wedges.push_back(wedges);
      surface.part_of.push_back(p);
    }
  }
}

}  // namespace

int AttributeColumns(const Part& part) {
  return std::accumulate(part.attributes.begin(), part.attributes.end(), 0,
                         [](int sum, const VertexAttribute& attribute) { return sum + attribute.components; });
}

Eigen::Affine3d ModelFromMesh(const Character& character, const Part& part) {
  if (part.skin < 0) return part.model_from_mesh.cast<double>();
  return CompareRestWithBind(character, part.skin, 1).model_from_mesh.cast<double>();
}

Surface BuildSurface(const Character& character, const std::string& file) {
  CheckFinite(character, file);
  Surface surface;
  surface.first_vertex = {0};
  for (const Part& part : character.parts) {
    surface.first_vertex.push_back(surface.first_vertex.back() + part.mesh.vertex_count());
  }
  WeldParts(character, surface);
  for (int p = 0; p < surface.part_count(); ++p) {
    const Part& part = character.parts[p];
    const Eigen::Affine3d model_from_mesh = ModelFromMesh(character, part);
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      surface.positions[surface.point_of_vertex[surface.first_vertex[p] + v]] =
          model_from_mesh * part.mesh.positions.row(v).transpose().cast<double>();
    }
  }
  AddTriangles(character, FindWedges(character, surface), surface);
  if (surface.triangles.empty()) {
    throw InputError(file, "", "the mesh has no triangle with three different corners", "give a mesh with a surface");
  }
  return surface;
}

TriMesh ToTriMesh(const Surface& surface) {
  TriMesh mesh;
  mesh.positions.resize(surface.point_count(), 3);
  for (int p = 0; p < surface.point_count(); ++p) mesh.positions.row(p) = surface.positions[p].cast<float>();
  mesh.triangles = ToRows(surface.triangles);
  return mesh;
}

}  // namespace sinew::lod
