#include "sinew/offline/io/poses.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/io/npy.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
constexpr const char* kFormat = "sinew-poses";
constexpr int kVersion = 1;
constexpr const char* kManifest = "poses.json";
constexpr size_t kMaxJoints = 65535;
constexpr int64_t kMaxFrames = 100'000'000;
constexpr const char* kRemedy = "write the pose file again";

bool Same(const runtime::Float3& a, const runtime::Float3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Gathers one array: `width` numbers per joint, of all joints of all frames.
template <typename Get>
NpyArray Gather(const Clip& clip, int width, const Get& get) {
  std::vector<float> values;
  values.reserve(clip.motion.frames.size() * clip.skeleton.joints.size() * width);
  for (const Pose& pose : clip.motion.frames) {
    for (const Transform& transform : pose) {
      const auto v = get(transform);
      values.insert(values.end(), v.begin(), v.end());
    }
  }
  return MakeNpy(values, {clip.motion.frame_count(), clip.skeleton.joint_count(), width});
}

template <typename Differs>
bool AnyFrame(const Clip& clip, const Differs& differs) {
  for (const Pose& pose : clip.motion.frames) {
    for (size_t j = 0; j < pose.size(); ++j) {
      if (differs(pose[j], clip.skeleton.joints[j].rest)) return true;
    }
  }
  return false;
}

Json JointToJson(const Joint& joint) {
  const auto& [t, r, s] = joint.rest;
  Json json = {{"name", joint.name}, {"parent", joint.parent}};
  json["translation"] = {t.x, t.y, t.z};
  json["rotation"] = {r.x, r.y, r.z, r.w};
  json["scale"] = {s.x, s.y, s.z};
  if (joint.helper) json["helper"] = true;
  return json;
}

Json SourceToJson(const ClipSource& source) {
  Json json = {{"kind", source.kind}};
  if (!source.file.empty()) json["file"] = source.file;
  if (!source.clip.empty()) json["clip"] = source.clip;
  if (source.kind == "limits") json["seed"] = source.seed;
  if (source.kind == "motion") json["retargeted"] = source.retargeted;
  if (source.clearance) {
    json["clearance"] = {{"tolerance", source.clearance->tolerance},
                         {"corrected", source.clearance->corrected},
                         {"rejected", source.clearance->rejected},
                         {"left", source.clearance->left}};
  }
  return json;
}

// Runs of consecutive frames of one source: [source, first frame there, number of frames].
Json OriginsToJson(const std::vector<FrameOrigin>& origins) {
  Json runs = Json::array();
  for (size_t i = 0; i < origins.size();) {
    size_t end = i + 1;
    while (end < origins.size() && origins[end].source == origins[i].source &&
           origins[end].frame == origins[i].frame + static_cast<int>(end - i)) {
      ++end;
    }
    runs.push_back({origins[i].source, origins[i].frame, end - i});
    i = end;
  }
  return runs;
}

Json ManifestJson(const Clip& clip) {
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"name", clip.motion.name},
               {"frames", clip.motion.frame_count()},
               {"frames_per_second", clip.motion.frames_per_second},
               {"joints", Json::array()},
               {"sources", Json::array()},
               {"origins", OriginsToJson(clip.origins)},
               {"arrays", Json::object()}};
  for (const Joint& joint : clip.skeleton.joints) json["joints"].push_back(JointToJson(joint));
  for (const ClipSource& source : clip.sources) json["sources"].push_back(SourceToJson(source));
  return json;
}

void Fill(const fs::path& folder, const Clip& clip) {
  Json json = ManifestJson(clip);
  const auto add = [&](const char* name, const NpyArray& array) {
    const Bytes bytes = FormatNpy(array);
    const std::string file = std::string(name) + ".npy";
    WriteFileAtomic(folder / file, bytes);
    json["arrays"][name] = {{"file", file}, {"hash", HashHex(bytes)}};
  };
  const auto three = [](const runtime::Float3& v) { return std::array{v.x, v.y, v.z}; };
  add("rotation", Gather(clip, 4, [](const Transform& t) {
        return std::array{t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
      }));
  if (AnyFrame(clip, [](const auto& a, const auto& b) { return !Same(a.translation, b.translation); })) {
    add("translation", Gather(clip, 3, [&](const Transform& t) { return three(t.translation); }));
  }
  if (AnyFrame(clip, [](const auto& a, const auto& b) { return !Same(a.scale, b.scale); })) {
    add("scale", Gather(clip, 3, [&](const Transform& t) { return three(t.scale); }));
  }
  WriteFileAtomic(folder / kManifest, JsonText(json, 2) + "\n");
}

float Norm(const std::array<float, 4>& q) { return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]); }

