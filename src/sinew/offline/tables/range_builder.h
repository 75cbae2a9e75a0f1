// Builds the runtime's RangeTable from trained out-of-distribution tests ("range tests"). Depends only on the standard
// library and the runtime.
#ifndef SINEW_OFFLINE_TABLES_RANGE_BUILDER_H_
#define SINEW_OFFLINE_TABLES_RANGE_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/multires/range_table.h"

namespace sinew::tables {

// One test, with the meaning of runtime::RangeTable.
struct RawRangeTest {
  std::vector<uint16_t> joints;
  int features = 0, rows = 0, centre_count = 0;
  std::vector<float> L;        // column by column: features * rows
  std::vector<float> centres;  // centre by centre: centre_count * rows
  float inner = 0, outer = 0;
};

struct BuiltRanges {
  Block block;                // what a bundle stores
  runtime::RangeTable table;  // points into the block
};

// Builds the table of all tests. precision: kF32 or kF16. Tests are scaled so that `outer` is 1, which changes no
// result; numbers that half floats cannot hold then are far out of range and stay so.
// name: what errors call the tests. Throws InputError, naming the test, for arrays that do not fit together, numbers
// that are not finite, and bounds that are not 0 <= inner < outer.
BuiltRanges BuildRanges(const std::vector<RawRangeTest>& tests, runtime::Precision precision, const std::string& name);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_RANGE_BUILDER_H_
