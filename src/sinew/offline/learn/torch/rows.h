// Sums, copies and maxima of rows along maps, forward and backward, in a fixed order on the CPU.
#ifndef SINEW_OFFLINE_LEARN_TORCH_ROWS_H_
#define SINEW_OFFLINE_LEARN_TORCH_ROWS_H_

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace sinew_torch {

using torch::Tensor;

// For each row of one matrix a row of another: who takes from where, and, the other way, who adds up what.
struct RowMap {
  Tensor index;         // per row: row of the other
  int64_t targets = 0;  // number of rows of the other
  // Per row of the other: rows of this one that map to it are order[starts[t]] up to order[starts[t + 1]], ascending.
  // Elsewhere than on the CPU there is no `order`.
  Tensor starts, order;

  int64_t rows() const { return index.size(0); }
  Tensor Counts() const { return starts.slice(0, 1) - starts.slice(0, 0, -1); }  // of rows that map to each row
};
RowMap MakeRowMap(const std::vector<int64_t>& index, int64_t targets, torch::Device device);
// The same of an index that is on the device. Elsewhere than on the CPU nothing is copied from or to the device, and
// the map has no `starts`: it serves Take() and Sum() alone.
RowMap MakeRowMap(const Tensor& index, int64_t targets);

// The maps of several matrices, whose rows, and those of the others, follow each other.
RowMap JoinRowMaps(const std::vector<const RowMap*>& maps);

// Copies numbers to a device.
Tensor Upload(const std::vector<int64_t>& values, torch::Device device);

// Rows of a matrix, one per row of the map.
Tensor Take(const Tensor& from, const RowMap& map);

// Sums of the rows that map to each row.
Tensor Sum(const Tensor& from, const RowMap& map);

// Largest entry per column of the rows that map to each row, 0 where there are none; no gradient.
Tensor Largest(const Tensor& from, const RowMap& map);

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_ROWS_H_