Joint JointFromJson(const JsonFields& fields, int index) {
  Joint joint;
  joint.name = fields.String("name");
  if (joint.name.empty()) fields.Fail("has no name");
  joint.parent = static_cast<int>(fields.Integer("parent", -1, index - 1));
  const auto t = fields.Numbers<3>("translation");
  const auto r = fields.Numbers<4>("rotation");
  const auto s = fields.Numbers<3>("scale");
  if (!(std::abs(Norm(r) - 1) < 1e-3f)) fields.Fail("\"rotation\" is not a unit quaternion");
  joint.rest = {{t[0], t[1], t[2]}, {r[0], r[1], r[2], r[3]}, {s[0], s[1], s[2]}};
  joint.helper = fields.OptionalBool("helper");
  return joint;
}

Skeleton SkeletonFromJson(const JsonFields& manifest, const std::string& file) {
  Skeleton skeleton;
  std::unordered_set<std::string> names;
  const Json& joints = manifest.List("joints");
  if (joints.empty() || joints.size() > kMaxJoints) manifest.Fail(fmt::format("names {} joints", joints.size()));
  for (size_t j = 0; j < joints.size(); ++j) {
    const JsonFields fields(joints[j], file, fmt::format("joint {}", j), kRemedy);
    skeleton.joints.push_back(JointFromJson(fields, static_cast<int>(j)));
    if (!names.insert(skeleton.joints.back().name).second) fields.Fail("has the name of an earlier joint");
  }
  return skeleton;
}

ClipClearance ClearanceFromJson(const JsonFields& fields) {
  const auto count = [&](const char* name) { return static_cast<int>(fields.Integer(name, 0, 20 * kMaxFrames)); };
  return {.tolerance = fields.Number("tolerance"),
          .corrected = count("corrected"),
          .rejected = count("rejected"),
          .left = count("left")};
}

ClipSource SourceFromJson(const JsonFields& fields, const std::string& file) {
  ClipSource source;
  source.kind = fields.String("kind");
  source.file = fields.OptionalString("file");
  source.clip = fields.OptionalString("clip");
  source.retargeted = fields.OptionalBool("retargeted");
  if (fields.Has("seed")) {
    if (!fields.At("seed").is_number_unsigned()) fields.Fail("\"seed\" is not a whole number");
    source.seed = fields.At("seed").get<uint64_t>();
  }
  if (fields.Has("clearance")) {
    source.clearance = ClearanceFromJson(JsonFields(fields.At("clearance"), file, "clearance", kRemedy));
  }
  return source;
}

void OriginsFromJson(const JsonFields& manifest, int64_t frames, Clip& clip) {
  for (const Json& run : manifest.List("origins")) {
    if (!run.is_array() || run.size() != 3)
      manifest.Fail("\"origins\" holds something other than [source, first, count]");
    const auto sources = static_cast<int64_t>(clip.sources.size());
    const auto source = static_cast<int>(manifest.Integer(run[0], "origins", 0, sources - 1));
    const auto first = static_cast<int>(manifest.Integer(run[1], "origins", 0, kMaxFrames));
    const auto left = frames - static_cast<int64_t>(clip.origins.size());
    const auto count = static_cast<int>(manifest.Integer(run[2], "origins", 1, left));
    for (int i = 0; i < count; ++i) clip.origins.push_back({source, first + i});
  }
  if (!clip.origins.empty() && static_cast<int64_t>(clip.origins.size()) != frames) {
    manifest.Fail("\"origins\" does not cover every frame");
  }
}

PoseManifest::Array ArrayFromJson(const JsonFields& manifest, const char* name, const std::string& file,
                                  bool required) {
  const JsonFields arrays(manifest.At("arrays"), file, "arrays", kRemedy);
  if (!arrays.Has(name) && !required) return {};
  const JsonFields fields(arrays.At(name), file, fmt::format("array {}", name), kRemedy);
  PoseManifest::Array array{fields.String("file"), fields.String("hash")};
  const bool plain = !array.file.empty() && array.file.find('/') == std::string::npos && array.file[0] != '.';
  if (!plain) fields.Fail("\"file\" is not a plain file name");
  return array;
}

// Reads one array and checks its hash, shape and numbers.
std::vector<float> ReadArray(const fs::path& folder, const PoseManifest& manifest, const PoseManifest::Array& array,
                             int width) {
  const fs::path path = folder / array.file;
  const Bytes bytes = ReadFile(path);
  if (HashHex(bytes) != array.hash) {
    throw InputError(path.string(), "", "is not the array that poses.json describes: the checksum differs", kRemedy);
  }
  const NpyArray npy = ParseNpy(bytes, path.string());
  const std::vector<int64_t> shape = {manifest.frames, manifest.clip.skeleton.joint_count(), width};
  if (npy.type != NpyType::kFloat || npy.shape != shape) {
    throw InputError(path.string(), "",
                     fmt::format("is not a float32 array of {} x {} x {}", shape[0], shape[1], width), kRemedy);
  }
  std::vector<float> values = npy.ToFloats();
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw InputError(path.string(), fmt::format("frame {}", i / (shape[1] * width)),
                     "holds a number that is not finite", kRemedy);
  }
  return values;
}

