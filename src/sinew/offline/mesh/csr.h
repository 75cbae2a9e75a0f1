// Lists of indices of different lengths in two arrays: compressed sparse rows.
#ifndef SINEW_OFFLINE_MESH_CSR_H_
#define SINEW_OFFLINE_MESH_CSR_H_

#include <numeric>
#include <span>
#include <vector>

namespace sinew {

struct Csr {
  std::vector<int> offsets;  // one more than there are rows, the first 0
  std::vector<int> items;

  int row_count() const { return offsets.empty() ? 0 : static_cast<int>(offsets.size()) - 1; }
  std::span<const int> operator[](int row) const {
    return std::span(items).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
};

// Builds rows by a counting sort: visit(put) calls put(row, item) for every item, and is run twice with the same calls.
// Items keep the order of those calls within their row.
template <typename Visit>
Csr BuildCsr(int rows, const Visit& visit) {
  Csr csr;
  csr.offsets.assign(rows + 1, 0);
  visit([&](int row, int) { ++csr.offsets[row + 1]; });
  std::partial_sum(csr.offsets.begin(), csr.offsets.end(), csr.offsets.begin());
  csr.items.resize(csr.offsets.back());
  std::vector<int> next(csr.offsets.begin(), csr.offsets.end() - 1);
  visit([&](int row, int item) { csr.items[next[row]++] = item; });
  return csr;
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_CSR_H_
