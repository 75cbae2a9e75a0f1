#include "sinew/offline/contact/sample_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "sinew/offline/contact/take_numbers.h"
#include "sinew/offline/core/binary.h"

namespace sinew::contact {
namespace {

constexpr std::string_view kMagic = "SINEWCON";
constexpr uint32_t kVersion = 2;  // version 1 is the plane alone, and has no dimension
constexpr const char* kRemedy = "delete it to have it made again";
// Upper limits: a file with more was not written by us.
constexpr uint32_t kMaxNodes = 1u << 24, kMaxState = 1u << 16, kMaxSamples = 1u << 20, kLongestHash = 64;

// Version of a file that may be too short to have one.
uint32_t VersionOf(std::span<const std::byte> bytes) {
  uint32_t version = kVersion;
  if (bytes.size() >= kMagic.size() + sizeof(version)) {
    std::memcpy(&version, bytes.data() + kMagic.size(), sizeof(version));
  }
  return version;
}

Turn TakeTurn(BinaryReader& in, int dimension, const std::string& place) {
  Turn turn;
  if (dimension == 2) {
    turn.angle = TakeFinite(in, place + ", angle");
    return turn;
  }
  double square = 0;
  for (double& number : turn.quaternion) {
    number = TakeFinite(in, place + ", rotation");
    square += number * number;
  }
  if (!(std::abs(square - 1) < 1e-6)) in.Fail(place + ", rotation", "is not a unit quaternion");
  return turn;
}

ContactSample TakeSample(BinaryReader& in, const ContactShard& shard, const std::string& place) {
  ContactSample sample;
  sample.turn = TakeTurn(in, shard.dimension, place);
  for (int k = 0; k < shard.dimension; ++k) sample.position[k] = TakeFinite(in, place + ", position");
  sample.depth = TakeFinite(in, place + ", depth");
  const bool touches = in.TakeCount(0, 1, place + ", presence of displacements") == 1;
  sample.r = TakeHalves(in, touches ? shard.positions.size() : 0, place + ", displacements");
  return sample;
}

}  // namespace

Bytes EncodeShard(const ContactShard& shard, const std::string& inputs) {
  BinaryWriter out;
  out.PutText(inputs);
  out.PutCount(shard.dimension);
  out.PutCount(shard.state.size());
  out.Put(shard.state.data(), shard.state.size());
  out.PutCount(shard.node_count());
  out.Put(shard.positions.data(), shard.positions.size());
  out.Put(shard.size);
  out.PutCount(shard.samples.size());
  for (const ContactSample& sample : shard.samples) {
    if (shard.dimension == 2) {
      out.Put(sample.turn.angle);
    } else {
      out.Put(sample.turn.quaternion.data(), sample.turn.quaternion.size());
    }
    out.Put(sample.position.data(), static_cast<size_t>(shard.dimension));
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
  const bool is_first = VersionOf(bytes) == 1;
  BinaryReader in(bytes, file, kMagic, is_first ? 1 : kVersion, "a file of contact samples", kRemedy);
  if (in.TakeText(kLongestHash, "inputs") != inputs) in.Fail("inputs", "was made from another plan");
  ContactShard shard;
  if (!is_first) shard.dimension = static_cast<int>(in.TakeCount(2, 3, "dimension"));
  const uint32_t numbers = in.TakeCount(0, kMaxState, "numbers of the state");
  for (uint32_t i = 0; i < numbers; ++i) shard.state.push_back(TakeFinite(in, "state"));
  const uint32_t nodes = in.TakeCount(1, kMaxNodes, "number of nodes");
  shard.positions = in.TakeFloats(static_cast<size_t>(shard.dimension) * nodes, "positions");
  shard.size = TakeFinite(in, "size of the collider");
  if (!(shard.size > 0)) in.Fail("size of the collider", "is not above 0");
  const uint32_t samples = in.TakeCount(0, kMaxSamples, "number of samples");
  for (uint32_t i = 0; i < samples; ++i) {
    shard.samples.push_back(TakeSample(in, shard, fmt::format("sample {}", i)));
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
