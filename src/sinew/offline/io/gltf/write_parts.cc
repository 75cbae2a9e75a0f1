#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/gltf/accessor.h"
#include "sinew/offline/io/gltf/same.h"
#include "sinew/offline/io/gltf/write.h"

namespace sinew::gltf {
namespace {

template <typename Matrix>
std::span<const float> Values(const Matrix& matrix) {
  return {matrix.data(), static_cast<size_t>(matrix.size())};
}

// Writes one primitive. part: what it is now. original: what it was when it was read; null: new. primitive: its JSON.
struct PrimitiveWriter {
  WriteContext& context;
  const Part& part;
  const Part* original;
  Json& primitive;

  std::string What(const std::string& attribute) const { return fmt::format("part '{}', {}", part.name, attribute); }

  // Whether attributes may stay as the document has them.
  bool SameVertices() const { return original != nullptr && original->mesh.vertex_count() == part.mesh.vertex_count(); }

  template <typename Matrix>
  void Write(const char* name, const Matrix& now, const Matrix* then, bool bounds) {
    if (then != nullptr && SameMatrix(now, *then)) return;
    Json& attributes = primitive["attributes"];
    if (now.size() == 0) {
      attributes.erase(name);
    } else {
      attributes[name] =
          context.packer.AddFloats(Values(now), static_cast<int>(now.cols()), kVertices, bounds, What(name));
    }
  }

  void WriteIndices() {
    const Triangles& triangles = part.mesh.triangles;
    if (original != nullptr && SameMatrix(triangles, original->mesh.triangles)) return;
    primitive.erase("mode");
    if (triangles.rows() == 0) throw FailedError(What("triangles") + ": there are none, which glTF cannot say");
    std::vector<uint32_t> indices(triangles.data(), triangles.data() + triangles.size());
    // The largest number of each type is not used, as glTF requires: graphics APIs restart a strip there.
    const int type = part.mesh.vertex_count() <= 0xffff ? kUnsignedShort : kUnsignedInt;
    primitive["indices"] = context.packer.AddUnsigned(indices, 1, type, kIndices);
  }

  void WriteAttributes() {
    const auto find = [](const Part& in, const std::string& name) -> const VertexAttribute* {
      for (const VertexAttribute& attribute : in.attributes) {
        if (attribute.name == name) return &attribute;
      }
      return nullptr;
    };
    Json& attributes = primitive["attributes"];
    if (original != nullptr) {
      for (const VertexAttribute& then : original->attributes) {
        if (find(part, then.name) == nullptr) attributes.erase(then.name);
      }
    }
    for (const VertexAttribute& now : part.attributes) {
      const VertexAttribute* then = original == nullptr ? nullptr : find(*original, now.name);
      if (then != nullptr && Same(now, *then)) continue;
      attributes[now.name] =
          now.component_type == kFloat
              ? context.packer.AddFloats(now.values, now.components, kVertices, false, What(now.name))
              : context.packer.AddIntegers(now.values, now.components, now.component_type, now.normalized);
    }
  }

  // Writes JOINTS_n, in the skin's own numbers, and WEIGHTS_n, four influences per set, if they changed.
  void WriteInfluences() {
    const bool skinned = part.skin >= 0 && context.document_skins[part.skin] >= 0;
    const bool was_skinned = original != nullptr && primitive["attributes"].contains("JOINTS_0");
    if (skinned && was_skinned && original->skin >= 0 && !context.renumbered[part.skin] &&
        Same(part.weights, original->weights) && SameSourceSkin()) {
      return;
    }
    if (!skinned && (original == nullptr || !was_skinned)) return;
    EraseInfluences();
    if (!skinned) return;
    for (int set = 0; 4 * set < std::max(part.weights.influences, 1); ++set) WriteInfluenceSet(set);
  }

  bool SameSourceSkin() const {
    return context.character.skins[part.skin].source_skin ==
           context.original.character.skins[original->skin].source_skin;
  }

