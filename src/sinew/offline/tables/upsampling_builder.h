// From an upsampling operator as simplification makes it to the runtime's UpsamplingTable, and the order in which a
// level's vertices are best kept. Uses the standard library and the runtime alone.
#ifndef SINEW_OFFLINE_TABLES_UPSAMPLING_BUILDER_H_
#define SINEW_OFFLINE_TABLES_UPSAMPLING_BUILDER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/base/math.h"
#include "sinew/runtime/multires/upsampling_table.h"

namespace sinew::tables {

// For each fine vertex, in the file's order, the coarse triangle that it lies on.
struct RawUpsampling {
  int coarse_count = 0;
  std::span<const uint32_t> corners;  // three coarse vertices each, numbered as in the coarse level's file
  std::span<const double> weights;    // three each, not negative, with the sum 1
};

// An order of vertices: entry i is the vertex of the file that is i-th in memory. Empty: the file's order.
using MemoryOrder = std::span<const uint32_t>;

// An order of the coarse vertices in which those of a triangle are near each other (Cuthill and McKee 1969: breadth
// first from a vertex with few neighbours). For the coarsest level, which nothing is upsampled to.
std::vector<uint32_t> CoarsestOrder(const RawUpsampling& raw);
// An order of the fine vertices that reads the coarse ones, which are in coarse_order, from front to back.
std::vector<uint32_t> FollowingOrder(const RawUpsampling& raw, MemoryOrder coarse_order);

// A level whose results go to the file's order is best kept in that order, even if it is a bad one: writes all over a
// level cost more than reads all over the coarser one, which is a quarter of it.
struct UpsamplingOrders {
  MemoryOrder fine = {};    // the table's own order, VertexOrder::kInternal
  MemoryOrder coarse = {};  // of what the job reads
};

struct BuiltUpsampling {
  Block block;                     // what a bundle would store
  runtime::UpsamplingTable table;  // points into the block
};

// name: what an error calls the operator. Throws InputError, naming the vertex: a weight that is negative (below
// -1e-6; what is between counts as 0) or not finite, weights whose sum is farther from 1 than 1e-4 (else the third
// takes the difference), a corner that does not exist. Throws UsageError for arrays that do not fit together and for an
// order that is not one.
BuiltUpsampling BuildUpsampling(const RawUpsampling& raw, const UpsamplingOrders& orders, const std::string& name);

// The largest distance between where the operator and the table's packed weights put a vertex, computed in double
// precision. coarse: the coarse level in the file's order; the result has its unit.
double LargestPackingError(const RawUpsampling& raw, std::span<const runtime::Float3> coarse);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_UPSAMPLING_BUILDER_H_
