// From the modes of a level's regions to the runtime's BasisTable. Uses the standard library and the runtime alone.
#ifndef SINEW_OFFLINE_TABLES_BASIS_BUILDER_H_
#define SINEW_OFFLINE_TABLES_BASIS_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/multires/basis_table.h"

namespace sinew::tables {

// The modes of one region, whose coefficients follow each other.
struct RawModes {
  int first_coefficient = 0, modes = 0;
  std::vector<uint32_t> vertices;  // in the level's internal order, any order, each once
  std::vector<float> values;       // modes * 3 for each of them: (x, y, z) of the first mode, of the second, ...
};

struct BuiltBasis {
  Block block;                // what a bundle would store
  runtime::BasisTable table;  // points into the block
};

// name: what an error calls the level. Throws UsageError for modes that do not fit the counts.
BuiltBasis BuildBasis(const std::vector<RawModes>& regions, int vertex_count, int coefficient_count,
                      runtime::Precision precision, const std::string& name);

// How many entries such a table has: its size but for a factor. order: entry i is the vertex that would be i-th.
size_t CountBasisEntries(const std::vector<RawModes>& regions, const std::vector<uint32_t>& order);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_BASIS_BUILDER_H_
