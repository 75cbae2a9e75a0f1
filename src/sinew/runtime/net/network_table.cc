#include "sinew/runtime/net/network_table.h"

#include "sinew/runtime/base/block_checks.h"

namespace sinew::runtime {
namespace {

using T = NetworkTable;

bool SectionsFit(const T::Header& h, uint64_t available) {
  return h.magic == T::Header::kMagic && h.bytes <= available && h.output_count <= 65536 &&
         ArrayFits(h.networks_offset, h.network_count, sizeof(T::Network), 0, h.bytes) &&
         ArrayFits(h.joints_offset, h.joint_entries, sizeof(uint16_t), 0, h.bytes) &&
         ArrayFits(h.ranges_offset, h.range_entries, sizeof(uint16_t), 0, h.bytes);
}

bool WithinLimits(uint32_t count) { return count >= 1 && count <= T::kMaxWidth; }

bool NetworkIsInBounds(const T::Network& n, const T::Header& h) {
  if (!WithinLimits(n.inputs) || !WithinLimits(n.width) || !WithinLimits(n.outputs) || n.precision > 2) return false;
  return n.offset % 64 == 0 && n.offset <= h.bytes && T::NetworkBytes(n) <= h.bytes - n.offset &&
         n.first_joint <= h.joint_entries && n.joint_count <= h.joint_entries - n.first_joint &&
         n.first_range <= h.range_entries && n.range_count <= h.range_entries - n.first_range;
}

// Whether all numbers of a layer are finite, those of the padding rows included.
bool LayerIsFinite(const std::byte* layer, uint32_t rows, uint32_t columns, Precision precision) {
  const uint64_t padded = T::Padded(rows, T::kRows);
  const auto* floats = reinterpret_cast<const float*>(layer + T::WeightBytes(rows, columns, precision));
  return AllFinite(layer, padded * columns, precision) &&
         AllFinite(floats, precision == Precision::kI8 ? 2 * padded : padded);
}

bool NetworkIsFinite(const T::Network& n, const std::byte* layers) {
  const auto precision = static_cast<Precision>(n.precision);
  const std::byte* second = layers + T::LayerBytes(n.width, n.inputs, precision);
  const std::byte* third = second + T::LayerBytes(n.width, n.width, precision);
  return LayerIsFinite(layers, n.width, n.inputs, precision) && LayerIsFinite(second, n.width, n.width, precision) &&
         LayerIsFinite(third, n.outputs, n.width, precision);
}

int BoundOf(const uint16_t* values, uint32_t count) {
  int bound = 0;
  for (uint32_t i = 0; i < count; ++i) bound = values[i] >= bound ? values[i] + 1 : bound;
  return bound;
}

}  // namespace

Status NetworkTable::Open(std::span<const std::byte> block, NetworkTable* table) noexcept {
  const auto* header = HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || !SectionsFit(*header, block.size())) return Status::kInvalidArgument;
  NetworkTable opened;
  opened.header_ = header;
  PointInto(header, header->networks_offset, &opened.networks_);
  PointInto(header, header->joints_offset, &opened.joints_);
  PointInto(header, header->ranges_offset, &opened.ranges_);
  // Networks must follow one another in the block: were many to share bytes, a small file could take hours to check.
  uint64_t outputs = 0, end = 0;
  for (uint32_t n = 0; n < header->network_count; ++n) {
    const Network& network = opened.networks_[n];
    if (!NetworkIsInBounds(network, *header) || network.first_output != outputs || network.offset < end ||
        !NetworkIsFinite(network, opened.weights(network))) {
      return Status::kInvalidArgument;
    }
    end = network.offset + NetworkBytes(network);
    outputs += network.outputs;
  }
  if (outputs != header->output_count) return Status::kInvalidArgument;
  opened.joint_bound_ = BoundOf(opened.joints_, header->joint_entries);
  opened.range_bound_ = BoundOf(opened.ranges_, header->range_entries);
  *table = opened;
  return Status::kOk;
}

}  // namespace sinew::runtime
