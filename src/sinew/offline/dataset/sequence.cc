#include "sinew/offline/dataset/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "sinew/offline/core/error.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/dataset/pose_array.h"
#include "sinew/offline/io/clips.h"

namespace sinew::dataset {
namespace {

// Rate at which animations are sampled: they are curves and have no frames.
constexpr float kFramesPerSecond = 30;

DatasetMotion ToMotion(const ClipSource& source, const Clip& clip) {
  const bool samples = source.kind == "limits", timed = !samples && source.kind != "named";
  std::string name = source.clip.empty() ? clip.motion.name : source.clip;
  return {.name = std::move(name),
          .file = source.file,
          .timed = timed,
          .seed = samples ? source.seed : 0,
          .rate = !timed ? 0 : clip.motion.frames_per_second};
}

int FindOrAdd(std::vector<DatasetMotion>& motions, const DatasetMotion& motion) {
  const auto found = std::find(motions.begin(), motions.end(), motion);
  if (found != motions.end()) return static_cast<int>(found - motions.begin());
  motions.push_back(motion);
  return static_cast<int>(motions.size()) - 1;
}

void CheckPose(const Pose& pose, const std::string& file, int frame, const Skeleton& skeleton) {
  std::vector<float> values;
  AppendPose(pose, values);
  const int bad = FindBadJoint(values);
  if (bad < 0) return;
  throw InputError(file, fmt::format("frame {}, joint \"{}\"", frame, skeleton.joints[bad].name),
                   "is no pose: a number is not finite, or the rotation is not of length 1", "write the poses again");
}

int ParseBound(std::string_view text, int otherwise, const std::string& whole) {
  if (text.empty()) return otherwise;
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    throw UsageError(fmt::format("--frames {}: is not two whole numbers with ':' between, such as 0:100", whole));
  }
  return value;
}

}  // namespace

PoseSequence MakePoseSequence(const std::vector<Clip>& clips, const std::vector<std::string>& names,
                              const Skeleton& skeleton) {
  PoseSequence sequence;
  for (size_t c = 0; c < clips.size(); ++c) {
    const Clip& clip = clips[c];
    const std::vector<Pose> poses = PosesFor(skeleton, clip, names[c]);
    for (int f = 0; f < static_cast<int>(poses.size()); ++f) {
      CheckPose(poses[f], names[c], f, skeleton);
      const bool known = !clip.origins.empty() && !clip.sources.empty();
      const FrameOrigin origin = known ? clip.origins[f] : FrameOrigin{0, f};
      const DatasetMotion motion =
          known ? ToMotion(clip.sources[origin.source], clip)
                : DatasetMotion{clip.motion.name, std::filesystem::path(names[c]).filename().string(), true, 0,
                                clip.motion.frames_per_second};
      DatasetFrame frame;
      frame.index = sequence.frame_count();
      frame.motion = FindOrAdd(sequence.motions, motion);
      frame.motion_frame = origin.frame;
      sequence.frames.push_back(frame);
      sequence.poses.push_back(poses[f]);
    }
    const std::string name = std::filesystem::path(names[c]).filename().string();
    if (c == 0 || names[c] != names[c - 1]) sequence.entry.name += (c > 0 ? ", " : "") + name;
  }
  sequence.entry.frames = sequence.frame_count();
  sequence.entry.hash = HashPoses(sequence.poses);
  return sequence;
}

PoseSequence ReadPoseSequence(const std::vector<std::string>& where, const Skeleton& skeleton) {
  std::vector<Clip> clips;
  std::vector<std::string> names;
  for (const std::string& path : where) {
    for (Clip& clip : ReadClips(path, kFramesPerSecond)) {
      clips.push_back(std::move(clip));
      names.push_back(path);
    }
  }
  PoseSequence sequence = MakePoseSequence(clips, names, skeleton);
  if (sequence.poses.empty()) throw InputError(where[0], "", "has no poses", "name a file with poses");
  return sequence;
}

std::vector<FrameRange> ClipsOf(const PoseSequence& sequence) {
  std::vector<FrameRange> clips;
  // Frames of a motion at a higher rate than its file's have the number of the nearest frame there, several the same.
  const auto follows = [&](const DatasetFrame& before, const DatasetFrame& after) {
    const int step = after.motion_frame - before.motion_frame;
    return before.motion == after.motion && (step > 0 || (step == 0 && sequence.motions[after.motion].rate > 0));
  };
  for (int i = 0; i < sequence.frame_count(); ++i) {
    const bool goes_on = i > 0 && follows(sequence.frames[i - 1], sequence.frames[i]);
    if (!goes_on) clips.push_back({i, i});
    clips.back().end = i + 1;
  }
  return clips;
}

std::vector<FrameRange> SplitWork(const PoseSequence& sequence, const FrameRange& range, int frames, bool whole_clips) {
  std::vector<FrameRange> parts;
  const auto add = [&](int begin, int end) {
    const bool fits = !parts.empty() && end - parts.back().begin <= frames;
    if (!fits) parts.push_back({begin, begin});
    parts.back().end = end;
  };
  for (const FrameRange& clip : ClipsOf(sequence)) {
    const int begin = std::max(clip.begin, range.begin), end = std::min(clip.end, range.end);
    if (begin >= end) continue;
    if (whole_clips) add(begin, end);
    for (int i = begin; i < end && !whole_clips; ++i) add(i, i + 1);
  }
  return parts;
}

FrameRange ParseFrameRange(const std::string& text, int frame_count) {
  if (text.empty()) return {0, frame_count};
  const size_t colon = text.find(':');
  if (colon == std::string::npos) ParseBound(":", 0, text);
  const std::string_view view = text;
  FrameRange range{ParseBound(view.substr(0, colon), 0, text), ParseBound(view.substr(colon + 1), frame_count, text)};
  range.end = std::min(range.end, frame_count);
  if (range.begin >= range.end) {
    throw UsageError(fmt::format("--frames {}: names no frame; there are {}, from 0", text, frame_count));
  }
  return range;
}

}  // namespace sinew::dataset
