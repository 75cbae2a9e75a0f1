#include "sinew/offline/io/point_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
constexpr const char* kRemedy = "the file is damaged or cut short: export it again";
constexpr std::string_view kPc2Magic("POINTCACHE2\0", 12);
constexpr size_t kPc2Header = 32;
constexpr size_t kMddHeader = 8;

uint32_t Word(std::span<const std::byte> bytes, size_t at, bool big_endian) {
  uint32_t value = 0;
  for (size_t k = 0; k < 4; ++k) value |= std::to_integer<uint32_t>(bytes[at + k]) << 8 * (big_endian ? 3 - k : k);
  return value;
}

int Count(std::span<const std::byte> bytes, size_t at, bool big_endian, const char* what, const std::string& file) {
  const uint32_t value = Word(bytes, at, big_endian);
  if (value == 0 || value > 1'000'000'000) {
    throw InputError(file, "header", fmt::format("names {} {}", static_cast<int32_t>(value), what), kRemedy);
  }
  return static_cast<int>(value);
}

// data_start may be far beyond the file's end.
void CheckSize(const PointCacheLayout& layout, size_t file_size, const std::string& file) {
  // At most 1e9 * 1e9 * 12, which 64 bits hold.
  const size_t needed = layout.data_start + static_cast<size_t>(layout.frames) * layout.frame_bytes();
  if (needed == file_size) return;
  throw InputError(
      file, "",
      fmt::format("has {} bytes where {} frames of {} points need {}", file_size, layout.frames, layout.points, needed),
      kRemedy);
}

}  // namespace

PointCacheLayout ParsePc2(std::span<const std::byte> bytes, size_t file_size, const std::string& file) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kPc2Magic)) throw InputError(file, "", "is not a PC2 point cache", "check the file");
  if (bytes.size() < kPc2Header) throw InputError(file, "header", "ends too early", kRemedy);
  if (Word(bytes, 12, false) != 1) {
    throw InputError(file, "header", fmt::format("is of version {}, which is not known", Word(bytes, 12, false)),
                     "export it as version 1");
  }
  // Bytes 20 to 27, start frame and sample rate, say when and not where.
  PointCacheLayout layout;
  layout.points = Count(bytes, 16, false, "points", file);
  layout.frames = Count(bytes, 28, false, "samples", file);
  layout.data_start = kPc2Header;
  CheckSize(layout, file_size, file);
  return layout;
}

PointCacheLayout ParseMdd(std::span<const std::byte> bytes, size_t file_size, const std::string& file) {
  if (bytes.size() < kMddHeader) throw InputError(file, "header", "ends too early", kRemedy);
  PointCacheLayout layout;
  layout.big_endian = true;
  layout.frames = Count(bytes, 0, true, "frames", file);
  layout.points = Count(bytes, 4, true, "points", file);
  // A time for each frame comes first.
  layout.data_start = kMddHeader + 4 * static_cast<size_t>(layout.frames);
  CheckSize(layout, file_size, file);
  return layout;
}

PointCacheLayout ReadPointCacheLayout(const fs::path& path) {
  std::error_code error;
  const size_t size = fs::file_size(path, error);
  if (error) throw InputError(path.string(), "", error.message(), "check the path");
  const Bytes beginning = ReadFilePart(path, 0, std::min(size, kPc2Header));
  return LowerExtension(path) == ".mdd" ? ParseMdd(beginning, size, path.string())
                                        : ParsePc2(beginning, size, path.string());
}

Points ReadPointCacheFrame(const fs::path& path, const PointCacheLayout& layout, int frame) {
  const Bytes bytes = ReadFilePart(path, layout.data_start + frame * layout.frame_bytes(), layout.frame_bytes());
  Points points(layout.points, 3);
  for (Eigen::Index i = 0; i < points.size(); ++i) {
    const uint32_t word = Word(bytes, 4 * static_cast<size_t>(i), layout.big_endian);
    std::memcpy(points.data() + i, &word, sizeof(word));
    if (std::isfinite(points.data()[i])) continue;
    throw InputError(path.string(), fmt::format("frame {}, point {}", frame, i / 3), "is not finite", kRemedy);
  }
  return points;
}

}  // namespace sinew
