#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sinew/offline/io/gltf/same.h"
#include "sinew/offline/io/gltf/write.h"

namespace sinew::gltf {
namespace {

void SetTransform(const Transform& t, Json& node) {
  for (const char* key : {"matrix", "translation", "rotation", "scale"}) node.erase(key);
  if (t.translation.x != 0 || t.translation.y != 0 || t.translation.z != 0) {
    node["translation"] = {t.translation.x, t.translation.y, t.translation.z};
  }
  if (t.rotation.x != 0 || t.rotation.y != 0 || t.rotation.z != 0 || t.rotation.w != 1) {
    node["rotation"] = {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
  }
  if (t.scale.x != 1 || t.scale.y != 1 || t.scale.z != 1) node["scale"] = {t.scale.x, t.scale.y, t.scale.z};
}

// Whether both have the same tree, perhaps with other names.
bool SameShape(const Skeleton& a, const Skeleton& b) {
  return std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(),
                    [](const Joint& x, const Joint& y) { return x.parent == y.parent; });
}

// Returns for each joint the one of the original that it was: by number if the tree is the same, otherwise by name. -1:
// new.
std::vector<int> MatchJoints(const Skeleton& now, const Skeleton& then) {
  std::vector<int> match(now.joints.size(), -1);
  const bool by_number = SameShape(now, then);
  std::unordered_map<std::string, int> by_name;
  for (int j = 0; j < then.joint_count(); ++j) by_name.emplace(then.joints[j].name, j);
  for (int j = 0; j < now.joint_count(); ++j) {
    const auto found = by_name.find(now.joints[j].name);
    match[j] = by_number ? j : found == by_name.end() ? -1 : found->second;
  }
  return match;
}

void EraseValue(Json& list, int value) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == value) {
      list.erase(i);
      return;
    }
  }
}

// Removes a node from its parent's children, or from the roots of its scene.
void Unhang(WriteContext& context, int node) {
  for (Json& other : context.json()["nodes"]) {
    if (!other.contains("children")) continue;
    EraseValue(other["children"], node);
    if (other["children"].empty()) other.erase("children");
  }
  for (Json& scene : context.json()["scenes"]) {
    if (!scene.contains("nodes")) continue;
    EraseValue(scene["nodes"], node);
    if (scene["nodes"].empty()) scene.erase("nodes");
  }
}

void UpdateNode(WriteContext& context, int joint, int was) {
  const Joint& now = context.character.skeleton.joints[joint];
  const Joint& then = context.original.character.skeleton.joints[was];
  Json& node = context.json()["nodes"][context.joint_nodes[joint]];
  if (now.name != then.name) node["name"] = now.name;
  if (!Same(now.rest, then.rest)) SetTransform(now.rest, node);
}

// Writes what carries the joint, so that it is known where the animations that show it are left out.
void SetCarrier(const Skeleton& skeleton, int joint, Json& node) {
  const int carrier = skeleton.joints[joint].carrier;
  if (carrier >= 0) {
    if (!node.contains("extras") || !node["extras"].is_object()) node["extras"] = Json::object();
    node["extras"][kCarrierKey] = skeleton.joints[carrier].name;
  } else if (node.contains("extras") && node["extras"].is_object()) {
    node["extras"].erase(kCarrierKey);
  }
}

// Adds new roots to the scene. glTF requires the joints of a skin to have a common ancestor: several roots are put
// under a node of their own.
void HangRoots(WriteContext& context, const std::vector<int>& roots) {
  if (roots.size() < 2) {
    for (const int root : roots) context.scene()["nodes"].push_back(root);
    return;
  }
  const int container = context.Append("nodes", {{"name", context.character.name + "_skeleton"}, {"children", roots}});
  context.scene()["nodes"].push_back(container);
}

}  // namespace

void WriteJoints(WriteContext& context) {
  const Skeleton& now = context.character.skeleton;
  const Skeleton& then = context.original.character.skeleton;
  const std::vector<int> match = MatchJoints(now, then);
  std::vector<int> roots;
  for (int j = 0; j < now.joint_count(); ++j) {
    const Joint& joint = now.joints[j];
    const int was = match[j];
    bool hang = was < 0;
    if (was >= 0) {
      context.joint_nodes.push_back(context.original.joint_nodes[was]);
      UpdateNode(context, j, was);
      const int parent_was = joint.parent < 0 ? -1 : match[joint.parent];
      hang = parent_was != then.joints[was].parent || (joint.parent >= 0 && parent_was < 0);
      if (hang) Unhang(context, context.joint_nodes[j]);
    } else {
      Json node = {{"name", joint.name}};
      SetTransform(joint.rest, node);
      context.joint_nodes.push_back(context.Append("nodes", std::move(node)));
    }
    SetCarrier(now, j, context.json()["nodes"][context.joint_nodes[j]]);
    if (!hang) continue;
    if (joint.parent < 0) {
      roots.push_back(context.joint_nodes[j]);
    } else {
      context.json()["nodes"][context.joint_nodes[joint.parent]]["children"].push_back(context.joint_nodes[j]);
    }
  }
  HangRoots(context, roots);
}

}  // namespace sinew::gltf
