#include "sinew/offline/dataset/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::dataset {
namespace {

constexpr const char* kFormat = "sinew-dataset";
constexpr int kVersion = 1;
constexpr const char* kRemedy = "copy the dataset again, or make it again";
constexpr int kMaxCount = 100'000'000;
constexpr int kMaxJoints = 65535;
constexpr int kMaxChunkFrames = 4096;

bool IsHash(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Whether a path stays inside its folder: names of letters, digits, '_', '-' and '.', none beginning with '.'.
bool StaysInside(const std::string& path) {
  bool start = true;
  for (const char c : path) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!plain && (start || (c != '.' && c != '/'))) return false;
    start = c == '/';
  }
  return !start;
}

bool IsArrayName(const std::string& name) {
  return !name.empty() && name.size() <= 64 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

std::string HashField(const JsonFields& fields) {
  std::string hash = fields.String("hash");
  if (!IsHash(hash)) fields.Fail("\"hash\" is not 32 hexadecimal digits");
  return hash;
}

std::string FileField(const JsonFields& fields) {
  std::string file = fields.String("file");
  if (!StaysInside(file)) fields.Fail("\"file\" is not a plain path inside the dataset");
  return file;
}

int Count(const JsonFields& fields, const char* key, int64_t low, int64_t high = kMaxCount) {
  return static_cast<int>(fields.Integer(key, low, high));
}

DatasetCharacter CharacterFromJson(const JsonFields& fields) {
  return {fields.String("name"), FileField(fields), HashField(fields), Count(fields, "vertices", 1),
          Count(fields, "joints", 1, kMaxJoints)};
}

DatasetMotion MotionFromJson(const JsonFields& fields) {
  DatasetMotion motion{fields.String("name"), fields.OptionalString("file"), fields.OptionalBool("timed"), 0, 0};
  if (fields.Has("rate")) motion.rate = fields.Double("rate");
  if (!(motion.rate >= 0)) fields.Fail("\"rate\" is not a number of frames a second");
  if (!fields.Has("seed")) return motion;
  if (!fields.At("seed").is_number_unsigned()) fields.Fail("\"seed\" is not a whole number");
  motion.seed = fields.At("seed").get<uint64_t>();
  return motion;
}

DatasetPoses PosesFromJson(const JsonFields& fields) {
  return {fields.String("name"), HashField(fields), Count(fields, "frames", 1)};
}

// Reads the manifest from its JSON document and checks every field.
class ManifestReader {
 public:
  ManifestReader(const Json& json, const std::string& file) : file_(file), fields_(json, file, "", kRemedy) {}

  DatasetManifest Read() {
    if (!fields_.Has("format") || fields_.At("format") != kFormat) fields_.Fail("is not a dataset's manifest");
    fields_.Integer("version", kVersion, kVersion);
    manifest_.metres_per_unit = fields_.Double("metres_per_unit");
    if (!(manifest_.metres_per_unit > 0)) fields_.Fail("\"metres_per_unit\" is not above 0");
    manifest_.settings = fields_.At("settings");
    if (!manifest_.settings.is_object()) fields_.Fail("\"settings\" is not an object");
    manifest_.chunk_frames = Count(fields_, "chunk_frames", 1, kMaxChunkFrames);
    ReadList("characters", [&](const JsonFields& f) { manifest_.characters.push_back(CharacterFromJson(f)); });
    ReadList("motions", [&](const JsonFields& f) { manifest_.motions.push_back(MotionFromJson(f)); });
    ReadList("poses", [&](const JsonFields& f) { manifest_.poses.push_back(PosesFromJson(f)); });
    ReadList("chunks", [&](const JsonFields& f) { ReadChunk(f); });
    return std::move(manifest_);
  }

 private:
  template <typename Each>
  void ReadList(const char* key, const Each& each) {
    const Json& list = fields_.List(key);
    for (size_t i = 0; i < list.size(); ++i) each(JsonFields(list[i], file_, fmt::format("{} {}", key, i), kRemedy));
  }

  void ReadChunk(const JsonFields& fields) {
    DatasetChunk chunk;
    chunk.first_frame = static_cast<int>(manifest_.frames.size());
    const int character = Index(fields, "character", manifest_.characters.size());
    const int poses = Index(fields, "poses", manifest_.poses.size());
    const Json& frames = fields.List("frames");
    if (frames.empty() || frames.size() > static_cast<size_t>(manifest_.chunk_frames)) {
      fields.Fail(fmt::format("holds {} frames where there may be 1 to {}", frames.size(), manifest_.chunk_frames));
    }
    chunk.frame_count = static_cast<int>(frames.size());
    for (const Json& json : frames) {
      const JsonFields frame(json, file_, fmt::format("frame {}", manifest_.frames.size()), kRemedy);
      AddFrame(frame, character, poses);
    }
    ReadArrays(fields, chunk);
    manifest_.chunks.push_back(std::move(chunk));
  }

  static int Index(const JsonFields& fields, const char* key, size_t count) {
    return static_cast<int>(fields.Integer(key, 0, static_cast<int64_t>(count) - 1));
  }

  void AddFrame(const JsonFields& fields, int character, int poses) {
    DatasetFrame frame{.character = character,
                       .poses = poses,
                       .index = Index(fields, "index", manifest_.poses[poses].frames),
                       .motion = Index(fields, "motion", manifest_.motions.size()),
                       .motion_frame = Count(fields, "frame", 0),
                       .failure = fields.OptionalString("failed"),
                       .hash = HashField(fields)};
    if (fields.Has("failed") && frame.failure.empty()) fields.Fail("\"failed\" gives no reason");
    if (!manifest_.frames.empty() && !Before(manifest_.frames.back(), frame)) {
      fields.Fail("is there twice, or not in its order");
    }
    manifest_.frames.push_back(std::move(frame));
  }

  void ReadArrays(const JsonFields& chunk_fields, DatasetChunk& chunk) const {
    const Json& arrays = chunk_fields.At("arrays");
    if (!arrays.is_object()) chunk_fields.Fail("\"arrays\" is not an object");
    for (const auto& [name, json] : arrays.items()) {
      if (!IsArrayName(name)) chunk_fields.Fail("an array's name is not made of a-z, 0-9 and _");
      const JsonFields fields(json, file_, fmt::format("array {}", name), kRemedy);
      chunk.arrays[name] = {FileField(fields), HashField(fields)};
    }
    for (const char* name : {"pose", "shape"}) {
      if (!chunk.arrays.contains(name)) chunk_fields.Fail(fmt::format("has no array \"{}\"", name));
    }
  }

  const std::string& file_;
  const JsonFields fields_;
  DatasetManifest manifest_;
};

Json ToJson(const DatasetFrame& frame) {
  Json json = {{"index", frame.index}, {"motion", frame.motion}, {"frame", frame.motion_frame}, {"hash", frame.hash}};
  if (!frame.ok()) json["failed"] = frame.failure;
  return json;
}

Json ToJson(const DatasetManifest& manifest, const DatasetChunk& chunk) {
  const DatasetFrame& first = manifest.frames[chunk.first_frame];
  Json json = {{"character", first.character}, {"poses", first.poses}, {"frames", Json::array()}};
  for (int i = 0; i < chunk.frame_count; ++i) json["frames"].push_back(ToJson(manifest.frames[chunk.first_frame + i]));
  json["arrays"] = Json::object();
  for (const auto& [name, array] : chunk.arrays) json["arrays"][name] = {{"file", array.file}, {"hash", array.hash}};
  return json;
}

Json ToJson(const DatasetMotion& motion) {
  Json json = {{"name", motion.name}, {"file", motion.file}, {"timed", motion.timed}};
  if (!motion.timed) json["seed"] = motion.seed;
  if (motion.rate > 0) json["rate"] = motion.rate;
  return json;
}

std::string Dump(const Json& json, int indent = -1) { return JsonText(json, indent); }

}  // namespace

