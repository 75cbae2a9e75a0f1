#include "sinew/offline/lod/level_character.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/offline/lod/shading.h"

namespace sinew::lod {
namespace {

// Number of a part's source: parts of one mesh of the file share it; parts of no file have one each.
int SourceOf(const Character& character, int part) {
  const int mesh = character.parts[part].source_mesh;
  return mesh >= 0 ? mesh : -1 - part;
}

const Points& FieldOf(const MorphTarget& morph, MorphField::What what) {
  return what == MorphField::What::kPositions ? morph.positions
         : what == MorphField::What::kNormals ? morph.normals
                                              : morph.tangents;
}
Points& FieldOf(MorphTarget& morph, MorphField::What what) {
  return const_cast<Points&>(FieldOf(std::as_const(morph), what));
}

// Calls visit(field column, morph, part) for all morph attributes of a part that have displacements.
template <typename Visit>
void VisitMorphs(const Character& character, int p, const std::vector<MorphField>& fields, const Visit& visit) {
  const Part& part = character.parts[p];
  for (size_t f = 0; f < fields.size(); ++f) {
    const MorphField& field = fields[f];
    if (field.source != SourceOf(character, p) || field.target >= static_cast<int>(part.morphs.size())) continue;
    if (FieldOf(part.morphs[field.target], field.what).rows() == 0) continue;
    visit(static_cast<Eigen::Index>(3 * f), field);
  }
}

// Vertices of one part of the level, and its triangles over them.
struct Vertices {
  std::vector<int> wedge, group;
  Triangles triangles;
};

Vertices SplitVertices(const Surface& surface, const Shading& shading, int part, bool hard_edges) {
  std::vector<std::array<int, 2>> keys;
  std::vector<int> own;
  for (int t = 0; t < surface.triangle_count(); ++t) {
    if (surface.part_of[t] == part) own.push_back(t);
  }
  const auto key = [&](int t, int k) {
    return std::array{surface.wedges[t][k], hard_edges ? shading.groups[t][k] : 0};
  };
  for (const int t : own) {
    for (int k = 0; k < 3; ++k) keys.push_back(key(t, k));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  Vertices vertices;
  vertices.triangles.resize(static_cast<Eigen::Index>(own.size()), 3);
  vertices.group.resize(keys.size());
  for (const auto& k : keys) vertices.wedge.push_back(k[0]);
  for (size_t row = 0; row < own.size(); ++row) {
    for (int k = 0; k < 3; ++k) {
      const auto at = std::lower_bound(keys.begin(), keys.end(), key(own[row], k)) - keys.begin();
      vertices.triangles(static_cast<Eigen::Index>(row), k) = static_cast<int>(at);
      vertices.group[at] = shading.groups[own[row]][k];
    }
  }
  return vertices;
}

void SetAttributes(const Surface& surface, const Vertices& vertices, Part& part) {
  int column = 0;
  for (VertexAttribute& attribute : part.attributes) {
    constexpr int kFloat = 5126;
    const bool whole = attribute.component_type != kFloat && !attribute.normalized;
    attribute.values.resize(vertices.wedge.size() * attribute.components);
    for (size_t v = 0; v < vertices.wedge.size(); ++v) {
      for (int c = 0; c < attribute.components; ++c) {
        const double value = surface.wedge_attributes(vertices.wedge[v], column + c);
        attribute.values[v * attribute.components + c] = static_cast<float>(whole ? std::round(value) : value);
      }
    }
    column += attribute.components;
  }
}

void SetWeights(const Character& finest, const std::vector<int>& points, const LevelFields& fields, Part& part) {
  if (part.weights.empty()) return;
  const int influences = part.weights.influences;
  part.weights.joints.assign(points.size() * influences, 0);
  part.weights.weights.assign(points.size() * influences, 0);
  for (size_t v = 0; v < points.size(); ++v) {
    const auto chosen =
        ToInfluences(fields.weights.row(points[v]).transpose(), influences, finest.skins[part.skin].has_joint);
    for (size_t k = 0; k < chosen.size(); ++k) {
      part.weights.joints[v * influences + k] = static_cast<uint16_t>(chosen[k].first);
      part.weights.weights[v * influences + k] = chosen[k].second;
    }
  }
}

void SetTangents(const Part& original, Part& part) {
  if (original.tangents.rows() == 0) return;
  const auto uv = std::find_if(part.attributes.begin(), part.attributes.end(),
                               [](const VertexAttribute& a) { return a.name == "TEXCOORD_0" && a.components == 2; });
  Eigen::MatrixX2d coordinates = Eigen::MatrixX2d::Zero(part.mesh.vertex_count(), 2);
  if (uv != part.attributes.end()) {
    for (Eigen::Index v = 0; v < coordinates.rows(); ++v) {
      coordinates.row(v) << uv->values[2 * v], uv->values[2 * v + 1];
    }
  }
  part.tangents = TextureTangents(part.mesh, part.normals, coordinates);
}

}  // namespace

std::vector<MorphField> ListMorphFields(const Character& character) {
  std::vector<MorphField> fields;
  for (size_t p = 0; p < character.parts.size(); ++p) {
    const std::vector<MorphTarget>& morphs = character.parts[p].morphs;
    for (size_t m = 0; m < morphs.size(); ++m) {
      for (const auto what : {MorphField::What::kPositions, MorphField::What::kNormals, MorphField::What::kTangents}) {
        if (FieldOf(morphs[m], what).rows() == 0) continue;
        fields.push_back({SourceOf(character, static_cast<int>(p)), static_cast<int>(m), what});
      }
    }
  }
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  return fields;
}

LevelFields FinestFields(const Character& character, const Surface& surface, const std::vector<MorphField>& morphs) {
  LevelFields fields;
  const Eigen::Index points = surface.point_count();
  fields.weights = Eigen::MatrixXd::Zero(points, character.skeleton.joint_count());
  fields.morphs = Eigen::MatrixXd::Zero(points, static_cast<Eigen::Index>(3 * morphs.size()));
  Eigen::VectorXd count = Eigen::VectorXd::Zero(points);
  for (int p = 0; p < surface.part_count(); ++p) {
    const Part& part = character.parts[p];
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const int point = surface.point_of_vertex[surface.first_vertex[p] + v];
      count[point] += 1;
      for (int k = 0; k < part.weights.influences; ++k) {
        const size_t at = static_cast<size_t>(v) * part.weights.influences + k;
        fields.weights(point, part.weights.joints[at]) += part.weights.weights[at];
      }
      VisitMorphs(character, p, morphs, [&](Eigen::Index column, const MorphField& field) {
        // Vertices of one point move together; the last one counts.
        fields.morphs.block<1, 3>(point, column) = FieldOf(part.morphs[field.target], field.what).row(v).cast<double>();
      });
    }
  }
  for (Eigen::Index point = 0; point < points; ++point) {
    if (count[point] > 0) fields.weights.row(point) /= count[point];
  }
  return fields;
}

std::vector<std::pair<int, float>> ToInfluences(const Eigen::VectorXd& row, int influences,
                                                const std::vector<bool>& allowed) {
  constexpr double kNothing = 1e-5;
  std::vector<int> joints;
  for (int j = 0; j < static_cast<int>(row.size()); ++j) {
    if (allowed[j] && row[j] > kNothing) joints.push_back(j);
  }
  if (joints.empty()) {
    return {{static_cast<int>(std::find(allowed.begin(), allowed.end(), true) - allowed.begin()), 1.0f}};
  }
  const auto stronger = [&](int a, int b) { return row[a] != row[b] ? row[a] > row[b] : a < b; };
  std::sort(joints.begin(), joints.end(), stronger);
  joints.resize(std::min<size_t>(joints.size(), influences));
  const double sum =
      std::accumulate(joints.begin(), joints.end(), 0.0, [&](double total, int j) { return total + row[j]; });
  std::vector<std::pair<int, float>> chosen;
  chosen.reserve(joints.size());
  for (const int j : joints) chosen.emplace_back(j, static_cast<float>(row[j] / sum));
  return chosen;
}

LevelCharacter MakeLevelCharacter(const Character& finest, const Surface& surface, const LevelFields& fields,
                                  const std::vector<MorphField>& morphs, double crease_angle) {
  LevelCharacter level{finest, {}};
  const Shading shading = ShadeSurface(surface, crease_angle);
  for (int p = 0; p < static_cast<int>(finest.parts.size()); ++p) {
    const Part& original = finest.parts[p];
    Part& part = level.character.parts[p];
    // Split the surface's points into vertices of the part.
    const Vertices vertices = SplitVertices(surface, shading, p, original.normals.rows() > 0);
    std::vector<int> points;
    for (const int wedge : vertices.wedge) points.push_back(surface.point_of_wedge[wedge]);
    const auto rows = static_cast<Eigen::Index>(points.size());
    // Take positions and normals from model space back to the space of the part's mesh data.
    const Eigen::Affine3d mesh_from_model = ModelFromMesh(finest, original).inverse();
    part.mesh.triangles = vertices.triangles;
    part.mesh.positions.resize(rows, 3);
    for (Eigen::Index v = 0; v < rows; ++v) {
      part.mesh.positions.row(v) = (mesh_from_model * surface.positions[points[v]]).cast<float>();
    }
    if (original.normals.rows() > 0) {
      const Eigen::Matrix3d turn = mesh_from_model.linear().inverse().transpose();
      part.normals.resize(rows, 3);
      for (Eigen::Index v = 0; v < rows; ++v) {
        part.normals.row(v) = (turn * shading.normals[vertices.group[v]]).normalized().cast<float>();
      }
    }
    // Set everything else that vertices carry.
    SetAttributes(surface, vertices, part);
    SetTangents(original, part);
    SetWeights(finest, points, fields, part);
    VisitMorphs(finest, p, morphs, [&](Eigen::Index column, const MorphField& field) {
      Points& values = FieldOf(part.morphs[field.target], field.what);
      values.resize(rows, 3);
      for (Eigen::Index v = 0; v < rows; ++v) {
        values.row(v) = fields.morphs.block<1, 3>(points[v], column).cast<float>();
      }
    });
    part.weight_repairs = {};
    level.point_of_vertex.insert(level.point_of_vertex.end(), points.begin(), points.end());
  }
  return level;
}

}  // namespace sinew::lod