void SetRotations(const fs::path& path, const std::vector<float>& values, std::vector<Pose>& frames) {
  const float* at = values.data();
  for (size_t f = 0; f < frames.size(); ++f) {
    for (Transform& transform : frames[f]) {
      const float norm = Norm({at[0], at[1], at[2], at[3]});
      if (!(std::abs(norm - 1) < 1e-3f)) {
        throw InputError(path.string(), fmt::format("rotations of frame {}", f), "are not all unit quaternions",
                         kRemedy);
      }
      // Quaternions that we wrote are unit already, and keep their bits.
      const float scale = std::abs(norm - 1) < 1e-6f ? 1 : 1 / norm;
      transform.rotation = {at[0] * scale, at[1] * scale, at[2] * scale, at[3] * scale};
      at += 4;
    }
  }
}

template <typename Set>
void SetVectors(const std::vector<float>& values, std::vector<Pose>& frames, const Set& set) {
  const float* at = values.data();
  for (Pose& pose : frames) {
    for (Transform& transform : pose) set(transform, runtime::Float3{at[0], at[1], at[2]}), at += 3;
  }
}

bool IsFinite(const runtime::Float3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

// Throws FailedError for what ReadPoses() would refuse: a motion of extreme numbers may come to nothing on the way
// here.
void RefuseUnlessReadable(const fs::path& path, const Clip& clip) {
  const auto check = [&](const Transform& transform, size_t joint, int frame) {
    const auto& [t, r, s] = transform;
    if (IsFinite(t) && IsFinite(s) && std::abs(Norm({r.x, r.y, r.z, r.w}) - 1) < 1e-3f) return;
    throw FailedError(fmt::format(
        "{}: cannot be written: joint \"{}\" {} is no pose of finite numbers; check the character and "
        "its motion for extreme ones",
        path.string(), clip.skeleton.joints[joint].name, frame < 0 ? "at rest" : fmt::format("in frame {}", frame)));
  };
  for (size_t j = 0; j < clip.skeleton.joints.size(); ++j) check(clip.skeleton.joints[j].rest, j, -1);
  for (size_t f = 0; f < clip.motion.frames.size(); ++f) {
    const Pose& pose = clip.motion.frames[f];
    for (size_t j = 0; j < pose.size(); ++j) check(pose[j], j, static_cast<int>(f));
  }
}

}  // namespace

bool IsPoseFile(const fs::path& path) { return fs::is_directory(path) && fs::is_regular_file(path / kManifest); }

void WritePoses(const fs::path& path, const Clip& clip) {
  RefuseUnlessReadable(path, clip);
  WriteFolderAtomic(path, IsPoseFile, [&](const fs::path& folder) { Fill(folder, clip); });
}

PoseManifest ParsePoseManifest(std::string_view text, const std::string& file) {
  const Json json = ParseJson(text, file);
  const JsonFields fields(json, file, "", kRemedy);
  if (!fields.Has("format") || fields.At("format") != kFormat) fields.Fail("is not a pose manifest");
  fields.Integer("version", kVersion, kVersion);
  PoseManifest manifest;
  manifest.clip.skeleton = SkeletonFromJson(fields, file);
  manifest.clip.motion.name = fields.String("name");
  manifest.clip.motion.joints = JointNames(manifest.clip.skeleton);
  manifest.clip.motion.frames_per_second = fields.Number("frames_per_second");
  if (manifest.clip.motion.frames_per_second < 0) fields.Fail("\"frames_per_second\" is negative");
  manifest.frames = static_cast<int>(fields.Integer("frames", 0, kMaxFrames));
  for (const Json& source : fields.List("sources")) {
    manifest.clip.sources.push_back(SourceFromJson(JsonFields(source, file, "sources", kRemedy), file));
  }
  manifest.rotation = ArrayFromJson(fields, "rotation", file, true);
  manifest.translation = ArrayFromJson(fields, "translation", file, false);
  manifest.scale = ArrayFromJson(fields, "scale", file, false);
  return manifest;
}

Clip ReadPoses(const fs::path& path) {
  const fs::path manifest_path = path / kManifest;
  const std::string text = ReadTextFile(manifest_path);
  PoseManifest manifest = ParsePoseManifest(text, manifest_path.string());
  // Check the number of frames against the array's real size before anything of that size is allocated.
  const std::vector<float> rotations = ReadArray(path, manifest, manifest.rotation, 4);
  const Json json = ParseJson(text, manifest_path.string());
  OriginsFromJson(JsonFields(json, manifest_path.string(), "origins", kRemedy), manifest.frames, manifest.clip);
  std::vector<Pose>& frames = manifest.clip.motion.frames;
  frames.assign(manifest.frames, manifest.clip.skeleton.RestPose());
  SetRotations(path, rotations, frames);
  if (!manifest.translation.file.empty()) {
    SetVectors(ReadArray(path, manifest, manifest.translation, 3), frames,
               [](Transform& t, const runtime::Float3& v) { t.translation = v; });
  }
  if (!manifest.scale.file.empty()) {
    SetVectors(ReadArray(path, manifest, manifest.scale, 3), frames,
               [](Transform& t, const runtime::Float3& v) { t.scale = v; });
  }
  return std::move(manifest.clip);
}

}  // namespace sinew
