// Builds the runtime's UpsamplingTable from an upsampling operator as simplification makes it, and finds an order in
// memory for a level's vertices. Depends only on the standard library and the runtime.
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

// An upsampling operator: for each fine vertex, in the file's order, the coarse triangle that it lies on.
struct RawUpsampling {
  int coarse_count = 0;
  std::span<const uint32_t> corners;  // three coarse vertices per fine vertex, numbered as in the coarse level's file
  std::span<const double> weights;    // barycentric weights, three per fine vertex, not negative, summing to 1
};

// An order of vertices in memory: entry i is the file's index of the vertex that is i-th. Empty: the file's order.
using MemoryOrder = std::span<const uint32_t>;

// Returns an order of the coarse vertices in which those of a triangle are near each other (Cuthill and McKee 1969:
// breadth first from a vertex with few neighbours). Meant for the coarsest level, to which nothing is upsampled.
std::vector<uint32_t> CoarsestOrder(const RawUpsampling& raw);
// Returns an order of the fine vertices in which the coarse ones, which are in coarse_order, are read from front to
// back.
std::vector<uint32_t> FollowingOrder(const RawUpsampling& raw, MemoryOrder coarse_order);

// Memory orders of both levels of an operator. A level whose results are written in the file's order is best kept in
// that order, even if it has poor locality: scattered writes to a level cost more than scattered reads of the coarser
// one, which has a quarter of its vertices.
struct UpsamplingOrders {
  MemoryOrder fine = {};    // the table's own order, VertexOrder::kInternal
  MemoryOrder coarse = {};  // order of the points that the job reads
};

struct BuiltUpsampling {
  Block block;                     // what a bundle stores
  runtime::UpsamplingTable table;  // points into the block
};

// Builds the table of an operator. name: what errors call the operator. Throws InputError, naming the vertex, for a
// weight that is negative (below -1e-6; a weight between that and 0 counts as 0) or not finite, weights whose sum
// differs from 1 by more than 1e-4 (for smaller differences the third weight is adjusted), and a corner that does not
// exist. Throws UsageError for arrays that do not fit together and for an order that is not a permutation.
BuiltUpsampling BuildUpsampling(const RawUpsampling& raw, const UpsamplingOrders& orders, const std::string& name);

// Returns the largest distance between a vertex's position by the operator and by the table's packed weights, computed
// in double precision. coarse: positions of the coarse level in the file's order; the result is in their unit.
double LargestPackingError(const RawUpsampling& raw, std::span<const runtime::Float3> coarse);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_UPSAMPLING_BUILDER_H_
