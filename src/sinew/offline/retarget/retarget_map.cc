#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/retarget/retarget.h"

namespace sinew::retarget {
namespace {

using enum JointKind;

// Whether the skeletons share four fifths of the smaller one's names.
bool ShareNames(const Skeleton& source, const Skeleton& target) {
  int shared = 0;
  for (const Joint& joint : target.joints) shared += source.Find(joint.name) >= 0;
  return 10 * shared >= 8 * std::min(source.joint_count(), target.joint_count());
}

// Matches a target chain of n joints with a source chain of m joints between the same ends: the i-th of n follows the
// point i m / n of the source, blending two joints. Point 0 is `base`, the source joint below the chain, or -1.
void MatchChain(const std::vector<int>& target, const std::vector<int>& source, int base, RetargetMap& map) {
  const double n = static_cast<double>(target.size()), m = static_cast<double>(source.size());
  if (source.empty()) return;
  for (size_t i = 0; i < target.size(); ++i) {
    const double point = static_cast<double>(i + 1) * m / n;
    const int whole = static_cast<int>(std::floor(point + 1e-9));
    const double part = point - whole;
    const auto joint = [&](int at) { return at == 0 ? base : source[at - 1]; };
    JointMatch& match = map.joints[target[i]];
    match.source = joint(whole);
    if (part > 1e-6 && match.source >= 0) match.second = joint(whole + 1), match.blend = part;
    if (match.source < 0) match.source = joint(whole + 1);
  }
}

void MatchByIdentity(const std::vector<JointIdentity>& source, const std::vector<JointIdentity>& target,
                     RetargetMap& map) {
  for (size_t t = 0; t < target.size(); ++t) {
    const JointKind kind = target[t].kind;
    if (kind == kUnknown || kind == kTip || kind == kTwist || kind == kRoot) continue;
    map.joints[t].source = FindJoint(source, kind, target[t].side, target[t].order);
  }
  const int pelvis = FindJoint(source, kPelvis);
  for (const JointKind kind : {kSpine, kTail})
    MatchChain(FindChain(target, kind), FindChain(source, kind), pelvis, map);
  const std::vector<int> spine = FindChain(source, kSpine);
  MatchChain(FindChain(target, kNeck), FindChain(source, kNeck), spine.empty() ? pelvis : spine.back(), map);
}

void AppendLine(std::string& out, const std::string& left, const std::string& right) {
  out += fmt::format("  {:<34} {}\n", left, right);
}

}  // namespace

RetargetMap GuessMap(const Skeleton& source, const Skeleton& target) {
  RetargetMap map;
  map.joints.resize(target.joints.size());
  if (ShareNames(source, target)) {
    for (int t = 0; t < target.joint_count(); ++t) map.joints[t].source = source.Find(target.joints[t].name);
  } else {
    MatchByIdentity(IdentifyJoints(source), IdentifyJoints(target), map);
  }
  return map;
}

void ApplyMapText(std::string_view text, const std::string& file, const Skeleton& source, const Skeleton& target,
                  RetargetMap& map) {
  const Json json = ParseJson(text, file);
  if (!json.is_object()) {
    throw InputError(file, "", "is not a JSON object", "write {\"joint of the character\": \"joint of the motion\"}");
  }
  for (const auto& [name, value] : json.items()) {
    const int t = target.Find(name);
    if (t < 0)
      throw InputError(file, fmt::format("\"{}\"", name), "is not a joint of the character", "correct the name");
    if (!value.is_string() && !value.is_null()) {
      throw InputError(file, fmt::format("\"{}\"", name), "is followed by neither a name nor null", "correct it");
    }
    const int s = value.is_null() ? -1 : source.Find(value.get<std::string>());
    if (s < 0 && !value.is_null()) {
      throw InputError(file, fmt::format("\"{}\": \"{}\"", name, value.get<std::string>()),
                       "names no joint of the motion", "correct the name");
    }
    map.joints[t] = {.source = s, .second = -1, .blend = 0, .by_hand = true};
  }
}

std::string DescribeMap(const RetargetMap& map, const Skeleton& source, const Skeleton& target) {
  const std::vector<JointIdentity> identities = IdentifyJoints(target);
  std::vector<bool> used(source.joints.size(), false);
  std::string out, alone, unused;
  for (int t = 0; t < target.joint_count(); ++t) {
    const JointMatch& match = map.joints[t];
    if (match.source < 0) {
      if (!target.joints[t].helper) alone += (alone.empty() ? "" : ", ") + target.joints[t].name;
      continue;
    }
    used[match.source] = true;
    std::string from = source.joints[match.source].name;
    if (match.second >= 0) {
      used[match.second] = true;
      from += fmt::format(", {:.0f}% of the way to {}", 100 * match.blend, source.joints[match.second].name);
    }
    const std::string known = CanonicalName(identities[t]);
    if (match.by_hand) from += "  (map file)";
    if (!match.by_hand && !known.empty() && known != target.joints[t].name) from += fmt::format("  ({})", known);
    AppendLine(out, target.joints[t].name, "<- " + from);
  }
  for (int s = 0; s < source.joint_count(); ++s) {
    if (!used[s] && !source.joints[s].helper) unused += (unused.empty() ? "" : ", ") + source.joints[s].name;
  }
  if (!alone.empty()) out += fmt::format("  joints of the character that nothing moves: {}\n", alone);
  if (!unused.empty()) out += fmt::format("  joints of the motion that move nothing: {}\n", unused);
  return out;
}

}  // namespace sinew::retarget
