#include "sinew/offline/autorig/biped_joints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::autorig {
namespace {

// A set of names: those of the middle, and those of a side with a mark where the side goes.
struct NameSet {
  std::array<const char*, 6> middle;  // pelvis, spine1, spine2, spine3, neck, head
  std::array<const char*, 9> side;    // hip, knee, ankle, foot, collar, shoulder, elbow, wrist, hand; {} is the side
  const char *left, *right;
};

// Indices into BipedJoints() of the entries of a NameSet, those of the left side for both.
constexpr std::array<int, 6> kMiddle = {0, 3, 6, 9, 12, 15};
constexpr std::array<int, 9> kLeft = {1, 4, 7, 10, 13, 16, 18, 20, 22};

// Unreal and Blender have no joint that turns all fingers together; that name follows their finger's.
const std::map<std::string, NameSet>& Sets() {
  static const std::map<std::string, NameSet> sets = {
      {"smpl",
       {{"pelvis", "spine1", "spine2", "spine3", "neck", "head"},
        {"{}_hip", "{}_knee", "{}_ankle", "{}_foot", "{}_collar", "{}_shoulder", "{}_elbow", "{}_wrist", "{}_hand"},
        "left",
        "right"}},
      {"mixamo",
       {{"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:Neck",
         "mixamorig:Head"},
        {"mixamorig:{}UpLeg", "mixamorig:{}Leg", "mixamorig:{}Foot", "mixamorig:{}ToeBase", "mixamorig:{}Shoulder",
         "mixamorig:{}Arm", "mixamorig:{}ForeArm", "mixamorig:{}Hand", "mixamorig:{}HandMiddle1"},
        "Left",
        "Right"}},
      {"unreal",
       {{"pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head"},
        {"thigh_{}", "calf_{}", "foot_{}", "ball_{}", "clavicle_{}", "upperarm_{}", "lowerarm_{}", "hand_{}",
         "middle_01_{}"},
        "l",
        "r"}},
      {"vrm",
       {{"hips", "spine", "chest", "upperChest", "neck", "head"},
        {"{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toes", "{}Shoulder", "{}UpperArm", "{}LowerArm", "{}Hand",
         "{}MiddleProximal"},
        "left",
        "right"}},
      {"blender",
       {{"spine", "spine.001", "spine.002", "spine.003", "spine.004", "spine.006"},
        {"thigh.{}", "shin.{}", "foot.{}", "toe.{}", "shoulder.{}", "upper_arm.{}", "forearm.{}", "hand.{}",
         "f_middle.01.{}"},
        "L",
        "R"}}};
  return sets;
}

}  // namespace

const std::array<BipedJoint, kJoints>& BipedJoints() {
  static const std::array<BipedJoint, kJoints> joints = {
      {{"pelvis", -1, 0},         {"left_hip", 0, 2},         {"right_hip", 0, 1},     {"spine1", 0, 3},
       {"left_knee", 1, 5},       {"right_knee", 2, 4},       {"spine2", 3, 6},        {"left_ankle", 4, 8},
       {"right_ankle", 5, 7},     {"spine3", 6, 9},           {"left_foot", 7, 11},    {"right_foot", 8, 10},
       {"neck", 9, 12},           {"left_collar", 9, 14},     {"right_collar", 9, 13}, {"head", 12, 15},
       {"left_shoulder", 13, 17}, {"right_shoulder", 14, 16}, {"left_elbow", 16, 19},  {"right_elbow", 17, 18},
       {"left_wrist", 18, 21},    {"right_wrist", 19, 20},    {"left_hand", 20, 23},   {"right_hand", 21, 22}}};
  return joints;
}

std::array<int, kJoints> FindBipedJoints(const Skeleton& skeleton, const std::string& file) {
  std::array<int, kJoints> found;
  std::vector<std::string> missing;
  for (int j = 0; j < kJoints; ++j) {
    found[j] = skeleton.Find(BipedJoints()[j].name);
    if (found[j] < 0) missing.emplace_back(BipedJoints()[j].name);
  }
  if (!missing.empty()) {
    throw InputError(file, "", fmt::format("has no joint called {}", fmt::join(missing, ", ")),
                     "a body with the 24 joints of `sinew character biped` is needed");
  }
  return found;
}

std::vector<std::string> NameSets() {
  std::vector<std::string> names;
  for (const auto& [name, set] : Sets()) names.push_back(name);
  return names;
}

JointNames NamesOf(const std::string& set) {
  const auto found = Sets().find(set);
  if (found == Sets().end()) {
    throw UsageError(fmt::format("there are no joint names '{}'; there are {}", set, fmt::join(NameSets(), ", ")));
  }
  JointNames names;
  const NameSet& words = found->second;
  for (size_t k = 0; k < kMiddle.size(); ++k) names[kMiddle[k]] = words.middle[k];
  for (size_t k = 0; k < kLeft.size(); ++k) {
    names[kLeft[k]] = fmt::format(fmt::runtime(words.side[k]), words.left);
    names[BipedJoints()[kLeft[k]].mirrored] = fmt::format(fmt::runtime(words.side[k]), words.right);
  }
  return names;
}

JointNames ParseNames(const std::string& text, const std::string& file) {
  const Json json = ParseJson(text, file);
  constexpr const char* kRemedy = "give one name for each of the 24 joints, as {\"pelvis\": \"Hips\", ...}";
  if (!json.is_object()) throw InputError(file, "", "is no JSON object", kRemedy);
  JointNames names;
  std::set<std::string> used;
  for (int j = 0; j < kJoints; ++j) {
    const char* const joint = BipedJoints()[j].name;
    const auto given = json.find(joint);
    if (given == json.end() || !given->is_string() || given->get<std::string>().empty()) {
      throw InputError(file, joint, "has no name", kRemedy);
    }
    names[j] = given->get<std::string>();
    if (!used.insert(names[j]).second) {
      throw InputError(file, joint, fmt::format("has a name that another joint has: {}", names[j]), kRemedy);
    }
  }
  return names;
}

JointNames NamesFor(const std::string& names) {
  return LowerExtension(names) == ".json" ? ParseNames(ReadTextFile(names), names) : NamesOf(names);
}

}  // namespace sinew::autorig
