// What the page asks of the offline side: motions from files that are dropped on it, carried over to the character's
// skeleton, poses as files, and joint limits. The readers and the retargeting are the command line's own; a module of
// its own, because unlike the runtime it has a heap and exceptions.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/read_below.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/retarget/correct_motion.h"
#include "sinew/offline/retarget/retarget.h"

#define PAGE_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace sinew {
namespace {

std::vector<std::string> warnings;

// A skeleton as a bundle has it.
struct PageSkeleton {
  Skeleton skeleton;
  JointLimits limits;  // one a joint
  bool has_limits = false;
  std::unique_ptr<Articulation> articulation;  // of the skeleton

  Pose ToPose(const Transform* transforms) const { return {transforms, transforms + skeleton.joints.size()}; }
};

// Text for the page, and the numbers that it speaks of.
struct Answer {
  std::string text;           // JSON
  std::vector<float> floats;  // poses: ten floats a joint
};

constexpr float kAnimationRate = 30;  // at which animations are sampled: they have none of their own

std::vector<Clip> ReadAny(std::span<const std::byte> bytes, const std::string& file) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with("glTF") && text.substr(0, text.find('{')).find("HIERARCHY") != std::string_view::npos) {
    return {ParseBvh(text, file)};
  }
  if (!text.starts_with("glTF")) {
    throw InputError(file, "", "is neither a BVH file nor a GLB", "drop a .bvh, a .glb or a .sinew file");
  }
  const Character character = gltf::ReadGltf(bytes, file, "", {.skin = "", .quiet = true});
  std::vector<Clip> clips;
  for (const Animation& animation : character.animations) {
    Clip clip;
    clip.skeleton = character.skeleton;
    clip.motion = SampleAnimation(character.skeleton, animation, kAnimationRate);
    clips.push_back(std::move(clip));
  }
  return clips;
}

void Store(const Clip& clip, std::vector<float>& floats) {
  for (const Pose& pose : clip.motion.frames) {
    const size_t first = floats.size();
    floats.resize(first + pose.size() * sizeof(Transform) / sizeof(float));
    std::memcpy(floats.data() + first, pose.data(), pose.size() * sizeof(Transform));
  }
}

Answer Motions(const PageSkeleton& target, std::span<const std::byte> bytes, const std::string& file, bool in_place) {
  Answer answer;
  Json clips = Json::array();
  std::vector<Clip> read = ReadAny(bytes, file);
  for (Clip& clip : read) {
    if (clip.motion.frame_count() == 0) continue;
    clip.sources = {{.kind = "motion", .file = file}};
    const retarget::RetargetMap map = retarget::GuessMap(clip.skeleton, target.skeleton);
    int matched = 0;
    for (const retarget::JointMatch& match : map.joints) matched += match.source >= 0 ? 1 : 0;
    if (matched == 0) {
      throw InputError(file, "", "moves no joint that this character has",
                       "drop a motion whose joints are named as this character's, or in a usual way");
    }
    Clip carried = retarget::Retarget(clip, target.skeleton, map, {.in_place = in_place});
    // As the command line does, whose limits are known.
    if (target.has_limits) {
      retarget::CorrectMotion(*target.articulation, target.limits, carried.sources[0].retargeted, carried);
    }
    clips.push_back({{"name", clip.motion.name},
                     {"rate", clip.motion.frames_per_second},
                     {"frames", carried.motion.frame_count()},
                     {"first", answer.floats.size()},
                     {"carried", carried.sources[0].retargeted},
                     {"matched", matched}});
    Store(carried, answer.floats);
  }
  if (clips.empty()) {
    throw InputError(file, "", "holds no motion",
                     "export it with its animation; 'sinew build' makes a character of a mesh");
  }
  answer.text = JsonText(Json{{"clips", clips}, {"warnings", warnings}});
  return answer;
}

// One pose as a motion of one frame. Programs divide by the time of a frame, so it has one.
Answer PoseFile(const PageSkeleton& of, const Transform* pose) {
  Clip clip;
  clip.skeleton = of.skeleton;
  clip.motion.frames_per_second = kAnimationRate;
  clip.motion.frames = {of.ToPose(pose)};
  const std::string text = FormatBvh(clip);
  return {JsonText(Json{{"bvh", text}, {"warnings", warnings}}), {}};
}

// What went wrong as the page gets it.
Answer Problem(const std::string& sentence) { return {JsonText(Json{{"problem", sentence}}), {}}; }

template <typename Make>
Answer* Answered(const Make& make) {
  warnings.clear();
  try {
    return new Answer(make());
  } catch (const std::bad_alloc&) {
    return new Answer(Problem("there is not enough memory for this file"));
  } catch (const std::exception& error) {
    return new Answer(Problem(error.what()));
  }
}

}  // namespace

// The page collects warnings instead of printing them.
void LogInfo(const std::string&) {}
void LogWarning(const std::string& message) { warnings.push_back(message); }
// There are no files beside the one that was dropped.
Bytes ReadFile(const std::filesystem::path& path) {
  throw InputError(path.filename().string(), "", "lies in a file of its own", "drop a .glb, which is one file");
}
Bytes ReadFileBelow(const std::filesystem::path&, const std::filesystem::path& relative) { return ReadFile(relative); }