bool Before(const DatasetFrame& a, const DatasetFrame& b) {
  return std::tie(a.character, a.poses, a.index) < std::tie(b.character, b.poses, b.index);
}

DatasetManifest ParseDatasetManifest(std::string_view text, const std::string& file) {
  const Json json = ParseJson(text, file);
  return ManifestReader(json, file).Read();
}

std::string FormatDatasetManifest(const DatasetManifest& manifest) {
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"metres_per_unit", manifest.metres_per_unit},
               {"settings", manifest.settings},
               {"chunk_frames", manifest.chunk_frames},
               {"characters", Json::array()},
               {"motions", Json::array()},
               {"poses", Json::array()}};
  for (const DatasetCharacter& c : manifest.characters) {
    json["characters"].push_back(
        {{"name", c.name}, {"file", c.file}, {"hash", c.hash}, {"vertices", c.vertices}, {"joints", c.joints}});
  }
  for (const DatasetMotion& motion : manifest.motions) json["motions"].push_back(ToJson(motion));
  for (const DatasetPoses& p : manifest.poses) {
    json["poses"].push_back({{"name", p.name}, {"hash", p.hash}, {"frames", p.frames}});
  }
  // One line per chunk: the manifest is rewritten with every chunk, so it should be short and still readable.
  std::string text = Dump(json, 2);
  text.resize(text.size() - 2);
  text += ",\n  \"chunks\": [";
  for (size_t c = 0; c < manifest.chunks.size(); ++c) {
    text += fmt::format("{}\n    {}", c > 0 ? "," : "", Dump(ToJson(manifest, manifest.chunks[c])));
  }
  return text + "\n  ]\n}\n";
}

}  // namespace sinew::dataset
