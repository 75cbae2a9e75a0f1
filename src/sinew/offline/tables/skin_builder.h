// From weights as files have them to the runtime's SkinTable. Uses the standard library and the runtime alone.
#ifndef SINEW_OFFLINE_TABLES_SKIN_BUILDER_H_
#define SINEW_OFFLINE_TABLES_SKIN_BUILDER_H_

#include <string>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/skin/reference.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::tables {

struct BuiltSkin {
  Block block;               // what a bundle would store
  runtime::SkinTable table;  // points into the block
};

// weights: any number of slots a vertex, of which at most runtime::kMaxInfluences are above zero; slots of the same
// joint are added up, the rest sorted strongest first and scaled to the sum 1.
// name: what an error calls the mesh. Throws InputError, naming the vertex: a weight that is negative or not finite, a
// joint index of joint_count or more, more influences than the runtime takes, no weight at all.
BuiltSkin BuildSkin(const runtime::PlainWeights& weights, int joint_count, const std::string& name);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_SKIN_BUILDER_H_
