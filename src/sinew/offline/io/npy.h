// Reads and writes NumPy's .npy arrays, versions 1 to 3: docs/formats/npy.md.
#ifndef SINEW_OFFLINE_IO_NPY_H_
#define SINEW_OFFLINE_IO_NPY_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew {

enum class NpyType { kBool, kInt8, kInt16, kInt32, kInt64, kUint8, kUint16, kUint32, kUint64, kHalf, kFloat, kDouble };

// Size of one element in bytes.
int SizeOf(NpyType type);
// NumPy's name, without byte order: "f4".
const char* Name(NpyType type);

struct NpyArray {
  NpyType type = NpyType::kFloat;
  std::vector<int64_t> shape;  // empty: one number
  Bytes data;                  // little-endian, last index fastest, whatever the file had

  int64_t size() const;  // number of elements
  // Returns every element as a double. Integers beyond 2^53 are rounded.
  std::vector<double> ToDoubles() const;
  std::vector<float> ToFloats() const;
};

NpyArray MakeNpy(std::span<const float> values, std::vector<int64_t> shape);
NpyArray MakeNpy(std::span<const int32_t> values, std::vector<int64_t> shape);

// Throws InputError for anything but one whole array of plain numbers: cut short, too long, a shape that overflows, a
// type that is not listed above (the message says which). Allocates no more than the array's own size, twice.
NpyArray ParseNpy(std::span<const std::byte> bytes, const std::string& file);
NpyArray ReadNpy(const std::filesystem::path& path);

// Header of an array's file, for callers that read only some of its elements.
struct NpyHeader {
  NpyType type = NpyType::kFloat;
  std::vector<int64_t> shape;
  bool swapped = false;   // big-endian
  bool fortran = false;   // first index fastest
  size_t data_start = 0;  // offset of the elements in the file
};
// bytes: the beginning of a file, or all of it. Throws InputError as ParseNpy() does, for what the header shows.
NpyHeader ParseNpyHeader(std::span<const std::byte> bytes, const std::string& file);
// Throws InputError unless a file of this size ends where the shape says.
void CheckNpySize(const NpyHeader& header, size_t file_size, const std::string& file);

// Formats an array as NumPy writes it: version 1.0, C order, data aligned to 64 bytes.
Bytes FormatNpy(const NpyArray& array);
void WriteNpy(const std::filesystem::path& path, const NpyArray& array);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_NPY_H_
