// Builds the runtime's NormalTable from a mesh as files store it. Depends only on the standard library and the runtime.
#ifndef SINEW_OFFLINE_TABLES_NORMAL_BUILDER_H_
#define SINEW_OFFLINE_TABLES_NORMAL_BUILDER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/skin/normal_table.h"
#include "sinew/runtime/skin/reference.h"

namespace sinew::tables {

// A mesh in the rest pose. Vertices are split at UV seams and hard edges, as in files.
struct RawSurface {
  std::span<const runtime::Float3> positions;
  std::span<const runtime::Float3> normals;  // unit length; may be empty: then everything is smooth
  std::span<const uint32_t> triangles;       // three vertices each
  runtime::PlainWeights weights;             // may be empty
};

// Returns the smoothing group of each vertex, numbered from 0 in the order of the groups' first vertices. Vertices
// belong to one group if they are at exactly the same position, move together (their weights are the same), and their
// normals differ by less than a degree: a split that changes the normal is a hard edge, one that does not is a seam of
// another attribute.
std::vector<uint32_t> SmoothingGroups(const RawSurface& surface);

struct BuiltNormals {
  Block block;                 // what a bundle stores
  runtime::NormalTable table;  // points into the block
};

// Builds the table of a mesh. name: what errors call the mesh. Throws InputError for a triangle that names a vertex
// that does not exist.
BuiltNormals BuildNormals(const RawSurface& surface, const std::string& name);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_NORMAL_BUILDER_H_
