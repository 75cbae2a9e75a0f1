#include "sinew/offline/inspect/inspect_clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/inspect/report_text.h"
#include "sinew/offline/inspect/wording.h"

namespace sinew::inspect {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;
// Rotation from one frame to the next above which a joint counts as jumping, radians.
constexpr double kJump = 90 / kDegrees;

bool Same(const Transform& a, const Transform& b) {
  return ToEigen(a.translation) == ToEigen(b.translation) && ToEigen(a.scale) == ToEigen(b.scale) &&
         ToEigen(a.rotation).coeffs() == ToEigen(b.rotation).coeffs();
}

int CountNotFinite(const Transform& t) {
  const float values[] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                          t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
  return static_cast<int>(
      std::count_if(std::begin(values), std::end(values), [](float v) { return !std::isfinite(v); }));
}

void InspectFrames(const Motion& motion, ClipInspection& found) {
  for (const Pose& pose : motion.frames) {
    if (!pose.empty()) found.root_path.extend(ToEigen(pose[0].translation));
    for (const Transform& transform : pose) found.not_finite += CountNotFinite(transform);
  }
  for (size_t j = 0; j < motion.joints.size(); ++j) {
    bool moves = false;
    for (int f = 1; f < motion.frame_count(); ++f) {
      const Transform& before = motion.frames[f - 1][j];
      const Transform& after = motion.frames[f][j];
      moves = moves || !Same(before, after);
      const double step =
          ToEigen(before.rotation).cast<double>().angularDistance(ToEigen(after.rotation).cast<double>());
      if (motion.frames_per_second > 0 && step > found.largest_step) {
        found.largest_step = step;
        found.largest_step_joint = motion.joints[j];
        found.largest_step_frame = f;
      }
    }
    found.moving += moves;
  }
}

Findings ClipFindings(const ClipInspection& found, const std::vector<std::string>& read_warnings) {
  Findings findings;
  const std::string where = found.name.empty() ? "motion" : found.name;
  for (const std::string& warning : read_warnings) {
    findings.push_back(
        {Severity::kWarning, "read", "file", warning, "it was read so; export it again if that is wrong"});
  }
  if (found.frames == 0) {
    findings.push_back({Severity::kError, "no-frames", where, "has no frames", "export it with its motion"});
  }
  if (found.not_finite > 0) {
    findings.push_back({Severity::kError, "not-finite", where,
                        fmt::format("{} not finite", Are(found.not_finite, "number")), "make it again"});
  }
  if (found.largest_step > kJump) {
    findings.push_back({Severity::kWarning, "jump", found.largest_step_joint,
                        fmt::format("turns by {:.0f} degrees from frame {} to {}", found.largest_step * kDegrees,
                                    found.largest_step_frame - 1, found.largest_step_frame),
                        "look whether the motion is cut or an angle flips there"});
  }
  if (found.frames > 1 && found.moving == 0) {
    findings.push_back({Severity::kNote, "still", where, "never moves", "it is one pose; keep one frame"});
  }
  if (2 * found.named < found.joints) {
    findings.push_back({Severity::kNote, "unknown-names", where,
                        fmt::format("{} of {} known by their names", found.named, Are(found.joints, "joint")),
                        "retargeting will need a map file"});
  }
  SortFindings(findings);
  return findings;
}

}  // namespace

ClipInspection InspectClip(const Clip& clip, const std::vector<std::string>& read_warnings) {
  ClipInspection found;
  found.name = clip.motion.name;
  found.frames = clip.motion.frame_count();
  found.frames_per_second = clip.motion.frames_per_second;
  if (found.frames > 1 && found.frames_per_second > 0) found.duration = (found.frames - 1) / found.frames_per_second;
  const std::vector<JointIdentity> identities = IdentifyJoints(clip.skeleton);
  for (int j = 0; j < clip.skeleton.joint_count(); ++j) {
    if (clip.skeleton.joints[j].helper) continue;
    ++found.joints;
    found.named += identities[j].known();
  }
  InspectFrames(clip.motion, found);
  found.findings = ClipFindings(found, read_warnings);
  return found;
}

Json ToJson(const ClipInspection& found) {
  Json json = {{"kind", found.frames_per_second > 0 ? "motion" : "poses"},
               {"name", found.name},
               {"frames", found.frames},
               {"frames_per_second", found.frames_per_second},
               {"duration", found.duration},
               {"joints", found.joints},
               {"named_joints", found.named},
               {"moving_joints", found.moving},
               {"not_finite", found.not_finite}};
  if (found.root_path.isEmpty()) {
    json["root_path"] = nullptr;
  } else {
    const Eigen::Vector3f low = found.root_path.min(), high = found.root_path.max();
    json["root_path"] = {{"min", {low.x(), low.y(), low.z()}}, {"max", {high.x(), high.y(), high.z()}}};
  }
  json["largest_step"] = {{"degrees", found.largest_step * kDegrees},
                          {"joint", found.largest_step_joint},
                          {"frame", found.largest_step_frame}};
  json["findings"] = FindingsJson(found.findings);
  return json;
}

std::string ToText(const ClipInspection& found) {
  const bool motion = found.frames_per_second > 0;
  std::string out = fmt::format("{} {}\n", motion ? "Motion" : "Poses", found.name);
  out += FactLine("frames", motion ? fmt::format("{}, {:.4g} a second, {:.3g} seconds", Grouped(found.frames),
                                                 found.frames_per_second, found.duration)
                                   : Grouped(found.frames));
  out += FactLine("skeleton", fmt::format("{}, {} known by name, {} moving", Counted(found.joints, "joint"),
                                          found.named, found.moving));
  if (!found.root_path.isEmpty()) {
    const Eigen::Vector3f low = found.root_path.min(), high = found.root_path.max();
    out += FactLine("root", fmt::format("from ({:.4g} {:.4g} {:.4g}) to ({:.4g} {:.4g} {:.4g})", low.x(), low.y(),
                                        low.z(), high.x(), high.y(), high.z()));
  }
  if (found.largest_step > 0) {
    out += FactLine("fastest", fmt::format("{} turns by {:.1f} degrees at frame {}", found.largest_step_joint,
                                           found.largest_step * kDegrees, found.largest_step_frame));
  }
  return out + FindingsText(found.findings);
}

}  // namespace sinew::inspect
