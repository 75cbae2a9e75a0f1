// Structures of a `.sinew` bundle as they lie in the file (docs/formats/bundle.md), little-endian. Only offline/bake
// writes them and only asset/bundle.h reads them.
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
  uint64_t bytes;           // size of the whole file
  uint64_t table_checksum;  // checksum of the section entries, which follow this header
  uint32_t level_count, reserved[7];
};
static_assert(sizeof(FileHeader) == 64);

enum class SectionType : uint32_t {
  // Sections of the whole character.
  kSkeleton = 1,
  kInfo = 2,           // JSON text: names, parts, joint limits, settings
  kRanges = 3,         // a RangeTable
  kTrainedFrames = 4,  // 16 bytes per frame: hashes of frames that must not be used for testing
  kTextures = 5,       // base colours and their images, for renderers; the runtime skips it
  kReferences = 6,     // int16_t per joint: the sibling relative to whose rotation networks see the joint's, or -1
  // Sections of one level.
  kRest = 16,
  kTriangles = 17,
  kTexcoords = 18,
  kSkin = 19,        // a SkinTable
  kNormals = 20,     // a NormalTable
  kUpsampling = 21,  // an UpsamplingTable, from the coarser level to this one
  kBasis = 22,       // a BasisTable: modes that finer levels start from, too
  kNetworks = 23,    // a NetworkTable
  kOrder = 24,    // 32 bits per vertex: the file's index of the i-th in internal order; absent if both orders are equal
  kSeams = 25,    // pairs of 32-bit vertices (from, to): `to` has the position of `from`
  kOwnBasis = 26  // a BasisTable: modes of this level alone, which finer levels do not start from
};

constexpr uint32_t kRequired = 1;     // bit of `flags`: a reader that does not know the section must refuse the file
constexpr uint32_t kPlainLayout = 0;  // value of `layout`: as this version describes the section, for CPUs

struct SectionEntry {
  uint32_t type, version, layout, flags;
  uint32_t level;  // 1: the coarsest; 0: a section of the whole character
  uint32_t reserved;
  // offset: from the start of the file, a multiple of 64. bytes: size without padding. checksum: of these bytes.
  uint64_t offset, bytes, checksum;
  uint64_t reserved_too[2];
};
static_assert(sizeof(SectionEntry) == 64);

// Offsets in sections are from the section's start and multiples of 64.
struct SkeletonHeader {
  uint32_t joint_count, slot_count, features;  // features: a PoseFeatures
  float height;          // body height: longest side of the rest mesh before skinning, in the character's unit
  uint32_t incremental;  // 1: levels add to the coarser ones; 0: each stands by itself
  uint32_t reserved;
  uint64_t parents_offset;  // int16_t per joint: its parent, an earlier joint, or -1
  uint64_t rests_offset;    // Transform per joint: the rest pose
  uint64_t names_offset;    // joint_count + 1 uint32_t: where each name starts in the text; the next entry is its end
  uint64_t text_offset, text_bytes;  // UTF-8, names without separators
  uint64_t slot_joints_offset;       // int16_t per slot: the joint that moves it, or -1: none
  uint64_t inverse_binds_offset;     // Affine per slot: the inverse bind matrix
};

struct RestHeader {
  uint32_t vertex_count, has_normals, has_tangents, reserved;
  // Float3, Float3 and Float4 per vertex, with 16 bytes of padding behind each array.
  uint64_t positions_offset, normals_offset, tangents_offset;
};

// Triangles in groups of kTriangleGroup. A corner is stored as its distance from its group's first vertex; if `narrow`
// is 1, in 16 bits.
constexpr uint32_t kTriangleGroup = 64;
struct TrianglesHeader {
  uint32_t triangle_count, narrow, reserved[2];
  uint64_t firsts_offset, corners_offset;  // firsts: uint32_t per group; corners: uint16_t or uint32_t each
};

// Quantised texture coordinates: u = min + extent * value / 65535.
struct TexcoordsHeader {
  uint32_t vertex_count, reserved;
  float min[2], extent[2];
  uint64_t values_offset;  // two uint16_t per vertex, in the file's order
};

struct SeamCopy {
  uint32_t from, to;  // vertices in the file's order
};

}  // namespace sinew::runtime::format

#endif  // SINEW_RUNTIME_ASSET_FORMAT_H_
