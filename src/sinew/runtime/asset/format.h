// The bytes of a `.sinew` bundle: docs/formats/bundle.md. Little-endian. Only offline/bake writes it and only
// asset/bundle.h reads it.
#ifndef SINEW_RUNTIME_ASSET_FORMAT_H_
#define SINEW_RUNTIME_ASSET_FORMAT_H_

#include <cstdint>

#include "sinew/runtime/base/math.h"

namespace sinew::runtime::format {

constexpr char kMagic[8] = {'S', 'I', 'N', 'E', 'W', 'B', 'D', 'L'};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMaxLevels = 16;
constexpr uint32_t kMaxSections = 4096;
constexpr uint32_t kMaxJoints = 32767;

struct FileHeader {
  char magic[8];
  uint32_t version, section_count;
  uint64_t bytes;           // of the file
  uint64_t table_checksum;  // of the sections' entries, which follow this header
  uint32_t level_count, reserved[7];
};
static_assert(sizeof(FileHeader) == 64);

enum class SectionType : uint32_t {
  // Of the whole character.
  kSkeleton = 1,
  kInfo = 2,           // JSON text: names, parts, joint limits, settings
  kRanges = 3,         // a RangeTable
  kTrainedFrames = 4,  // 16 bytes for each frame that must not be tested with
  kTextures = 5,       // base colours and their images; for what draws, the runtime skips it
  kReferences = 6,     // int16_t a joint: the joint beside it against which networks see its rotation, or -1: none
  // Of one level.
  kRest = 16,
  kTriangles = 17,
  kTexcoords = 18,
  kSkin = 19,        // a SkinTable
  kNormals = 20,     // a NormalTable
  kUpsampling = 21,  // an UpsamplingTable, from the coarser level to this one
  kBasis = 22,       // a BasisTable
  kNetworks = 23,    // a NetworkTable
  kOrder = 24,       // 32-bit: which vertex of the file is i-th in the internal order; left out where both are the same
  kSeams = 25,       // pairs of 32-bit vertices (from, to): `to` is at the place of `from`
  kOwnBasis = 26     // a BasisTable: modes of this level alone, which finer levels do not start from
};

constexpr uint32_t kRequired = 1;     // of flags: a reader that does not know the section must refuse the file
constexpr uint32_t kPlainLayout = 0;  // of layout: as this version describes the section, for CPUs

struct SectionEntry {
  uint32_t type, version, layout, flags;
  uint32_t level;  // 1 the coarsest; 0: of the whole character
  uint32_t reserved;
  uint64_t offset, bytes, checksum;  // from the start of the file, a multiple of 64; without padding; of these bytes
  uint64_t reserved_too[2];
};
static_assert(sizeof(SectionEntry) == 64);

// Offsets in sections are from the section's start and multiples of 64.
struct SkeletonHeader {
  uint32_t joint_count, slot_count, features;  // PoseFeatures
  float height;                                // of the body, in the character's unit
  uint32_t incremental;                        // 1: levels add to the coarser ones; 0: each is by itself
  uint32_t reserved;
  uint64_t parents_offset;           // int16_t each: an earlier joint, or -1
  uint64_t rests_offset;             // Transform each
  uint64_t names_offset;             // uint32_t each and one more: where names start and end in the text
  uint64_t text_offset, text_bytes;  // UTF-8
  uint64_t slot_joints_offset;       // int16_t each: the joint that moves the slot, or -1: none does
  uint64_t inverse_binds_offset;     // Affine each
};

struct RestHeader {
  uint32_t vertex_count, has_normals, has_tangents, reserved;
  uint64_t positions_offset, normals_offset, tangents_offset;  // Float3, Float3, Float4; 16 bytes behind each
};

// Triangles in groups of kTriangleGroup. Narrow: corners are 16-bit distances from their group's first vertex.
constexpr uint32_t kTriangleGroup = 64;
struct TrianglesHeader {
  uint32_t triangle_count, narrow, reserved[2];
  uint64_t firsts_offset, corners_offset;  // uint32_t a group; uint16_t or uint32_t a corner
};

// u = min + extent * value / 65535.
struct TexcoordsHeader {
  uint32_t vertex_count, reserved;
  float min[2], extent[2];
  uint64_t values_offset;  // two uint16_t a vertex, in the file's order
};

struct SeamCopy {
  uint32_t from, to;  // vertices in the file's order
};

}  // namespace sinew::runtime::format

#endif  // SINEW_RUNTIME_ASSET_FORMAT_H_
