// Structures of a `.sinew` bundle as they lie in the file (docs/formats/bundle.md), little-endian. Only offline/bake
// (with offline/tables) and asset/unpack.h write them, and only asset/bundle.h reads them. Vertices have two orders:
// the file's order, that of the level's GLB, and internal order, that of the level's tables in memory
// (SectionType::kOrder).
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
  kSkeleton = 1,       // a SkeletonHeader
  kInfo = 2,           // JSON text: names, parts, joint limits, settings
  kRanges = 3,         // a RangeTable
  kTrainedFrames = 4,  // 16 bytes per frame: hashes of training and validation frames, not to be tested with
  kTextures = 5,       // base colours and their images, for renderers; the runtime skips it
  // int16_t per joint: a sibling joint; networks see the joint's rotation relative to the sibling's. -1: networks see
  // the joint's own rotation.
  kReferences = 6,
  kContact = 7,  // a ContactTable
  // Sections of one level.
  kRest = 16,        // a RestHeader
  kTriangles = 17,   // a TrianglesHeader
  kTexcoords = 18,   // a TexcoordsHeader
  kSkin = 19,        // a SkinTable
  kNormals = 20,     // a NormalTable
  kUpsampling = 21,  // an UpsamplingTable, from the next coarser level to this one
  kBasis = 22,       // a BasisTable: modes that are upsampled to finer levels, too, if `incremental`
  kNetworks = 23,    // a NetworkTable
  // uint32_t per vertex: entry i is the index in the file's order of the i-th vertex in internal order; absent if both
  // orders are equal.
  kOrder = 24,
  kSeams = 25,    // SeamCopy each: vertex `to` gets the position of vertex `from`
  kOwnBasis = 26  // a BasisTable: modes of this level alone, which are not upsampled to finer levels
};

// Version of a section's content. Bundles may hold sections of other versions; they are skipped unless required.
constexpr uint32_t VersionOf(SectionType type) { return type == SectionType::kContact ? 2 : 1; }

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

// Offsets inside a section are from the section's start and multiples of 64.

// Slots are what skinning calls joints: one per pair of a skin and a joint.
struct SkeletonHeader {
  uint32_t joint_count, slot_count, features;  // features: a PoseFeatures
  float height;          // body height: longest side of the unskinned mesh's bounding box, in the character's unit
  uint32_t incremental;  // 1: a level's correctives add to those of the coarser levels; 0: each level stands by itself
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
  // Float3, Float3 and Float4 per vertex, in internal order, with 16 bytes of padding behind each array.
  uint64_t positions_offset, normals_offset, tangents_offset;
};

// Triangles in groups of kTriangleGroup, with vertices in the file's order. A corner is stored as its vertex index
// minus the group's lowest vertex index, in 16 bits if `narrow` is 1, in 32 bits otherwise.
constexpr uint32_t kTriangleGroup = 64;
struct TrianglesHeader {
  uint32_t triangle_count, narrow, reserved[2];
  // firsts: uint32_t per group, its lowest vertex index; corners: three uint16_t or uint32_t per triangle.
  uint64_t firsts_offset, corners_offset;
};

// Quantised texture coordinates: u = min[0] + extent[0] * value / 65535, likewise v with index 1.
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
