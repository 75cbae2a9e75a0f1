// Reads and writes Stanford PLY: points, meshes and Gaussian splats, with whatever properties they carry.
// docs/formats/ply.md.
#ifndef SINEW_OFFLINE_IO_PLY_H_
#define SINEW_OFFLINE_IO_PLY_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"

namespace sinew {

enum class PlyFormat { kAscii, kLittleEndian, kBigEndian };
enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };

// Size of one value in bytes.
int SizeOf(PlyType type);

// One column of an element. Values are kept in their own type, in this machine's byte order.
struct PlyProperty {
  std::string name;
  PlyType type = PlyType::kFloat;
  bool list = false;
  PlyType count_type = PlyType::kUint8;  // type of a list's length, in binary files
  std::vector<uint32_t> offsets = {};    // lists: one more than there are records; else empty
  Bytes data = {};

  // Returns value i of the column. For a scalar property that is record i's; for a list, the values of record r are
  // offsets[r] to offsets[r + 1] - 1.
  double At(size_t i) const;
  // Appends a value, rounded into the type's range.
  void Append(double value);
};

struct PlyElement {
  std::string name;
  size_t count = 0;
  std::vector<PlyProperty> properties = {};

  const PlyProperty* Find(std::string_view property) const;
};

struct PlyFile {
  PlyFormat format = PlyFormat::kLittleEndian;
  std::vector<std::string> comments = {};  // whole lines of the header: "comment made by ...", "obj_info ..."
  std::vector<PlyElement> elements = {};

  const PlyElement* Find(std::string_view element) const;
};

// Parses a file. Throws InputError that names the place for anything but one whole file. Allocates no more than a few
// times its size.
PlyFile ParsePly(std::span<const std::byte> bytes, const std::string& file);
PlyFile ReadPly(const std::filesystem::path& path);

// Formats a file as its `format` says; comments come before the elements.
Bytes FormatPly(const PlyFile& file);
void WritePly(const std::filesystem::path& path, const PlyFile& file);

// Returns the positions of the element "vertex". Throws InputError if it has none, or one that is not finite.
Points PlyPoints(const PlyFile& ply, const std::string& file);

// Returns a mesh: vertices, faces cut into triangles, normals. Throws InputError for a file without faces, and for a
// face of fewer than three corners or of vertices that are not there.
Character PlyCharacter(const PlyFile& ply, const std::string& file);

// Appends joint_0, weight_0, joint_1, ... to the vertices' properties, replacing any that are there, and a comment
// "sinew joint INDEX NAME" for every joint of the skeleton. Nothing else changes. weights: one row per vertex.
void AddPlyWeights(const SkinWeights& weights, const Skeleton& skeleton, PlyFile& ply);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_PLY_H_
