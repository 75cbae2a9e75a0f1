#include "sinew/offline/contact/press_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/contact/take_numbers.h"
#include "sinew/offline/core/binary.h"

namespace sinew::contact {
namespace {

constexpr std::string_view kMagic = "SINEWPRS";
constexpr uint32_t kVersion = 1;
constexpr const char* kRemedy = "delete it to have it made again";
// Upper limits: a file with more was not written by us.
constexpr uint32_t kMaxVertices = 1u << 24, kMaxSamples = 1u << 20, kMaxStates = 1u << 20, kLongestHash = 64;

template <size_t kCount>
void TakeFloats(BinaryReader& in, const std::string& place, std::array<float, kCount>& to) {
  const std::vector<float> values = in.TakeFloats(kCount, place);
  std::copy(values.begin(), values.end(), to.begin());
}

PressSample TakeSample(BinaryReader& in, uint32_t vertices, const std::string& place) {
  PressSample sample;
  TakeFloats(in, place + ", rotation", sample.R);
  TakeFloats(in, place + ", place", sample.t);
  sample.depth = TakeFinite(in, place + ", depth");
  sample.total = TakeFinite(in, place + ", sum of squares");
  const uint32_t rows = in.TakeCount(0, vertices, place + ", number of vertices");
  sample.vertices = in.Take<uint32_t>(rows, place + ", vertices");
  for (size_t i = 0; i < rows; ++i) {
    if (sample.vertices[i] >= vertices || (i > 0 && sample.vertices[i] <= sample.vertices[i - 1])) {
      in.Fail(place + ", vertices", "names a vertex that does not exist, or not in order");
    }
  }
  sample.r = TakeHalves(in, 3 * size_t{rows}, place + ", displacements");
  return sample;
}

}  // namespace

Bytes EncodePresses(const PressShard& shard, const std::string& inputs) {
  BinaryWriter out;
  out.PutText(inputs);
  out.PutCount(shard.state);
  out.PutCount(shard.vertex_count());
  out.Put(shard.positions.data(), shard.positions.size());
  out.PutCount(shard.samples.size());
  for (const PressSample& sample : shard.samples) {
    out.Put(sample.R.data(), sample.R.size());
    out.Put(sample.t.data(), sample.t.size());
    out.Put(sample.depth);
    out.Put(sample.total);
    out.PutCount(sample.vertices.size());
    out.Put(sample.vertices.data(), sample.vertices.size());
    out.Put(sample.r.data(), sample.r.size());
  }
  out.PutCount(shard.failed.size());
  out.Put(shard.failed.data(), shard.failed.size());
  return out.File(kMagic, kVersion);
}

PressShard DecodePresses(std::span<const std::byte> bytes, const std::string& inputs, const std::string& file) {
  BinaryReader in(bytes, file, kMagic, kVersion, "a file of a character's contacts", kRemedy);
  if (in.TakeText(kLongestHash, "inputs") != inputs) in.Fail("inputs", "was made from another plan");
  PressShard shard;
  shard.state = in.TakeCount(0, kMaxStates, "state");
  const uint32_t vertices = in.TakeCount(1, kMaxVertices, "number of vertices");
  shard.positions = in.TakeFloats(3 * size_t{vertices}, "positions");
  const uint32_t samples = in.TakeCount(0, kMaxSamples, "number of samples");
  for (uint32_t i = 0; i < samples; ++i) {
    shard.samples.push_back(TakeSample(in, vertices, fmt::format("sample {}", i)));
  }
  const uint32_t failed = in.TakeCount(0, kMaxSamples, "number of failures");
  for (uint32_t i = 0; i < failed; ++i) shard.failed.push_back(TakeFinite(in, "depth of a failure"));
  in.End();
  return shard;
}

}  // namespace sinew::contact