PAGE_EXPORT(allocate) void* Allocate(uint32_t bytes) { return std::malloc(bytes); }
PAGE_EXPORT(release) void Release(void* memory) { std::free(memory); }

PAGE_EXPORT(answerText) const char* AnswerText(const Answer* answer) { return answer->text.data(); }
PAGE_EXPORT(answerTextBytes) uint32_t AnswerTextBytes(const Answer* answer) {
  return static_cast<uint32_t>(answer->text.size());
}
PAGE_EXPORT(answerFloats) const float* AnswerFloats(const Answer* answer) { return answer->floats.data(); }
PAGE_EXPORT(answerFloatCount) uint32_t AnswerFloatCount(const Answer* answer) {
  return static_cast<uint32_t>(answer->floats.size());
}
PAGE_EXPORT(releaseAnswer) void ReleaseAnswer(Answer* answer) { delete answer; }

// names: zero-terminated, one after another. parents: earlier joints or negative. rests: one a joint. limits: JSON of a
// bundle's joint limits (docs/formats/limits.md), may be empty. Returns an Answer: {"skeleton": address}.
PAGE_EXPORT(openSkeleton)
Answer* OpenSkeleton(int32_t joints, const char* names, const int32_t* parents, const Transform* rests,
                     const char* limits, uint32_t limits_bytes) {
  return Answered([&]() -> Answer {
    auto made = std::make_unique<PageSkeleton>();
    for (int32_t j = 0; j < joints; ++j) {
      Joint joint{.name = names, .parent = parents[j], .rest = rests[j]};
      names += joint.name.size() + 1;
      made->skeleton.joints.push_back(std::move(joint));
    }
    made->articulation = std::make_unique<Articulation>(made->skeleton);
    JointLimit none;
    made->limits.assign(joints, none);
    if (limits_bytes > 0) {
      ApplyLimitsText(std::string_view(limits, limits_bytes), "the bundle", made->skeleton, made->limits);
      made->has_limits = true;
    }
    const auto address = reinterpret_cast<uintptr_t>(made.release());
    return {JsonText(Json{{"skeleton", address}}), {}};
  });
}
PAGE_EXPORT(closeSkeleton) void CloseSkeleton(PageSkeleton* skeleton) { delete skeleton; }

// The motions of a file for this skeleton: {"clips": [{name, rate, frames, first, carried, matched}], "warnings":
// [...]}, `first` being where a clip begins in the floats and `carried` whether it was another skeleton's; or
// {"problem": "a sentence"}.
PAGE_EXPORT(readMotions)
Answer* ReadMotions(const PageSkeleton* skeleton, const std::byte* bytes, uint32_t size, const char* file,
                    int32_t in_place) {
  return Answered([&] { return Motions(*skeleton, {bytes, size}, file, in_place != 0); });
}

// A pose as a file of its own: {"bvh": "the file's text", "warnings": [...]}.
PAGE_EXPORT(writePose) Answer* WritePose(const PageSkeleton* skeleton, const Transform* pose) {
  return Answered([&] { return PoseFile(*skeleton, pose); });
}

// The joint that anatomy hangs this one from, negative for none: nearly always its parent, but not in files that keep
// all joints of a hand side by side.
PAGE_EXPORT(jointAbove) int32_t JointAbove(const PageSkeleton* skeleton, int32_t joint) {
  return skeleton->articulation->body().parents[joint];
}

// Out: least and largest bend, side and twist in radians. Returns 0 for a joint that cannot turn, 2 for one that places
// the whole body, else 1.
PAGE_EXPORT(jointRange) int32_t JointRange(const PageSkeleton* skeleton, int32_t joint, double* range) {
  const JointLimit& limit = skeleton->limits[joint];
  const AngleRange ranges[3] = {limit.bend, limit.side, limit.twist};
  for (int k = 0; k < 3; ++k) {
    range[2 * k] = ranges[k].min;
    range[2 * k + 1] = ranges[k].max;
  }
  return limit.free ? 2 : limit.fixed() ? 0 : 1;
}

// A joint's bend, side and twist in a pose, and a pose with the joint turned to such angles, brought inside its limits.
PAGE_EXPORT(jointAngles)
void JointAngles(const PageSkeleton* skeleton, int32_t joint, const Transform* pose, double* angles) {
  const SwingTwist at =
      ToSwingTwist(skeleton->limits[joint], skeleton->articulation->Deltas(skeleton->ToPose(pose))[joint]);
  angles[0] = at.bend;
  angles[1] = at.side;
  angles[2] = at.twist;
}
PAGE_EXPORT(turnJoint)
void TurnJoint(const PageSkeleton* skeleton, int32_t joint, double bend, double side, double twist, Transform* pose) {
  const JointLimit& limit = skeleton->limits[joint];
  const SwingTwist inside = Clamp(limit, {.bend = bend, .side = side, .twist = twist});
  const Pose before = skeleton->ToPose(pose);
  std::vector<Eigen::Quaterniond> deltas = skeleton->articulation->Deltas(before);
  std::vector<bool> turned(deltas.size(), false);
  deltas[joint] = FromSwingTwist(limit, inside);
  turned[joint] = true;
  const Pose after = skeleton->articulation->WithDeltas(before, deltas, turned);
  std::copy(after.begin(), after.end(), pose);
}

}  // namespace sinew
