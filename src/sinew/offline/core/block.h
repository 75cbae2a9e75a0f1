// The single block of memory that a runtime object lives in, and a helper that lays a header and arrays out in one.
#ifndef SINEW_OFFLINE_CORE_BLOCK_H_
#define SINEW_OFFLINE_CORE_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinew {

// Buffer of zeroed bytes at an address that is a multiple of 64 and does not change when the block is moved. It cannot
// be copied, because runtime objects point into it.
class Block {
 public:
  Block() = default;
  explicit Block(size_t bytes) : lines_((bytes + sizeof(Line) - 1) / sizeof(Line)), bytes_(bytes) {}
  Block(Block&&) = default;
  Block& operator=(Block&&) = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::span<std::byte> bytes() { return {reinterpret_cast<std::byte*>(lines_.data()), bytes_}; }
  std::span<const std::byte> bytes() const { return {reinterpret_cast<const std::byte*>(lines_.data()), bytes_}; }

 private:
  struct alignas(64) Line {
    std::byte bytes[64] = {};
  };
  std::vector<Line> lines_;
  size_t bytes_ = 0;
};

// Lays a header and arrays out one after another, each at a multiple of 64, and then copies them to a block. Call
// Reserve(sizeof(header)) first: Write() puts the header at offset 0.
class BlockLayout {
 public:
  // Appends an array followed by `padding` zero bytes, and returns its offset in the block. The array must stay
  // unchanged until Write().
  template <typename T>
  uint64_t Add(const std::vector<T>& array, size_t padding = 0) {
    const uint64_t offset = Reserve(array.size() * sizeof(T) + padding);
    pieces_.push_back({offset, array.data(), array.size() * sizeof(T)});
    return offset;
  }
  // Appends room that Write() leaves zero (but for the header at offset 0), and returns its offset in the block.
  uint64_t Reserve(size_t bytes) {
    const uint64_t offset = bytes_;
    bytes_ += (bytes + 63) / 64 * 64;
    return offset;
  }
  // Size of the block so far, a multiple of 64.
  uint64_t bytes() const { return bytes_; }

  // Returns a new block with the header at offset 0 and each added array at its offset.
  template <typename Header>
  Block Write(const Header& header) const {
    Block block(bytes_);
    std::memcpy(block.bytes().data(), &header, sizeof(header));
    for (const Piece& piece : pieces_) {
      if (piece.bytes > 0) std::memcpy(block.bytes().data() + piece.offset, piece.data, piece.bytes);
    }
    return block;
  }

 private:
  struct Piece {
    uint64_t offset;
    const void* data;
    size_t bytes;
  };
  std::vector<Piece> pieces_;
  uint64_t bytes_ = 0;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_BLOCK_H_
