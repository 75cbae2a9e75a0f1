// Reads and writes our own binary files: eight letters, a version, a checksum, and then plain little-endian numbers.
// The reader trusts nothing: every count is checked against the bytes that are there before memory is allocated.
#ifndef SINEW_OFFLINE_CORE_BINARY_H_
#define SINEW_OFFLINE_CORE_BINARY_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew {

static_assert(std::endian::native == std::endian::little, "numbers are used as they are in the file");

class BinaryWriter {
 public:
  template <typename T>
  void Put(const T* values, size_t count) {
    const size_t at = bytes_.size();
    bytes_.resize(at + count * sizeof(T));
    if (count > 0) std::memcpy(bytes_.data() + at, values, count * sizeof(T));
  }
  template <typename T>
  void Put(const T& value) {
    Put(&value, 1);
  }
  void PutCount(size_t count) { Put(static_cast<uint32_t>(count)); }
  // Puts the text's length first.
  void PutText(std::string_view text) {
    PutCount(text.size());
    Put(text.data(), text.size());
  }

  // Returns the whole file: magic (eight letters), version, checksum of what was put, and what was put.
  Bytes File(std::string_view magic, uint32_t version) const;
  // Returns what was put, for files with a header of their own.
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

// Corrects the checksum of a file that BinaryWriter::File() made, after a change to its bytes: for tests and fuzzing of
// the checks that come after it. Does nothing to fewer bytes than a header.
void SealFile(Bytes& bytes);

class BinaryReader {
 public:
  // Throws InputError where the file does not start with the magic, is of another version, or is not what its checksum
  // says. kind: what the file is, as in "a deformer"; remedy: what to do about a bad one.
  BinaryReader(std::span<const std::byte> bytes, std::string file, std::string_view magic, uint32_t version,
               std::string_view kind, std::string remedy);

  // For files with a header of their own, which the caller takes. Checks nothing.
  BinaryReader(std::span<const std::byte> bytes, std::string file, std::string remedy);

  [[noreturn]] void Fail(const std::string& place, const std::string& problem) const;

  template <typename T>
  std::vector<T> Take(size_t count, const std::string& place) {
    const std::span<const std::byte> raw = TakeBytes(count, sizeof(T), place);
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }
  template <typename T>
  T Take(const std::string& place) {
    T value;
    std::memcpy(&value, TakeBytes(1, sizeof(T), place).data(), sizeof(T));
    return value;
  }
  uint32_t TakeCount(uint32_t least, uint32_t most, const std::string& place);
  std::string TakeText(uint32_t longest, const std::string& place);
  // Takes indices from 0 to below - 1; fails for any other.
  std::vector<int> TakeIndices(size_t count, int below, const std::string& place);
  // Takes finite numbers; fails for any other.
  std::vector<float> TakeFloats(size_t count, const std::string& place);
  std::span<const std::byte> rest() const { return bytes_; }
  // Fails if anything is left.
  void End() const;

 private:
  std::span<const std::byte> TakeBytes(size_t count, size_t size, const std::string& place);

  std::span<const std::byte> bytes_;
  std::string file_, remedy_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_BINARY_H_
