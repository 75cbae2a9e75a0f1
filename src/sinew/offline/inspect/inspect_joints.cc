#include "sinew/offline/inspect/inspect_joints.h"

#include <fmt/format.h>

#include "sinew/offline/inspect/report_text.h"
#include "sinew/offline/inspect/wording.h"

namespace sinew::inspect {
namespace {

// Returns the joints in the order of a tree: each directly below its parent or below its elder siblings' children.
std::vector<int> DepthFirst(const std::vector<JointInspection>& joints) {
  std::vector<std::vector<int>> children(joints.size());
  std::vector<int> open, order;
  for (int j = static_cast<int>(joints.size()) - 1; j >= 0; --j) {
    (joints[j].parent < 0 ? open : children[joints[j].parent]).push_back(j);
  }
  while (!open.empty()) {
    const int j = open.back();
    open.pop_back();
    order.push_back(j);
    open.insert(open.end(), children[j].begin(), children[j].end());
  }
  return order;
}

}  // namespace

std::vector<JointInspection> InspectJoints(const Character& character, const JointLimits& limits) {
  std::vector<JointInspection> found;
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    const Joint& joint = character.skeleton.joints[j];
    found.push_back({.name = joint.name,
                     .parent = joint.parent,
                     .carrier = joint.carrier,
                     .depth = joint.parent < 0 ? 0 : found[joint.parent].depth + 1,
                     .helper = joint.helper,
                     .limits = limits[j].origin,
                     .known_as = limits[j].known_as});
  }
  for (const Part& part : character.parts) {
    for (size_t i = 0; i < part.weights.weights.size(); ++i) {
      if (part.weights.weights[i] > 0) ++found[part.weights.joints[i]].vertices;
    }
  }
  return found;
}

Json ToJson(const std::vector<JointInspection>& joints) {
  Json list = Json::array();
  for (const JointInspection& joint : joints) {
    list.push_back({{"index", list.size()},
                    {"name", joint.name},
                    {"parent", joint.parent},
                    {"carrier", joint.carrier},
                    {"helper", joint.helper},
                    {"known_as", joint.known_as},
                    {"limits", Name(joint.limits)},
                    {"vertices", joint.vertices}});
  }
  return list;
}

std::string ToText(const std::vector<JointInspection>& joints) {
  if (joints.empty()) return "";
  std::vector<std::vector<std::string>> rows = {{"joint", "index", "parent", "limits from", "moves vertices"}};
  for (const int j : DepthFirst(joints)) {
    const JointInspection& joint = joints[j];
    std::string parent = joint.parent < 0 ? "-" : std::to_string(joint.parent);
    if (joint.carrier >= 0) parent += fmt::format(", carried by {}", joint.carrier);
    rows.push_back({std::string(2 * joint.depth, ' ') + joint.name, std::to_string(j), parent, Name(joint.limits),
                    joint.helper ? "helper" : Grouped(joint.vertices)});
  }
  return "Joints\n" + TextTable(rows);
}

}  // namespace sinew::inspect
