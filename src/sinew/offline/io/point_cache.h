// Reads point caches, PC2 and MDD: positions of the vertices of a mesh, frame by frame. docs/formats/point-caches.md.
#ifndef SINEW_OFFLINE_IO_POINT_CACHE_H_
#define SINEW_OFFLINE_IO_POINT_CACHE_H_

#include <filesystem>
#include <span>
#include <string>

#include "sinew/offline/core/file.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

// Layout of a cache's frames in its file: one after another, three 32-bit floats per point.
struct PointCacheLayout {
  int frames = 0;
  int points = 0;
  size_t data_start = 0;
  bool big_endian = false;

  size_t frame_bytes() const { return static_cast<size_t>(points) * 12; }
};

// Parse the header of a cache. bytes: the beginning of the file, 64 bytes of it or all. Throw InputError for anything
// but a cache that ends exactly where its counts say.
PointCacheLayout ParsePc2(std::span<const std::byte> bytes, size_t file_size, const std::string& file);
PointCacheLayout ParseMdd(std::span<const std::byte> bytes, size_t file_size, const std::string& file);

// Reads the layout of a file; the extension, .pc2 or .mdd, tells its type.
PointCacheLayout ReadPointCacheLayout(const std::filesystem::path& path);
// Reads one frame alone. Throws InputError, naming frame and point, for numbers that are not finite.
Points ReadPointCacheFrame(const std::filesystem::path& path, const PointCacheLayout& layout, int frame);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_POINT_CACHE_H_
