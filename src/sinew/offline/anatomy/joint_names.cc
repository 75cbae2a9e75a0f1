#include "sinew/offline/anatomy/joint_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sinew {
namespace {

using enum JointKind;

// Meaning of a name by itself, regardless of the rest of the rig.
struct Reading {
  std::string word;  // all words that matter, joined; empty if the joint is a control, a mesh or the like
  Side side = Side::kNone;
  int number = -1;              // first number that is not part of a prefix; -1 if none
  int segment = -1;             // segment of a finger (JointIdentity::order), if a word names it; -1 if none does
  JointKind finger = kUnknown;  // which finger; kUnknown if it is not a finger
};

const std::unordered_set<std::string> kPrefixes = {
    "mixamorig", "bip",    "biped",     "def",        "armature", "skeleton", "joint",      "jnt",   "bone", "b", "bn",
    "skin",      "rig",    "j",         "cc",         "base",     "human",    "smpl",       "smplx", "m",    "f", "avg",
    "c",         "center", "character", "root_joint", "phalanx",  "sk",       "valvebiped", "g",     "gltf"};
const std::unordered_set<std::string> kControls = {"ik",     "fk",     "mch",  "org",    "ctrl",   "control", "pole",
                                                   "tweak",  "target", "vis",  "handle", "attach", "socket",  "mesh",
                                                   "camera", "weapon", "prop", "breast", "hair",   "skirt"};
const std::unordered_set<std::string> kEnds = {"end", "tip", "nub", "top", "site", "effector", "endsite"};
const std::unordered_map<std::string, JointKind> kFingers = {
    {"thumb", kThumb}, {"index", kIndex}, {"pointer", kIndex}, {"middle", kMiddle}, {"mid", kMiddle},
    {"ring", kRing},   {"pinky", kPinky}, {"little", kPinky},  {"pinkie", kPinky}};
const std::unordered_map<std::string, int> kSegments = {
    {"metacarpal", 0}, {"meta", 0},   {"carpal", 0}, {"proximal", 1}, {"intermediate", 2},
    {"medial", 2},     {"distal", 3}, {"tip", 4},    {"end", 4},      {"nub", 4}};

// Words of kMeanings whose joint depends on the rest of the rig.
enum class Word { kNone, kShoulder, kArm, kHand, kLeg, kFoot, kHip };
struct Meaning {
  JointKind kind = kUnknown;
  Word word = Word::kNone;
};
// Words that mean one joint in every rig, and (the last lines) words whose joint depends on the rest of the rig.
const std::unordered_map<std::string, Meaning> kMeanings = {{"root", {kRoot}},
                                                            {"reference", {kRoot}},
                                                            {"trajectory", {kRoot}},
                                                            {"hips", {kPelvis}},
                                                            {"pelvis", {kPelvis}},
                                                            {"spine", {kSpine}},
                                                            {"chest", {kSpine}},
                                                            {"upperchest", {kSpine}},
                                                            {"torso", {kSpine}},
                                                            {"abdomen", {kSpine}},
                                                            {"waist", {kSpine}},
                                                            {"thorax", {kSpine}},
                                                            {"ribcage", {kSpine}},
                                                            {"upperback", {kSpine}},
                                                            {"lowerback", {kSpine}},
                                                            {"back", {kSpine}},
                                                            {"upperspine", {kSpine}},
                                                            {"lowerspine", {kSpine}},
                                                            {"neck", {kNeck}},
                                                            {"lowerneck", {kNeck}},
                                                            {"upperneck", {kNeck}},
                                                            {"head", {kHead}},
                                                            {"skull", {kHead}},
                                                            {"jaw", {kJaw}},
                                                            {"eye", {kEye}},
                                                            {"ear", {kEar}},
                                                            {"tail", {kTail}},
                                                            {"collar", {kCollar}},
                                                            {"collarbone", {kCollar}},
                                                            {"clavicle", {kCollar}},
                                                            {"scapula", {kCollar}},
                                                            {"upperarm", {kShoulder}},
                                                            {"uparm", {kShoulder}},
                                                            {"humerus", {kShoulder}},
                                                            {"elbow", {kElbow}},
                                                            {"forearm", {kElbow}},
                                                            {"lowerarm", {kElbow}},
                                                            {"lowarm", {kElbow}},
                                                            {"radius", {kElbow}},
                                                            {"wrist", {kWrist}},
                                                            {"thigh", {kHip}},
                                                            {"upleg", {kHip}},
                                                            {"upperleg", {kHip}},
                                                            {"femur", {kHip}},
                                                            {"knee", {kKnee}},
                                                            {"calf", {kKnee}},
                                                            {"shin", {kKnee}},
                                                            {"lowerleg", {kKnee}},
                                                            {"lowleg", {kKnee}},
                                                            {"tibia", {kKnee}},
                                                            {"ankle", {kAnkle}},
                                                            {"toe", {kFoot}},
                                                            {"toes", {kFoot}},
                                                            {"ball", {kFoot}},
                                                            {"shoulder", {kUnknown, Word::kShoulder}},
                                                            {"arm", {kUnknown, Word::kArm}},
                                                            {"hand", {kUnknown, Word::kHand}},
                                                            {"leg", {kUnknown, Word::kLeg}},
                                                            {"foot", {kUnknown, Word::kFoot}},
                                                            {"paw", {kUnknown, Word::kFoot}},
                                                            {"hip", {kUnknown, Word::kHip}}};

bool IsNumber(const std::string& word) { return std::isdigit(static_cast<unsigned char>(word[0])) != 0; }

std::optional<Side> SideOf(const std::string& word) {
  if (word == "l" || word == "left") return Side::kLeft;
  if (word == "r" || word == "right") return Side::kRight;
  return std::nullopt;
}

// Finds a side that no separator sets off: "lfemur", "leftarm", "handr".
void FindAttachedSide(Reading& reading) {
  if (reading.side != Side::kNone || kMeanings.contains(reading.word)) return;
  constexpr std::array<std::pair<const char*, Side>, 4> kSides = {
      {{"left", Side::kLeft}, {"right", Side::kRight}, {"l", Side::kLeft}, {"r", Side::kRight}}};
  for (const auto& [mark, side] : kSides) {
    const std::string_view word = reading.word, tag = mark;
    if (word.size() <= tag.size()) continue;
    std::string rest;
    if (word.starts_with(tag)) rest = word.substr(tag.size());
    if (!kMeanings.contains(rest) && word.ends_with(tag)) rest = word.substr(0, word.size() - tag.size());
    if (!kMeanings.contains(rest)) continue;
    reading.word = rest;
    reading.side = side;
    return;
  }
}

// Finds which finger and which segment a name means; its other words do not matter ("LeftHandIndex1",
// "index-finger-phalanx-distal").
void ReadFinger(const std::vector<std::string>& words, Reading& reading) {
  for (const std::string& word : words) {
    if (const auto finger = kFingers.find(word); finger != kFingers.end()) reading.finger = finger->second;
    if (const auto segment = kSegments.find(word); segment != kSegments.end()) reading.segment = segment->second;
  }
  // "Middle" also means central: a name that says nothing else of a finger (segment, number, "finger") is not one.
  const bool of_hand = reading.segment >= 0 || reading.number >= 0 || std::count(words.begin(), words.end(), "finger");
  const bool of_foot = std::count(words.begin(), words.end(), "toe") > 0;
  if (!of_hand || of_foot) reading.finger = kUnknown;
}

Reading Read(std::string_view name) {
  Reading reading;
  const std::vector<std::string> words = SplitName(name);
  bool after_prefix = false;
  for (const std::string& word : words) {
    if (kControls.contains(word)) return {};
    if (IsNumber(word)) {
      if (!after_prefix && reading.number < 0 && word.size() < 6) reading.number = std::stoi(word);
      continue;
    }
    if (const auto side = SideOf(word); side && reading.side == Side::kNone) {
      reading.side = *side;
    } else if (kPrefixes.contains(word)) {
      // A number right after a leading prefix belongs to it ("mixamorig1:", "Bip001"); that of "arm_joint_2" does not.
      after_prefix = reading.word.empty() && word != "joint" && word != "bone";
      continue;
    } else {
      reading.word += word;
    }
    after_prefix = false;
  }
  ReadFinger(words, reading);
  FindAttachedSide(reading);
  return reading;
}

class Identifier {
 public:
  explicit Identifier(const Skeleton& skeleton) : skeleton_(skeleton), out_(skeleton.joints.size()) {
    for (const Joint& joint : skeleton.joints) {
      readings_.push_back(Read(joint.name));
      depths_.push_back(joint.parent < 0 ? 0 : depths_[joint.parent] + 1);
    }
  }

