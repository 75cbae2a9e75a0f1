#include "sinew/offline/bake/level_data.h"

#include <algorithm>
#include <string>

#include "sinew/offline/core/error.h"

namespace sinew::bake {
namespace {

void AppendShape(const Part& part, LevelData& data) {
  const bool placed = part.skin < 0;
  const Points normals = part.normals.rows() > 0 ? part.normals : VertexNormals(part.mesh);
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    Eigen::Vector3f position = part.mesh.positions.row(v), normal = normals.row(v);
    if (placed) {
      position = part.model_from_mesh * position;
      normal = (part.model_from_mesh.linear().inverse().transpose() * normal).normalized();
    }
    data.positions.push_back(ToFloat3(position));
    data.normals.push_back(ToFloat3(normal));
  }
}

void AppendTangents(const Part& part, LevelData& data) {
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    const Eigen::Vector4f t = part.tangents.row(v);
    Eigen::Vector3f direction = t.head<3>();
    if (part.skin < 0) direction = (part.model_from_mesh.linear() * direction).normalized();
    data.tangents.push_back({direction.x(), direction.y(), direction.z(), t.w()});
  }
}

void AppendTexcoords(const Part& part, LevelData& data) {
  const auto at = std::find_if(part.attributes.begin(), part.attributes.end(),
                               [](const VertexAttribute& a) { return a.name == "TEXCOORD_0" && a.components == 2; });
  if (at == part.attributes.end()) {
    data.texcoords.insert(data.texcoords.end(), 2 * static_cast<size_t>(part.mesh.vertex_count()), 0.0f);
  } else {
    data.texcoords.insert(data.texcoords.end(), at->values.begin(), at->values.end());
  }
}

void AppendWeights(const Part& part, const SkinSlots& slots, LevelData& data) {
  const bool skinned = part.skin >= 0 && !part.weights.empty();
  for (size_t v = 0; v < static_cast<size_t>(part.mesh.vertex_count()); ++v) {
    for (int k = 0; k < data.influences; ++k) {
      uint16_t slot = 0;
      float weight = 0;
      if (!skinned) {
        slot = k == 0 ? slots.numbers.at({-1, -1}) : uint16_t{0};
        weight = k == 0 ? 1.0f : 0.0f;
      } else if (k < part.weights.influences) {
        const size_t i = v * part.weights.influences + k;
        weight = part.weights.weights[i];
        const auto found = slots.numbers.find({part.skin, part.weights.joints[i]});
        if (weight != 0 && found == slots.numbers.end()) {
          throw InputError(part.name, "vertex " + std::to_string(v), "is moved by a joint that its skin does not have",
                           "export the character again with all its joints");
        }
        slot = weight != 0 ? found->second : uint16_t{0};
      }
      data.slots.push_back(slot);
      data.weights.push_back(weight);
    }
  }
}

}  // namespace

SkinSlots SkinSlots::Of(const lod::Hierarchy& hierarchy) {
  const Character& character = hierarchy.levels.back().character;
  SkinSlots slots;
  const auto add = [&](int skin, int joint, const Eigen::Affine3f& inverse_bind) {
    slots.numbers[{skin, joint}] = static_cast<uint16_t>(slots.joints.size());
    slots.joints.push_back(static_cast<int16_t>(joint));
    slots.inverse_binds.push_back(ToRuntime(inverse_bind));
  };
  for (int s = 0; s < static_cast<int>(character.skins.size()); ++s) {
    const Skin& skin = character.skins[s];
    for (int j = 0; j < character.skeleton.joint_count(); ++j) {
      if (skin.has_joint[j]) add(s, j, skin.inverse_bind[j]);
    }
  }
  const bool placed = std::any_of(character.parts.begin(), character.parts.end(),
                                  [](const Part& part) { return part.skin < 0 || part.weights.empty(); });
  if (placed || slots.joints.empty()) add(-1, -1, Eigen::Affine3f::Identity());
  if (slots.joints.size() > runtime::format::kMaxJoints) {
    throw InputError(character.name, "", "has more than 32767 joints in its skins", "merge its skins");
  }
  return slots;
}

LevelData FlattenLevel(const lod::Level& level, const SkinSlots& slots) {
  // Which attributes the joined mesh has.
  LevelData data;
  const std::vector<Part>& parts = level.character.parts;
  data.influences = 1;
  bool tangents = !parts.empty(), texcoords = false;
  for (const Part& part : parts) {
    data.influences = std::max(data.influences, part.weights.influences);
    tangents &= part.tangents.rows() > 0;
    for (const VertexAttribute& a : part.attributes) texcoords |= a.name == "TEXCOORD_0" && a.components == 2;
  }
  // The parts, one after another.
  for (const Part& part : parts) {
    const auto first = static_cast<uint32_t>(data.positions.size());
    for (int t = 0; t < part.mesh.triangle_count(); ++t) {
      for (int c = 0; c < 3; ++c) data.triangles.push_back(first + static_cast<uint32_t>(part.mesh.triangles(t, c)));
    }
    AppendShape(part, data);
    if (tangents) AppendTangents(part, data);
    if (texcoords) AppendTexcoords(part, data);
    AppendWeights(part, slots, data);
  }
  // The first vertex of each point.
  constexpr uint32_t kNone = ~0u;
  data.first_vertex.assign(level.point_count, kNone);
  for (int v = 0; v < level.vertex_count(); ++v) {
    uint32_t& first = data.first_vertex[level.point_of_vertex[v]];
    if (first == kNone) first = static_cast<uint32_t>(v);
  }
  const bool whole = level.vertex_count() == data.vertex_count() &&
                     std::find(data.first_vertex.begin(), data.first_vertex.end(), kNone) == data.first_vertex.end();
  if (!whole) throw InputError(level.character.name, "", "has points without vertices", "make the levels again");
  return data;
}

}  // namespace sinew::bake
