// Builds the runtime's SkinTable from weights as files store them. Depends only on the standard library and the
// runtime.
#ifndef SINEW_OFFLINE_TABLES_SKIN_BUILDER_H_
#define SINEW_OFFLINE_TABLES_SKIN_BUILDER_H_

#include <string>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/skin/reference.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::tables {

struct BuiltSkin {
  Block block;               // what a bundle stores
  runtime::SkinTable table;  // points into the block
};

// Builds the table of a mesh. weights: any number of entries per vertex, of which at most runtime::kMaxInfluences are
// above zero; entries of the same joint are added up, and the sums are sorted strongest first and scaled to the sum 1.
// name: what errors call the mesh. Throws InputError, naming the vertex, for a weight that is negative or not finite, a
// joint index of joint_count or more, more influences than the runtime supports, and no weight at all.
BuiltSkin BuildSkin(const runtime::PlainWeights& weights, int joint_count, const std::string& name);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_SKIN_BUILDER_H_