  void EraseInfluences() {
    std::vector<std::string> names;
    for (const auto& [name, unused] : primitive["attributes"].items()) {
      if (name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")) names.push_back(name);
    }
    for (const std::string& name : names) primitive["attributes"].erase(name);
  }

  void WriteInfluenceSet(int set) {
    const int vertices = part.mesh.vertex_count(), influences = part.weights.influences;
    const std::vector<int>& numbers = context.skin_joints[part.skin];
    std::vector<uint32_t> joints(4 * static_cast<size_t>(vertices), 0);
    std::vector<float> weights(joints.size(), 0.0f);
    for (int v = 0; v < vertices; ++v) {
      for (int k = 0; k < std::min(4, influences - 4 * set); ++k) {
        const size_t from = static_cast<size_t>(v) * influences + 4 * set + k;
        if (part.weights.weights[from] == 0) continue;
        const int number = numbers[part.weights.joints[from]];
        if (number < 0) {
          throw FailedError(What(fmt::format("vertex {}: its joint '{}' is not in its skin", v,
                                             context.character.skeleton.joints[part.weights.joints[from]].name)));
        }
        joints[4 * static_cast<size_t>(v) + k] = static_cast<uint32_t>(number);
        weights[4 * static_cast<size_t>(v) + k] = part.weights.weights[from];
      }
    }
    const int count = 1 + *std::max_element(numbers.begin(), numbers.end());
    const int type = count <= 256 ? kUnsignedByte : kUnsignedShort;
    Json& attributes = primitive["attributes"];
    attributes[fmt::format("JOINTS_{}", set)] = context.packer.AddUnsigned(joints, 4, type, kVertices);
    const std::string name = fmt::format("WEIGHTS_{}", set);
    attributes[name] = context.packer.AddFloats(weights, 4, kVertices, false, What(name));
  }

  // Writes the morph targets if they changed. Attributes of a target that Sinew does not model stay if the number of
  // vertices is the same.
  void WriteMorphs() {
    if (original != nullptr && SameList(part.morphs, original->morphs)) return;
    if (part.morphs.empty()) {
      primitive.erase("targets");
      return;
    }
    Json targets = Json::array();
    for (size_t m = 0; m < part.morphs.size(); ++m) {
      const MorphTarget& morph = part.morphs[m];
      const bool keep = SameVertices() && m < original->morphs.size();
      Json target = keep ? primitive["targets"][m] : Json::object();
      for (const char* name : {"POSITION", "NORMAL", "TANGENT"}) target.erase(name);
      const std::string what = What(fmt::format("morph target {}", m));
      const auto write = [&](const char* name, const Points& points, bool bounds) {
        if (points.rows() > 0) target[name] = context.packer.AddSparseFloats(Values(points), 3, bounds, what);
      };
      write("POSITION", morph.positions, true);
      write("NORMAL", morph.normals, false);
      write("TANGENT", morph.tangents, false);
      if (target.empty()) throw FailedError(what + ": moves nothing, which glTF cannot say");
      targets.push_back(std::move(target));
    }
    primitive["targets"] = std::move(targets);
  }

  void Write() {
    if (!SameVertices()) {
      primitive["attributes"] = Json::object();
      original = nullptr;
    }
    if (primitive.contains("extensions")) primitive["extensions"].erase("KHR_draco_mesh_compression");
    if (primitive.contains("extensions") && primitive["extensions"].empty()) primitive.erase("extensions");
    const Part* then = original;
    Write("POSITION", part.mesh.positions, then == nullptr ? nullptr : &then->mesh.positions, true);
    Write("NORMAL", part.normals, then == nullptr ? nullptr : &then->normals, false);
    Write("TANGENT", part.tangents, then == nullptr ? nullptr : &then->tangents, false);
    WriteAttributes();
    WriteInfluences();
    WriteIndices();
    WriteMorphs();
    if (part.material >= 0) {
      primitive["material"] = part.material;
    } else {
      primitive.erase("material");
    }
    if (original == nullptr && !part.role.empty()) primitive["extras"][kRoleKey] = part.role;
  }
};

bool SameAffine(const Eigen::Affine3f& a, const Eigen::Affine3f& b) { return SameMatrix(a.matrix(), b.matrix()); }

// Compares everything that is written in the primitive itself.
bool SamePrimitive(const WriteContext& context, const Part& now, const Part& then) {
  const bool skin_same = now.skin < 0 ? then.skin < 0 : then.skin >= 0 && !context.renumbered[now.skin];
  return skin_same && now.material == then.material && SameMatrix(now.mesh.positions, then.mesh.positions) &&
         SameMatrix(now.mesh.triangles, then.mesh.triangles) && SameMatrix(now.normals, then.normals) &&
         SameMatrix(now.tangents, then.tangents) && SameList(now.attributes, then.attributes) &&
         SameList(now.morphs, then.morphs) && Same(now.weights, then.weights);
}

int DocumentSkin(const WriteContext& context, const Part& part) {
  return part.skin < 0 ? -1 : context.document_skins[part.skin];
}

// Writes the names of morph targets, which glTF lists once per mesh, outside of its primitives.
void WriteTargetNames(const Part& part, Json& mesh) {
  const bool any =
      std::any_of(part.morphs.begin(), part.morphs.end(), [](const MorphTarget& m) { return !m.name.empty(); });
  if (mesh.contains("weights") && mesh["weights"].size() != part.morphs.size()) mesh.erase("weights");
  if (!any) return;
  Json names = Json::array();
  for (const MorphTarget& morph : part.morphs) names.push_back(morph.name);
  mesh["extras"]["targetNames"] = std::move(names);
}

Json MatrixJson(const Eigen::Affine3f& affine) {
  Json matrix = Json::array();
  for (int i = 0; i < 16; ++i) matrix.push_back(affine.matrix().data()[i]);
  return matrix;
}

// Returns the joint that carries a rigid part; -1 if the part is not attached to one.
int AttachedJoint(const WriteContext& context, const Part& part) {
  if (part.skin < 0 || !context.character.skins[part.skin].attached) return -1;
  const std::vector<bool>& has_joint = context.character.skins[part.skin].has_joint;
  const auto found = std::find(has_joint.begin(), has_joint.end(), true);
  return found == has_joint.end() ? -1 : static_cast<int>(found - has_joint.begin());
}

// Hangs a node below the joint that carries a rigid part, in the place that the part's attached skin says.
void HangBelowJoint(WriteContext& context, const Skin& skin, int joint, Json node) {
  node["name"] = skin.name;
  if (skin.name.empty()) node.erase("name");
  const Eigen::Affine3f& place = skin.inverse_bind[joint];
  if (!place.isApprox(Eigen::Affine3f::Identity(), 0)) node["matrix"] = MatrixJson(place);
  const int index = context.Append("nodes", std::move(node));
  context.json()["nodes"][context.joint_nodes[joint]]["children"].push_back(index);
}

void WriteNewPart(WriteContext& context, const Part& part) {
  Json primitive = {{"attributes", Json::object()}};
  PrimitiveWriter{context, part, nullptr, primitive}.Write();
  Json mesh = {{"name", part.name}, {"primitives", Json::array({primitive})}};
  WriteTargetNames(part, mesh);
  Json node = {{"name", part.name}, {"mesh", context.Append("meshes", std::move(mesh))}};
  const int skin = DocumentSkin(context, part);
  if (const int joint = AttachedJoint(context, part); skin < 0 && joint >= 0) {
    return HangBelowJoint(context, context.character.skins[part.skin], joint, std::move(node));
  }
  if (skin >= 0) {
    node["skin"] = skin;
  } else if (!part.model_from_mesh.isApprox(Eigen::Affine3f::Identity(), 0)) {
    node["matrix"] = MatrixJson(part.model_from_mesh);
  }
  const int index = context.Append("nodes", std::move(node));
  context.scene()["nodes"].push_back(index);
}

// The parts of one node of the source: what they were, and what they are now (null: removed).
struct NodeParts {
  std::vector<std::pair<const Part*, const Part*>> then_now;
};

bool NodeChanged(const WriteContext& context, const NodeParts& parts) {
  return std::any_of(parts.then_now.begin(), parts.then_now.end(), [&](const auto& pair) {
    return pair.second == nullptr || !SamePrimitive(context, *pair.second, *pair.first);
  });
}

// Returns the node's mesh, copied first if other nodes show it, too, so that it can be changed for this one.
int OwnMesh(WriteContext& context, int node) {
  const int mesh = context.json()["nodes"][node]["mesh"].get<int>();
  int users = 0;
  for (const Json& other : context.json()["nodes"]) users += other.contains("mesh") && other["mesh"] == mesh ? 1 : 0;
  if (users == 1) return mesh;
  const int copy = context.Append("meshes", Json(context.json()["meshes"][mesh]));
  context.json()["nodes"][node]["mesh"] = copy;
  return copy;
}

void WriteChangedMesh(WriteContext& context, int node, const NodeParts& parts) {
  const bool gone = std::all_of(parts.then_now.begin(), parts.then_now.end(),
                                [](const auto& pair) { return pair.second == nullptr; });
  const int source_mesh = context.json()["nodes"][node]["mesh"].get<int>();
  if (gone && parts.then_now.size() == context.json()["meshes"][source_mesh]["primitives"].size()) {
    // A mesh without primitives is not allowed; one that no node shows is.
    context.json()["nodes"][node].erase("mesh");
    context.json()["nodes"][node].erase("skin");
    return;
  }
  Json& mesh = context.json()["meshes"][OwnMesh(context, node)];
  for (const auto& [then, now] : parts.then_now) {
    if (now == nullptr || SamePrimitive(context, *now, *then)) continue;
    PrimitiveWriter{context, *now, then, mesh["primitives"][then->source_primitive]}.Write();
    if (!SameList(now->morphs, then->morphs)) WriteTargetNames(*now, mesh);
  }
  for (auto pair = parts.then_now.rbegin(); pair != parts.then_now.rend(); ++pair) {
    if (pair->second == nullptr) mesh["primitives"].erase(static_cast<size_t>(pair->first->source_primitive));
  }
}

// Writes the node's skin, or, for parts without one, its transform.
void WritePlacement(WriteContext& context, int node_index, const NodeParts& parts) {
  for (const auto& [then, now] : parts.then_now) {
    if (now == nullptr) continue;
    Json& node = context.json()["nodes"][node_index];
    const int skin = DocumentSkin(context, *now);
    if (skin >= 0) {
      node["skin"] = skin;
    } else if (now->skin < 0 && then->skin >= 0) {
      node.erase("skin");
    }
    if (now->skin < 0 && !SameAffine(now->model_from_mesh, then->model_from_mesh)) {
      const Eigen::Affine3f& above = context.original.node_parents_world[node_index];
      for (const char* key : {"translation", "rotation", "scale"}) node.erase(key);
      node["matrix"] = MatrixJson(above.inverse() * now->model_from_mesh);
    }
    return;
  }
}

}  // namespace

void WriteParts(WriteContext& context) {
  // The parts of the source, by node.
  using Place = std::tuple<int, int>;  // node, primitive
  std::map<int, NodeParts> nodes;
  std::map<Place, std::pair<int, size_t>> places;
  for (const Part& then : context.original.character.parts) {
    auto& list = nodes[then.source_node].then_now;
    places[{then.source_node, then.source_primitive}] = {then.source_node, list.size()};
    list.emplace_back(&then, nullptr);
  }
  // Match the parts of the character with them; the others are new.
  std::vector<const Part*> added;
  std::map<int, int> node_skins;  // all primitives of a node share its skin: a part that differs needs its own node
  for (const Part& now : context.character.parts) {
    const auto place = places.find({now.source_node, now.source_primitive});
    const auto [skin, first] = node_skins.try_emplace(now.source_node, now.skin);
    const Part** slot =
        place == places.end() ? nullptr : &nodes[place->second.first].then_now[place->second.second].second;
    if (slot != nullptr && *slot == nullptr && skin->second == now.skin) {
      *slot = &now;
    } else {
      added.push_back(&now);
    }
  }
  // Write the changed nodes, then the new parts.
  for (const auto& [node, parts] : nodes) {
    if (NodeChanged(context, parts)) WriteChangedMesh(context, node, parts);
    WritePlacement(context, node, parts);
  }
  for (const Part* part : added) WriteNewPart(context, *part);
}

}  // namespace sinew::gltf
