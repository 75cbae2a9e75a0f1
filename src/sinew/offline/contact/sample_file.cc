#include "sinew/offline/contact/sample_file.h"

#include <fmt/format.h>

#include "sinew/offline/contact/take_numbers.h"
#include "sinew/offline/core/binary.h"

namespace sinew::contact {
namespace {

constexpr std::string_view kMagic = "SINEWCON";
constexpr uint32_t kVersion = 1;
constexpr const char* kRemedy = "delete it to have it made again";
// Upper limits: a file with more was not written by us.
constexpr uint32_t kMaxNodes = 1u << 24, kMaxState = 1u << 16, kMaxSamples = 1u << 20, kLongestHash = 64;

ContactSample TakeSample(BinaryReader& in, int nodes, const std::string& place) {
  ContactSample sample;
  sample.angle = TakeFinite(in, place + ", angle");
  for (double& coordinate : sample.position) coordinate = TakeFinite(in, place + ", position");
  sample.depth = TakeFinite(in, place + ", depth");
  const bool touches = in.TakeCount(0, 1, place + ", presence of displacements") == 1;
  sample.r = TakeHalves(in, touches ? 2 * static_cast<size_t>(nodes) : 0, place + ", displacements");
  return sample;
}

}  // namespace

Bytes EncodeShard(const ContactShard& shard, const std::string& inputs) {
  BinaryWriter out;
  out.PutText(inputs);
  out.PutCount(shard.state.size());
  out.Put(shard.state.data(), shard.state.size());
  out.PutCount(shard.node_count());
  out.Put(shard.positions.data(), shard.positions.size());
  out.Put(shard.size);
  out.PutCount(shard.samples.size());
  for (const ContactSample& sample : shard.samples) {
    out.Put(sample.angle);
    out.Put(sample.position, 2);
    out.Put(sample.depth);
    out.PutCount(sample.r.empty() ? 0 : 1);
    out.Put(sample.r.data(), sample.r.size());
  }
  out.PutCount(shard.failures.size());
  for (const ContactFailure& failure : shard.failures) {
    out.PutCount(failure.chain);
    out.Put(failure.depth);
  }
  return out.File(kMagic, kVersion);
}

ContactShard DecodeShard(std::span<const std::byte> bytes, const std::string& inputs, const std::string& file) {
  BinaryReader in(bytes, file, kMagic, kVersion, "a file of contact samples", kRemedy);
  if (in.TakeText(kLongestHash, "inputs") != inputs) in.Fail("inputs", "was made from another plan");
  ContactShard shard;
  const uint32_t numbers = in.TakeCount(0, kMaxState, "numbers of the state");
  for (uint32_t i = 0; i < numbers; ++i) shard.state.push_back(TakeFinite(in, "state"));
  const uint32_t nodes = in.TakeCount(1, kMaxNodes, "number of nodes");
  shard.positions = in.TakeFloats(2 * static_cast<size_t>(nodes), "positions");
  shard.size = TakeFinite(in, "size of the collider");
  if (!(shard.size > 0)) in.Fail("size of the collider", "is not above 0");
  const uint32_t samples = in.TakeCount(0, kMaxSamples, "number of samples");
  for (uint32_t i = 0; i < samples; ++i) {
    shard.samples.push_back(TakeSample(in, static_cast<int>(nodes), fmt::format("sample {}", i)));
  }
  const uint32_t failures = in.TakeCount(0, kMaxSamples, "number of failures");
  for (uint32_t i = 0; i < failures; ++i) {
    const int chain = static_cast<int>(in.TakeCount(0, kMaxSamples, "failure, chain"));
    shard.failures.push_back({.chain = chain, .depth = TakeFinite(in, "failure, depth")});
  }
  in.End();
  return shard;
}

void WriteShard(const ContactShard& shard, const std::string& inputs, const std::filesystem::path& path) {
  WriteFileAtomic(path, EncodeShard(shard, inputs));
}

ContactShard ReadShard(const std::filesystem::path& path, const std::string& inputs) {
  return DecodeShard(ReadFile(path), inputs, path.string());
}

}  // namespace sinew::contact
