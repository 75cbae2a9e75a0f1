#include "sinew/offline/view/truth_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/dataset/pose_array.h"
#include "sinew/runtime/asset/format.h"

namespace sinew::view {
namespace {

constexpr std::string_view kMagic = "SINEWTRU";
constexpr uint32_t kVersion = 1;
constexpr size_t kAlignment = 4;
constexpr float kLargestValue = 65535;
constexpr const char* kRemedy = "write it again with `sinew view --export`";
constexpr int kMaxVertices = 100'000'000, kMaxFrames = 10'000'000;

size_t Padded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

size_t LevelBytes(int vertices) { return 6 * sizeof(float) + Padded(static_cast<size_t>(vertices) * 3 * 2); }

size_t RecordBytes(size_t joints, const std::vector<int>& vertices) {
  size_t bytes = joints * dataset::kPoseWidth * sizeof(float);
  for (const int count : vertices) bytes += LevelBytes(count);
  return bytes;
}

std::string HeadText(const TruthHead& head) {
  Json json = {{"joints", head.joints}, {"levels", Json::array()}, {"clips", Json::array()}, {"frames", Json::array()}};
  for (const int vertices : head.vertices) json["levels"].push_back({{"vertices", vertices}});
  for (const TruthClip& clip : head.clips) {
    Json entry = {{"name", clip.name}, {"motion", clip.motion}};
    if (clip.rate > 0) entry["rate"] = clip.rate;
    json["clips"].push_back(std::move(entry));
  }
  for (const TruthFrameName& frame : head.frames) json["frames"].push_back({frame.clip, frame.number});
  std::string text = JsonText(json);
  text.resize(Padded(text.size()), ' ');
  return text;
}

void PutLevel(const Points& positions, BinaryWriter& writer) {
  Eigen::RowVector3f low = Eigen::RowVector3f::Zero(), extent = low;
  if (positions.rows() > 0) {
    low = positions.colwise().minCoeff();
    extent = positions.colwise().maxCoeff() - low;
  }
  writer.Put(low.data(), 3);
  writer.Put(extent.data(), 3);
  std::vector<uint16_t> values;
  values.reserve(static_cast<size_t>(positions.size()) + 1);
  for (int v = 0; v < positions.rows(); ++v) {
    for (int c = 0; c < 3; ++c) {
      const float share = extent[c] > 0 ? (positions(v, c) - low[c]) / extent[c] : 0;
      values.push_back(static_cast<uint16_t>(std::lround(std::clamp(share, 0.0f, 1.0f) * kLargestValue)));
    }
  }
  if (values.size() % 2 != 0) values.push_back(0);
  writer.Put(values.data(), values.size());
}

Points TakeLevel(int vertices, const std::string& place, BinaryReader& reader) {
  const std::vector<float> box = reader.TakeFloats(6, place);
  for (int c = 3; c < 6; ++c) {
    if (box[c] < 0) reader.Fail(place, "has a box of negative size");
  }
  const auto values = reader.Take<uint16_t>(Padded(static_cast<size_t>(vertices) * 3 * 2) / 2, place);
  Points positions(vertices, 3);
  for (int v = 0; v < vertices; ++v) {
    for (int c = 0; c < 3; ++c) {
      const auto value = static_cast<float>(values[static_cast<size_t>(v) * 3 + c]);
      positions(v, c) = box[c] + box[3 + c] * (value / kLargestValue);
    }
  }
  return positions;
}

TruthHead ParseHead(const std::string& text, const std::string& file) {
  const Json json = ParseJson(text, file);
  const JsonFields fields(json, file, "head", kRemedy);
  TruthHead head;
  for (const Json& name : fields.List("joints")) {
    if (!name.is_string()) fields.Fail("has a joint whose name is no text");
    head.joints.push_back(name.get<std::string>());
  }
  if (head.joints.empty() || head.joints.size() > runtime::format::kMaxJoints)
    fields.Fail("has no joints, or too many");
  for (const Json& level : fields.List("levels")) {
    const JsonFields of_level(level, file, fmt::format("level {}", head.vertices.size() + 1), kRemedy);
    head.vertices.push_back(static_cast<int>(of_level.Integer("vertices", 1, kMaxVertices)));
  }
  if (head.vertices.empty() || head.vertices.size() > runtime::format::kMaxLevels) {
    fields.Fail("has no levels, or too many");
  }
  for (const Json& clip : fields.List("clips")) {
    const JsonFields of_clip(clip, file, fmt::format("clip {}", head.clips.size()), kRemedy);
    TruthClip& added = head.clips.emplace_back();
    added.name = of_clip.String("name");
    added.motion = of_clip.OptionalBool("motion");
    if (of_clip.Has("rate")) added.rate = of_clip.Double("rate");
    if (added.rate < 0) of_clip.Fail("has a negative rate");
  }
  for (const Json& frame : fields.List("frames")) {
    if (!frame.is_array() || frame.size() != 2) fields.Fail("has a frame that is not a clip and a number");
    const auto clips = static_cast<int64_t>(head.clips.size());
    head.frames.push_back({static_cast<int>(fields.Integer(frame[0], "frames", 0, clips - 1)),
                           static_cast<int>(fields.Integer(frame[1], "frames", 0, kMaxFrames))});
  }
  return head;
}

}  // namespace

size_t TruthRecordBytes(const TruthHead& head) { return RecordBytes(head.joints.size(), head.vertices); }

Bytes FormatTruthFrame(const TruthFrame& frame) {
  BinaryWriter writer;
  std::vector<float> pose;
  dataset::AppendPose(frame.pose, pose);
  writer.Put(pose.data(), pose.size());
  for (const Points& positions : frame.levels) PutLevel(positions, writer);
  return writer.bytes();
}

Bytes FormatTruth(const TruthHead& head, std::span<const Bytes> records) {
  const std::string text = HeadText(head);
  BinaryWriter writer;
  writer.Put(kMagic.data(), kMagic.size());
  writer.Put(kVersion);
  writer.PutCount(text.size());
  writer.PutCount(records.size());
  writer.PutCount(TruthRecordBytes(head));
  writer.Put(text.data(), text.size());
  for (const Bytes& record : records) writer.Put(record.data(), record.size());
  return writer.bytes();
}

TruthFile ParseTruth(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader reader(bytes, file, kRemedy);
  const std::vector<char> magic = reader.Take<char>(kMagic.size(), "header");
  if (std::string_view(magic.data(), magic.size()) != kMagic) reader.Fail("header", "is not that of a truth file");
  const auto version = reader.Take<uint32_t>("header");
  if (version != kVersion) {
    reader.Fail("header", fmt::format("is of version {}, and this program reads version {}", version, kVersion));
  }
  const auto head_bytes = reader.Take<uint32_t>("header");
  const uint32_t frames = reader.TakeCount(1, kMaxFrames, "number of frames");
  const auto record_bytes = reader.Take<uint32_t>("header");
  if (head_bytes % kAlignment != 0) reader.Fail("header", "has a head whose size is no multiple of 4");
  const std::vector<char> text = reader.Take<char>(head_bytes, "head");
  TruthFile truth{ParseHead({text.begin(), text.end()}, file), reader.rest()};
  if (truth.head.frames.size() != frames) reader.Fail("head", "does not name as many frames as there are");
  if (TruthRecordBytes(truth.head) != record_bytes) {
    reader.Fail("header", "has frames of another size than joints and vertices make");
  }
  if (truth.records.size() != static_cast<uint64_t>(frames) * record_bytes) {
    reader.Fail("frames", "are cut short, or something follows them");
  }
  for (uint32_t f = 0; f < frames; ++f) {
    std::vector<float> pose(truth.head.joints.size() * dataset::kPoseWidth);
    std::memcpy(pose.data(), truth.records.data() + static_cast<size_t>(f) * record_bytes, pose.size() * sizeof(float));
    if (dataset::FindBadJoint(pose) >= 0)
      reader.Fail(fmt::format("frame {}", f), "is no pose: not finite or no rotation");
  }
  return truth;
}

TruthFrame ReadTruthFrame(const TruthFile& truth, int frame) {
  const size_t bytes = TruthRecordBytes(truth.head);
  BinaryReader reader(truth.records.subspan(static_cast<size_t>(frame) * bytes, bytes), "truth", kRemedy);
  const std::string place = fmt::format("frame {}", frame);
  TruthFrame read;
  read.pose = dataset::PoseFromValues(reader.TakeFloats(truth.head.joints.size() * dataset::kPoseWidth, place));
  for (const int vertices : truth.head.vertices) read.levels.push_back(TakeLevel(vertices, place, reader));
  return read;
}

}  // namespace sinew::view
