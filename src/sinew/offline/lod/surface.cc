#include "sinew/offline/lod/surface.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/sheets.h"

namespace sinew::lod {
namespace {

// Makes a wedge per combination of point, part and attributes, numbered in order of its first vertex. Returns the wedge
// of every vertex.
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
  return PlaceAtRest(character).ModelFromMesh(part);
}

Surface BuildSurface(const Character& character, const std::string& file) {
  RestSurface rest = CollectRestSurface(character);
  RefuseBadPositions(character, rest, file);
  Surface surface;
  surface.first_vertex = rest.first_vertex;
  surface.point_of_vertex = std::move(rest.welding.welded_of);
  surface.positions.resize(rest.welding.first_of.size());
  for (int p = 0; p < surface.part_count(); ++p) {
    const Part& part = character.parts[p];
    const Eigen::Affine3d model_from_mesh = rest.placement.ModelFromMesh(part);
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