  std::vector<JointIdentity> Run() {
    for (int j = 0; j < skeleton_.joint_count(); ++j) ReadAlone(j);
    for (const Side side : {Side::kLeft, Side::kRight}) {
      SettleArm(side);
      SettleLeg(side);
    }
    for (const Side side : {Side::kNone, Side::kLeft, Side::kRight}) SettleThumb(side);
    SettlePelvis();
    SettleHead();
    for (const JointKind kind : {kSpine, kNeck, kTail}) NumberChain(kind);
    DropDuplicates();
    return std::move(out_);
  }

 private:
  // Identifies joint j if its name alone decides; otherwise leaves it unknown.
  void ReadAlone(int j) {
    const Reading& reading = readings_[j];
    JointIdentity& out = out_[j];
    if (reading.finger != kUnknown) {
      out = {reading.finger, reading.side, FingerOrder(reading)};
      return;
    }
    const std::vector<std::string> words = SplitName(skeleton_.joints[j].name);
    const auto any = [&](const auto& set) {
      return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return set.contains(w); });
    };
    static const std::unordered_set<std::string> kTwists = {"twist", "roll", "bendy"};
    if (any(kTwists)) {
      out = {kTwist, reading.side, 0};
    } else if (any(kEnds)) {
      out = {kTip, reading.side, 0};
    } else if (const auto found = kMeanings.find(reading.word); found != kMeanings.end()) {
      const bool central = found->second.kind == kPelvis || found->second.kind == kSpine;
      if (central && reading.side != Side::kNone) return;
      out = {found->second.kind, reading.side, 0};
      if (found->second.word == Word::kHip && reading.side == Side::kNone) out.kind = kPelvis;
    }
  }

  static int FingerOrder(const Reading& reading) {
    if (reading.segment < 0) return std::clamp(reading.number, 0, 4);
    if (reading.finger != kThumb) return reading.segment;
    return reading.segment == 0 ? 1 : reading.segment;
  }

  // Returns the joints with this word and side that are still unknown, the least deep in the hierarchy first.
  std::vector<int> Having(Word word, Side side) const {
    std::vector<int> joints;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      const auto found = kMeanings.find(readings_[j].word);
      const bool open = out_[j].kind == kUnknown && readings_[j].finger == kUnknown;
      if (open && found != kMeanings.end() && found->second.word == word && readings_[j].side == side)
        joints.push_back(j);
    }
    return ByDepth(std::move(joints));
  }

  std::vector<int> ByDepth(std::vector<int> joints) const {
    std::stable_sort(joints.begin(), joints.end(), [&](int a, int b) { return depths_[a] < depths_[b]; });
    return joints;
  }

  bool Has(JointKind kind, Side side) const {
    return std::any_of(out_.begin(), out_.end(), [&](const auto& o) { return o.kind == kind && o.side == side; });
  }

  // Gives the joints of a chain one kind each, in order; joints left over stay unknown.
  void Assign(const std::vector<int>& joints, std::initializer_list<JointKind> kinds) {
    size_t k = 0;
    for (const JointKind kind : kinds) {
      if (k < joints.size()) out_[joints[k]].kind = kind, ++k;
    }
  }

  void SettleArm(Side side) {
    const std::vector<int> arms = Having(Word::kArm, side), shoulders = Having(Word::kShoulder, side);
    const std::vector<int> hands = Having(Word::kHand, side);
    // If the rig names the upper arm, "shoulder" is the collar bone (Mixamo, VRM, Rigify); otherwise "shoulder" is the
    // upper arm (SMPL, Biovision).
    const bool upper_named = Has(kShoulder, side);
    Assign(shoulders, {upper_named || !arms.empty() ? kCollar : kShoulder});
    if (upper_named) {
      Assign(arms, {kElbow, kWrist});
    } else if (arms.size() >= 4) {
      Assign(arms, {kCollar, kShoulder, kElbow, kWrist});
    } else if (Has(kElbow, side)) {
      Assign(arms, {kShoulder});
    } else {
      Assign(arms, {kShoulder, kElbow, kWrist});
    }
    Assign(hands, {Has(kWrist, side) ? kHand : kWrist});
  }

  void SettleLeg(Side side) {
    if (!Has(kHip, side)) Assign(Having(Word::kHip, side), {kHip});
    const std::vector<int> legs = Having(Word::kLeg, side), feet = Having(Word::kFoot, side);
    if (Has(kHip, side) && Has(kKnee, side)) {
      Assign(legs, {});
    } else if (Has(kHip, side)) {
      Assign(legs, {kKnee});
    } else {
      Assign(legs, {kHip, kKnee, kAnkle, kFoot});
    }
    if (Has(kAnkle, side)) {
      Assign(feet, {kFoot});
    } else {
      Assign(feet, {kAnkle, kFoot});
    }
  }

  // Sets the order of the thumb's "proximal" segment. In rigs with a metacarpal the segments are metacarpal, proximal,
  // distal; in rigs without one (VRM 0) "proximal" is the first of three.
  void SettleThumb(Side side) {
    bool metacarpal = false, intermediate = false;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (out_[j].kind != kThumb || out_[j].side != side) continue;
      metacarpal |= readings_[j].segment == 0;
      intermediate |= readings_[j].segment == 2;
    }
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      const bool proximal = out_[j].kind == kThumb && out_[j].side == side && readings_[j].segment == 1;
      if (proximal && (metacarpal || !intermediate)) out_[j].order = 2;
    }
  }

  bool IsAncestor(int ancestor, int joint) const {
    while (joint > ancestor) joint = skeleton_.joints[joint].parent;
    return joint == ancestor;
  }

  // In rigs without a pelvis by name, takes the nearest common ancestor of both thighs.
  void SettlePelvis() {
    if (Has(kPelvis, Side::kNone)) return;
    const int left = FindJoint(out_, kHip, Side::kLeft), right = FindJoint(out_, kHip, Side::kRight);
    if (left < 0 || right < 0) return;
    int joint = skeleton_.joints[left].parent;
    while (joint >= 0 && !IsAncestor(joint, right)) joint = skeleton_.joints[joint].parent;
    if (joint >= 0) out_[joint] = {kPelvis, Side::kNone, 0};
  }

  // Returns the joints of a kind, the least deep in the hierarchy first.
  std::vector<int> Kind(JointKind kind) const {
    std::vector<int> joints;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (out_[j].kind == kind) joints.push_back(j);
    }
    return ByDepth(std::move(joints));
  }

  // In rigs without a head by name that number the spine up to the skull, makes the spine joints above the arms neck
  // and head.
  void SettleHead() {
    if (Has(kHead, Side::kNone)) return;
    std::vector<int> above;
    for (const int j : Kind(kSpine)) {
      bool carries_arm = false;
      for (int k = j + 1; k < skeleton_.joint_count(); ++k) {
        carries_arm |= (out_[k].kind == kCollar || out_[k].kind == kShoulder) && IsAncestor(j, k);
      }
      const bool arms = Has(kShoulder, Side::kLeft) || Has(kShoulder, Side::kRight);
      if (arms && !carries_arm) above.push_back(j);
    }
    for (const int j : Kind(kNeck)) above.push_back(j);
    above = ByDepth(std::move(above));
    for (const int j : above) out_[j].kind = kNeck;
    if (above.size() >= 2) out_[above.back()].kind = kHead;
  }

  void NumberChain(JointKind kind) {
    int order = 0;
    for (const int j : Kind(kind)) out_[j].order = ++order;
  }

  // Forgets all but the first joint of each identity: control rigs repeat joints, and the first is the one that
  // deforms.
  void DropDuplicates() {
    for (size_t j = 0; j < out_.size(); ++j) {
      if (!out_[j].known() || out_[j].kind == kTip || out_[j].kind == kTwist) continue;
      for (size_t k = 0; k < j; ++k) {
        if (out_[k] == out_[j]) out_[j] = {};
      }
    }
  }

  const Skeleton& skeleton_;
  std::vector<Reading> readings_;
  std::vector<int> depths_;
  std::vector<JointIdentity> out_;
};

