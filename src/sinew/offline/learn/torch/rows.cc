#include "rows.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

namespace sinew_torch {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t kRowsPerThread = 256;

// Sums of the rows that map to each row. libtorch's own sums add one row at a time on the CPU, and in any order on
// CUDA.
Tensor AddRows(const Tensor& from, const Tensor& index, const Tensor& starts, const Tensor& order, int64_t targets) {
  const Tensor rows = from.contiguous().view({from.size(0), -1});
  Tensor sums = torch::zeros({targets, rows.size(1)}, rows.options());
  if (!rows.device().is_cpu()) {
    return sums.index_add_(0, index, rows);
  }
  const int64_t width = rows.size(1);
  const float* const source = rows.data_ptr<float>();
  const int64_t *const start = starts.data_ptr<int64_t>(), *const row = order.data_ptr<int64_t>();
  float* const target = sums.data_ptr<float>();
  at::parallel_for(0, targets, kRowsPerThread, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = start[t]; k < start[t + 1]; ++k) {
        for (int64_t c = 0; c < width; ++c) target[t * width + c] += source[row[k] * width + c];
      }
    }
  });
  return sums;
}

struct TakeFunction : torch::autograd::Function<TakeFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& from, const Tensor& index, const Tensor& starts,
                        const Tensor& order, int64_t targets) {
    context->save_for_backward({index, starts, order});
    context->saved_data["targets"] = targets;
    return from.index_select(0, index);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const int64_t targets = context->saved_data["targets"].toInt();
    return {AddRows(gradients[0], saved[0], saved[1], saved[2], targets), Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

struct SumFunction : torch::autograd::Function<SumFunction> {
  static Tensor forward(AutogradContext* context, const Tensor& from, const Tensor& index, const Tensor& starts,
                        const Tensor& order, int64_t targets) {
    context->save_for_backward({index});
    return AddRows(from, index, starts, order, targets);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {gradients[0].index_select(0, context->get_saved_variables()[0]), Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace

Tensor Upload(const std::vector<int64_t>& values, torch::Device device) {
  // libtorch does not write to it: the copy is its own.
  return torch::from_blob(const_cast<int64_t*>(values.data()), {static_cast<int64_t>(values.size())}, torch::kLong)
      .clone()
      .to(device);
}

RowMap MakeRowMap(const std::vector<int64_t>& index, int64_t targets, torch::Device device) {
  std::vector<int64_t> starts(targets + 1, 0);
  for (const int64_t target : index) ++starts[target + 1];
  for (int64_t t = 0; t < targets; ++t) starts[t + 1] += starts[t];
  if (!device.is_cpu()) return {Upload(index, device), targets, Upload(starts, device), Upload({}, device)};
  std::vector<int64_t> order(index.size()), next(starts.begin(), starts.end() - 1);
  for (size_t row = 0; row < index.size(); ++row) order[next[index[row]]++] = static_cast<int64_t>(row);
  return {Upload(index, device), targets, Upload(starts, device), Upload(order, device)};
}

RowMap JoinRowMaps(const std::vector<const RowMap*>& maps) {
  if (maps.size() == 1) return *maps[0];
  std::vector<Tensor> index, starts, order;
  int64_t rows = 0, targets = 0;
  for (const RowMap* map : maps) {
    index.push_back(map->index + targets);
    starts.push_back(map->starts.slice(0, 0, map->targets) + rows);
    order.push_back(map->order + rows);
    rows += map->rows();
    targets += map->targets;
  }
  starts.push_back(torch::full({1}, rows, maps[0]->starts.options()));
  return {torch::cat(index), targets, torch::cat(starts), torch::cat(order)};
}

RowMap MakeRowMap(const Tensor& index, int64_t targets) {
  if (index.device().is_cpu()) {
    const int64_t* const first = index.data_ptr<int64_t>();
    return MakeRowMap({first, first + index.numel()}, targets, torch::kCPU);
  }
  const Tensor none = torch::empty({0}, index.options());
  return {index, targets, none, none};
}

Tensor Take(const Tensor& from, const RowMap& map) {
  return TakeFunction::apply(from, map.index, map.starts, map.order, map.targets);
}

Tensor Sum(const Tensor& from, const RowMap& map) {
  return SumFunction::apply(from, map.index, map.starts, map.order, map.targets);
}

Tensor Largest(const Tensor& from, const RowMap& map) {
  const torch::NoGradGuard constant;
  const int64_t targets = map.targets, width = from.size(1);
  Tensor largest = torch::zeros({targets, width}, from.options());
  if (!from.device().is_cpu()) {
    const Tensor index = map.index.unsqueeze(1).expand({from.size(0), width});
    return largest.scatter_reduce(0, index, from.detach(), "amax", false);
  }
  // libtorch 1.13 warns that its function may change.
  const Tensor rows = from.detach().contiguous();
  const float* const source = rows.data_ptr<float>();
  const int64_t *const start = map.starts.data_ptr<int64_t>(), *const row = map.order.data_ptr<int64_t>();
  float* const target = largest.data_ptr<float>();
  at::parallel_for(0, targets, kRowsPerThread, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      for (int64_t k = start[t]; k < start[t + 1]; ++k) {
        for (int64_t c = 0; c < width; ++c) {
          const float value = source[row[k] * width + c];
          float& kept = target[t * width + c];
          kept = k == start[t] ? value : std::max(kept, value);
        }
      }
    }
  });
  return largest;
}

}  // namespace sinew_torch
