// Builds the runtime's BasisTable from the modes of a level's regions. Depends only on the standard library and the
// runtime.
#ifndef SINEW_OFFLINE_TABLES_BASIS_BUILDER_H_
#define SINEW_OFFLINE_TABLES_BASIS_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/multires/basis_table.h"

namespace sinew::tables {

// Modes of one region; their coefficients are consecutive.
struct RawModes {
  int first_coefficient = 0, modes = 0;
  std::vector<uint32_t> vertices;  // indices in the level's internal order; in any sequence, each once
  std::vector<float> values;       // per vertex modes * 3 floats: (x, y, z) of the first mode, of the second, ...
};

struct BuiltBasis {
  Block block;                // what a bundle stores
  runtime::BasisTable table;  // points into the block
};

// Builds the table of a level. name: what errors call the level. Throws UsageError for modes that do not fit the
// counts.
BuiltBasis BuildBasis(const std::vector<RawModes>& regions, int vertex_count, int coefficient_count,
                      runtime::Precision precision, const std::string& name);

// Returns the number of entries of such a table, to which its size is proportional, if none is left out as zero. order:
// entry i is the vertex that would be i-th in memory; the regions' vertices are numbered as in it.
size_t CountBasisEntries(const std::vector<RawModes>& regions, const std::vector<uint32_t>& order);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_BASIS_BUILDER_H_