// Returns the joint that a finger joint is attached to: the nearest lower segment of the same finger that exists, or
// the wrist; -1 if there is neither.
int ExpectedParent(const std::vector<JointIdentity>& identities, const JointIdentity& identity) {
  for (int order = identity.order - 1; order >= 0; --order) {
    const int joint = FindJoint(identities, identity.kind, identity.side, order);
    if (joint >= 0) return joint;
  }
  return FindJoint(identities, kWrist, identity.side);
}

bool HasCycle(const std::vector<int>& parents) {
  for (size_t j = 0; j < parents.size(); ++j) {
    int joint = parents[j];
    for (size_t steps = 0; joint >= 0; joint = parents[joint]) {
      if (++steps > parents.size()) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> SplitName(std::string_view name) {
  std::vector<std::string> words;
  const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto alpha = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  bool open = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!alpha(c) && !digit(c)) {
      open = false;
      continue;
    }
    const char before = i > 0 ? name[i - 1] : ' ', after = i + 1 < name.size() ? name[i + 1] : ' ';
    const bool camel = upper(c) && (lower(before) || (upper(before) && lower(after)));
    const bool number = digit(c) != digit(before);
    if (!open || camel || number) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    open = true;
  }
  return words;
}

bool IsFinger(JointKind kind) { return kind >= kThumb && kind <= kPinky; }

std::string CanonicalName(const JointIdentity& identity) {
  constexpr std::array<const char*, 26> kNames = {"",      "root",  "pelvis", "spine",    "neck",  "head",  "jaw",
                                                  "eye",   "ear",   "collar", "shoulder", "elbow", "wrist", "hand",
                                                  "thumb", "index", "middle", "ring",     "pinky", "hip",   "knee",
                                                  "ankle", "foot",  "tail",   "twist",    "tip"};
  if (!identity.known()) return "";
  std::string name = identity.side == Side::kLeft ? "left_" : identity.side == Side::kRight ? "right_" : "";
  name += kNames[static_cast<size_t>(identity.kind)];
  if (!IsFinger(identity.kind)) return identity.order > 0 ? name + std::to_string(identity.order) : name;
  if (identity.order == 0) return name + "_metacarpal";
  return identity.order == 4 ? name + "_tip" : name + std::to_string(identity.order);
}

std::vector<JointIdentity> IdentifyJoints(const Skeleton& skeleton) { return Identifier(skeleton).Run(); }

int FindJoint(const std::vector<JointIdentity>& identities, JointKind kind, Side side, int order) {
  const auto found = std::find(identities.begin(), identities.end(), JointIdentity{kind, side, order});
  return found == identities.end() ? -1 : static_cast<int>(found - identities.begin());
}

std::vector<int> FindChain(const std::vector<JointIdentity>& identities, JointKind kind, Side side) {
  std::vector<int> joints;
  for (int j = 0; j < static_cast<int>(identities.size()); ++j) {
    if (identities[j].kind == kind && identities[j].side == side) joints.push_back(j);
  }
  std::sort(joints.begin(), joints.end(), [&](int a, int b) { return identities[a].order < identities[b].order; });
  return joints;
}

std::vector<int> AnatomicalParents(const Skeleton& skeleton, const std::vector<JointIdentity>& identities) {
  std::vector<int> own, parents;
  for (const Joint& joint : skeleton.joints) own.push_back(joint.parent);
  parents = own;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!IsFinger(identities[j].kind)) continue;
    const int expected = ExpectedParent(identities, identities[j]);
    int ancestor = own[j];
    while (ancestor >= 0 && ancestor != expected) ancestor = own[ancestor];
    if (expected >= 0 && ancestor < 0) parents[j] = expected;
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.joints[j].carrier >= 0) parents[j] = skeleton.joints[j].carrier;
  }
  return HasCycle(parents) ? own : parents;
}

}  // namespace sinew
