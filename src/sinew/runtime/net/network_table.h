// Table of the networks of one level: small dense networks z = W3 tanh(W2 tanh(W1 x + b1) + b2) + b3 (Zheng and Barbic
// 2024, section 5), laid out for fast evaluation: one block of memory without pointers, made by
// offline/tables/network_builder.h, immutable, shared by any number of instances and threads.
//
// A layer is a matrix of R rows and C columns, divided into blocks of kRows rows. A block stores the rows of its first
// column, then those of its second column, and so on, so that one vector multiply-add takes one input to kRows outputs,
// every output is summed in the same order whatever the width of the vectors, and all weights are read from front to
// back. Rows past the last are zero. Weights are floats, half floats, or bytes with one scale per row, which multiplies
// the sum.
#ifndef SINEW_RUNTIME_NET_NETWORK_TABLE_H_
#define SINEW_RUNTIME_NET_NETWORK_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/runtime/base/precision.h"
#include "sinew/runtime/base/status.h"

namespace sinew::runtime {

class NetworkTable {
 public:
  static constexpr uint32_t kRows = 16;
  // Largest number of inputs, hidden units per layer and outputs of a network; it bounds the stack that evaluation
  // needs.
  static constexpr uint32_t kMaxWidth = 1024;

  struct Header {
    static constexpr uint32_t kMagic = 0x31544E53;  // "SNT1"
    uint32_t magic, network_count, output_count, joint_entries, range_entries, reserved[3];
    uint64_t networks_offset, joints_offset, ranges_offset, bytes;
  };

  // One network. It has three layers, each stored as its weights, then (only for kI8) its rows' scales, then its
  // biases, each part at a multiple of 64.
  struct Network {
    uint64_t offset;  // from the start of the block to the first layer
    uint32_t inputs, width, outputs;
    uint32_t precision;                 // a Precision
    uint32_t first_output;              // index of its first output in the level's coefficients
    uint32_t first_joint, joint_count;  // range of joints(): those whose features are its inputs, in this order
    uint32_t first_range, range_count;  // range of ranges(): tests, the smallest of whose fades multiplies its outputs
    uint32_t reserved;
  };

  NetworkTable() = default;

  // Opens a table in place. block: 64-byte aligned; must stay alive and unchanged as long as the table is used.
  // kInvalidArgument: the block is misaligned, cut short, not a table of networks, names an array entry that does not
  // exist, has networks whose outputs are not 0 to output_count() - 1, one after another, or whose layers overlap or
  // lie in another order, or holds a number that is not finite. The caller compares joint_bound() and range_bound()
  // with the joints and range tests that there are.
  static Status Open(std::span<const std::byte> block, NetworkTable* table) noexcept;

  bool empty() const { return header_ == nullptr; }
  int network_count() const { return header_ == nullptr ? 0 : static_cast<int>(header_->network_count); }
  // Number of outputs of all networks together.
  int output_count() const { return header_ == nullptr ? 0 : static_cast<int>(header_->output_count); }
  const Network& network(int n) const { return networks_[n]; }
  std::span<const uint16_t> joints(const Network& n) const { return {joints_ + n.first_joint, n.joint_count}; }
  std::span<const uint16_t> ranges(const Network& n) const { return {ranges_ + n.first_range, n.range_count}; }
  // Number of bytes that evaluating network n reads.
  uint64_t bytes(int n) const { return NetworkBytes(networks_[n]); }
  const std::byte* weights(const Network& n) const { return reinterpret_cast<const std::byte*>(header_) + n.offset; }
  // Exclusive upper bounds of the joint and range test indices that the networks name.
  int joint_bound() const { return joint_bound_; }
  int range_bound() const { return range_bound_; }

  static constexpr uint64_t Padded(uint64_t count, uint64_t unit) { return (count + unit - 1) / unit * unit; }
  // Bytes of the weights of one layer, and of the whole layer.
  static constexpr uint64_t WeightBytes(uint32_t rows, uint32_t columns, Precision precision) {
    return Padded(Padded(rows, kRows) * columns * BytesOf(precision), 64);
  }
  static constexpr uint64_t LayerBytes(uint32_t rows, uint32_t columns, Precision precision) {
    const uint64_t floats = Padded(rows, kRows) * sizeof(float);
    return WeightBytes(rows, columns, precision) + (precision == Precision::kI8 ? 2 : 1) * floats;
  }
  static constexpr uint64_t NetworkBytes(const Network& n) {
    const auto precision = static_cast<Precision>(n.precision);
    return LayerBytes(n.width, n.inputs, precision) + LayerBytes(n.width, n.width, precision) +
           LayerBytes(n.outputs, n.width, precision);
  }

 private:
  const Header* header_ = nullptr;
  const Network* networks_ = nullptr;
  const uint16_t* joints_ = nullptr;
  const uint16_t* ranges_ = nullptr;
  int joint_bound_ = 0, range_bound_ = 0;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_NET_NETWORK_TABLE_H_
