#include "sinew/runtime/asset/unpack.h"

#include <cstring>

#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/base/checksum.h"
#include "sinew/runtime/base/half.h"
#include "sinew/runtime/net/layer.h"

namespace sinew::runtime {
namespace {

using format::FileHeader;
using format::SectionEntry;
using format::SectionType;

constexpr uint64_t Aligned(uint64_t bytes) { return (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment; }

const std::byte* FileOf(const Bundle& bundle) {
  return reinterpret_cast<const std::byte*>(bundle.sections().data()) - sizeof(FileHeader);
}

// Hands out the arrays of a block one after another, each at a multiple of kBlockAlignment. base: null: counts only.
class Layout {
 public:
  explicit Layout(std::byte* base) : base_(base) {}

  // Returns the offset of the next array, of `bytes` bytes, and copies it from `from` unless that is null.
  uint64_t Add(const void* from, uint64_t bytes) {
    const uint64_t at = size_;
    size_ += Aligned(bytes);
    if (base_ != nullptr && from != nullptr && bytes > 0) std::memcpy(base_ + at, from, static_cast<size_t>(bytes));
    return at;
  }
  template <typename T>
  T* At(uint64_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }
  bool writes() const { return base_ != nullptr; }
  uint64_t size() const { return size_; }

 private:
  std::byte* base_;
  uint64_t size_ = 0;
};

void Widen(const std::byte* halves, uint64_t count, float* to) {
  const auto* from = reinterpret_cast<const uint16_t*>(halves);
  for (uint64_t i = 0; i < count; ++i) to[i] = HalfToFloat(from[i]);
}

bool HasHalves(const BasisTable& table) { return !table.empty() && table.precision() == Precision::kF16; }
bool HasHalves(const NetworkTable::Network& network) {
  return static_cast<Precision>(network.precision) == Precision::kF16;
}
bool HasHalves(const NetworkTable& table) {
  for (int n = 0; n < table.network_count(); ++n) {
    if (HasHalves(table.network(n))) return true;
  }
  return false;
}

// Writes a table of half floats with floats at `to`, or counts its bytes if that is null. Returns their number.
uint64_t UnpackBasis(const BasisTable& table, const BasisTable::Header& packed, std::byte* to) {
  constexpr uint64_t kElements = BasisTable::kBlockElements;
  Layout layout(to);
  BasisTable::Header header = packed;
  header.precision = static_cast<uint32_t>(Precision::kF32);
  layout.Add(nullptr, sizeof(header));
  header.firsts_offset = layout.Add(table.firsts(), (uint64_t{packed.block_count} + 1) * sizeof(uint32_t));
  header.indices_offset = layout.Add(table.indices(), uint64_t{packed.entry_count} * sizeof(uint16_t));
  header.scales_offset = layout.size();
  header.elements_offset = layout.Add(nullptr, packed.entry_count * kElements * sizeof(float));
  header.bytes = layout.size();
  if (!layout.writes()) return layout.size();
  std::memcpy(to, &header, sizeof(header));
  Widen(table.elements(), packed.entry_count * kElements, layout.At<float>(header.elements_offset));
  return layout.size();
}

// Writes the layers of a network of half floats.
void UnpackNetwork(const NetworkTable& table, const NetworkTable::Network& network, std::byte* to) {
  const uint32_t sizes[3][2] = {
      {network.width, network.inputs}, {network.width, network.width}, {network.outputs, network.width}};
  LayerReader layers(table, network);
  for (const auto& [rows, columns] : sizes) {
    const Layer layer = layers.Next(rows, columns);
    const uint64_t padded = uint64_t{layer.row_blocks} * NetworkTable::kRows;
    Widen(layer.weights, padded * columns, reinterpret_cast<float*>(to));
    std::memcpy(to + NetworkTable::WeightBytes(rows, columns, Precision::kF32), layer.biases,
                static_cast<size_t>(padded) * sizeof(float));
    to += NetworkTable::LayerBytes(rows, columns, Precision::kF32);
  }
}

// Writes a table of networks, some with half floats, with floats at `to`, or counts its bytes if that is null. Returns
// their number.
uint64_t UnpackNetworks(const NetworkTable& table, const NetworkTable::Header& packed, std::byte* to) {
  Layout layout(to);
  NetworkTable::Header header = packed;
  const auto* from = reinterpret_cast<const std::byte*>(&packed);
  layout.Add(nullptr, sizeof(header));
  header.networks_offset =
      layout.Add(from + packed.networks_offset, uint64_t{packed.network_count} * sizeof(NetworkTable::Network));
  header.joints_offset = layout.Add(from + packed.joints_offset, uint64_t{packed.joint_entries} * sizeof(uint16_t));
  header.ranges_offset = layout.Add(from + packed.ranges_offset, uint64_t{packed.range_entries} * sizeof(uint16_t));
  for (int n = 0; n < table.network_count(); ++n) {
    NetworkTable::Network network = table.network(n);
    const bool halves = HasHalves(network);
    const std::byte* kept = halves ? nullptr : table.weights(network);
    if (halves) network.precision = static_cast<uint32_t>(Precision::kF32);
    network.offset = layout.Add(kept, NetworkTable::NetworkBytes(network));
    if (!layout.writes()) continue;
    layout.At<NetworkTable::Network>(header.networks_offset)[n] = network;
    if (halves) UnpackNetwork(table, table.network(n), layout.At<std::byte>(network.offset));
  }
  header.bytes = layout.size();
  if (layout.writes()) std::memcpy(to, &header, sizeof(header));
  return layout.size();
}

bool HasHalves(const RangeTable& table) { return table.test_count() > 0 && table.precision() == Precision::kF16; }

// Writes a table of range tests in half floats with floats at `to`, or counts its bytes if that is null. Returns their
// number.
uint64_t UnpackRanges(const RangeTable& table, const RangeTable::Header& packed, std::byte* to) {
  Layout layout(to);
  RangeTable::Header header = packed;
  header.precision = static_cast<uint32_t>(Precision::kF32);
  const auto* from = reinterpret_cast<const std::byte*>(&packed);
  layout.Add(nullptr, sizeof(header));
  header.tests_offset = layout.Add(from + packed.tests_offset, uint64_t{packed.test_count} * sizeof(RangeTable::Test));
  header.joints_offset = layout.Add(from + packed.joints_offset, uint64_t{packed.joint_entries} * sizeof(uint16_t));
  for (int t = 0; t < table.test_count(); ++t) {
    RangeTable::Test test = table.test(t);
    const uint64_t L = uint64_t{test.features} * RangeTable::Padded(test.rows),
                   centres = RangeTable::CentreNumbers(test);
    test.L_offset = layout.Add(nullptr, L * sizeof(float));
    test.centres_offset = layout.Add(nullptr, centres * sizeof(float));
    if (!layout.writes()) continue;
    layout.At<RangeTable::Test>(header.tests_offset)[t] = test;
    Widen(table.L(table.test(t)), L, layout.At<float>(test.L_offset));
    Widen(table.centres(table.test(t)), centres, layout.At<float>(test.centres_offset));
  }
  header.bytes = layout.size();
  if (layout.writes()) std::memcpy(to, &header, sizeof(header));
  return layout.size();
}

// Writes one section, unpacked if it is a table with half floats, at `to`, or counts its bytes if that is null. Returns
// their number without padding. halves: output, set to true if the section has half floats.
uint64_t UnpackSection(const Bundle& bundle, const SectionEntry& entry, std::byte* to, bool* halves) {
  const std::byte* section = FileOf(bundle) + entry.offset;
  const bool plain = entry.version == 1 && entry.layout == format::kPlainLayout;
  const auto type = static_cast<SectionType>(entry.type);
  if (plain && entry.level == 0 && type == SectionType::kRanges && HasHalves(bundle.ranges())) {
    *halves = true;
    return UnpackRanges(bundle.ranges(), *reinterpret_cast<const RangeTable::Header*>(section), to);
  }
  if (plain && entry.level >= 1 && entry.level <= static_cast<uint32_t>(bundle.level_count())) {
    const BundleLevel& level = bundle.level(static_cast<int>(entry.level));
    const BasisTable& basis = type == SectionType::kBasis ? level.basis : level.own_basis;
    if ((type == SectionType::kBasis || type == SectionType::kOwnBasis) && HasHalves(basis)) {
      *halves = true;
      return UnpackBasis(basis, *reinterpret_cast<const BasisTable::Header*>(section), to);
    }
    if (type == SectionType::kNetworks && HasHalves(level.networks)) {
      *halves = true;
      return UnpackNetworks(level.networks, *reinterpret_cast<const NetworkTable::Header*>(section), to);
    }
  }
  if (to != nullptr && entry.bytes > 0) std::memcpy(to, section, static_cast<size_t>(entry.bytes));
  return entry.bytes;
}

}  // namespace

uint64_t UnpackedBytes(const Bundle& bundle) noexcept {
  uint64_t bytes = Aligned(sizeof(FileHeader) + bundle.sections().size_bytes());
  bool halves = false;
  for (const SectionEntry& entry : bundle.sections()) bytes += Aligned(UnpackSection(bundle, entry, nullptr, &halves));
  return halves ? bytes : 0;
}

Status Unpack(const Bundle& bundle, std::span<std::byte> to) noexcept {
  if (bundle.empty() || to.empty() || reinterpret_cast<uintptr_t>(to.data()) % kBlockAlignment != 0 ||
      to.size() != UnpackedBytes(bundle)) {
    return Status::kInvalidArgument;
  }
  std::memset(to.data(), 0, to.size());
  FileHeader header;
  std::memcpy(&header, FileOf(bundle), sizeof(header));
  auto* entries = reinterpret_cast<SectionEntry*>(to.data() + sizeof(header));
  const size_t count = bundle.sections().size();
  uint64_t at = Aligned(sizeof(header) + bundle.sections().size_bytes());
  for (size_t s = 0; s < count; ++s) {
    bool halves = false;
    SectionEntry entry = bundle.sections()[s];
    std::byte* section = to.data() + at;
    entry.bytes = UnpackSection(bundle, entry, section, &halves);
    entry.offset = at;
    entry.checksum = Checksum({section, static_cast<size_t>(entry.bytes)});
    entries[s] = entry;
    at += Aligned(entry.bytes);
  }
  header.bytes = to.size();
  header.table_checksum = Checksum(std::as_bytes(std::span(entries, count)));
  std::memcpy(to.data(), &header, sizeof(header));
  return Status::kOk;
}

}  // namespace sinew::runtime
