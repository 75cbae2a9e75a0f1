#include "sinew/offline/poses/named_pose.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>

#include "sinew/offline/anatomy/find_joint.h"
#include "sinew/offline/core/error.h"

namespace sinew::poses {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr std::array<std::string_view, 3> kAngles = {"bend", "side", "twist"};

// One angle of one joint. angle: index into kAngles.
struct Term {
  int joint = -1;
  size_t angle = 0;
  double radians = 0;
};

[[noreturn]] void Refuse(std::string_view term, const std::string& problem) {
  throw UsageError(fmt::format("pose '{}': {}", term, problem));
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Finds the joint and the angle of "left_elbow" or "left_elbow.twist". Joints' own names may have dots, so all of the
// text is tried as a joint first.
void FindAngle(std::string_view name, std::string_view term, const Articulation& articulation, Term& out) {
  const std::vector<JointIdentity>& identities = articulation.body().identities;
  out.joint = FindNamedJoint(articulation.skeleton(), identities, name);
  if (out.joint >= 0) return;
  const size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  std::string_view joint = name;
  for (size_t i = 0; i < kAngles.size(); ++i) {
    if (last == kAngles[i]) out.angle = i, joint = name.substr(0, dot);
  }
  out.joint = FindNamedJoint(articulation.skeleton(), identities, joint);
  if (out.joint >= 0) return;
  const bool known =
      dot != std::string_view::npos && FindNamedJoint(articulation.skeleton(), identities, name.substr(0, dot)) >= 0;
  if (known) Refuse(term, fmt::format("'{}' is no angle of a joint; these are bend, side and twist", last));
  Refuse(term, UnknownJoint(articulation.skeleton(), identities, joint));
}

Term ParseTerm(std::string_view text, const Articulation& articulation) {
  const size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    Refuse(text, "has another form than JOINT=DEGREES, such as left_elbow=90 or left_shoulder.twist=-30");
  }
  Term term;
  FindAngle(Trimmed(text.substr(0, equals)), text, articulation, term);
  const std::string number(Trimmed(text.substr(equals + 1)));
  char* end = nullptr;
  const double degrees = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(std::abs(degrees) <= 180)) {
    Refuse(text, fmt::format("'{}' is no angle; give degrees from -180 to 180", number));
  }
  term.radians = degrees * kDegree;
  return term;
}

}  // namespace

Pose ParsePose(std::string_view text, const Articulation& articulation, const JointLimits& limits) {
  std::vector<SwingTwist> angles;
  for (const JointLimit& limit : limits) angles.push_back(ToSwingTwist(limit, Eigen::Quaterniond::Identity()));
  std::vector<Eigen::Quaterniond> deltas(limits.size(), Eigen::Quaterniond::Identity());
  std::set<std::pair<int, size_t>> named;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = Trimmed(text.substr(begin, end - begin));
    const Term term = ParseTerm(part, articulation);
    if (!named.emplace(term.joint, term.angle).second) Refuse(part, "gives the same angle a second time");
    SwingTwist& joint = angles[term.joint];
    *std::array{&joint.bend, &joint.side, &joint.twist}[term.angle] = term.radians;
    deltas[term.joint] = FromSwingTwist(limits[term.joint], joint);
    begin = end + 1;
  }
  return articulation.ToPose(deltas);
}

Clip ToClip(const Skeleton& skeleton, const std::string& name, const std::vector<NamedPose>& poses) {
  Clip clip;
  clip.skeleton = skeleton;
  clip.motion.name = name;
  clip.motion.joints = JointNames(skeleton);
  for (const NamedPose& named : poses) {
    clip.motion.frames.push_back(named.pose);
    clip.origins.push_back({.source = static_cast<int>(clip.sources.size()), .frame = 0});
    clip.sources.push_back({.kind = "named", .file = "", .clip = named.name});
  }
  return clip;
}

}  // namespace sinew::poses
