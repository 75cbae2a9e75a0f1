#include "sinew/offline/io/gltf/weights.h"

#include <algorithm>
#include <cmath>

namespace sinew::gltf {
namespace {

struct Influence {
  uint16_t joint;
  float weight;
};

// Adds up the weights of a joint that is named twice for one vertex.
void MergeRepeated(std::vector<Influence>& row) {
  for (size_t i = 0; i < row.size(); ++i) {
    for (size_t k = row.size() - 1; k > i; --k) {
      if (row[k].joint != row[i].joint) continue;
      row[i].weight += row[k].weight;
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
}

void CleanRow(std::vector<Influence>& row, uint16_t fallback_joint, WeightRepairs& repairs) {
  const size_t given = row.size();
  std::erase_if(row, [](const Influence& i) { return i.weight <= 0; });
  if (row.empty()) {
    row.push_back({fallback_joint, 1});
    ++repairs.unweighted;
    return;
  }
  const bool negative = row.size() != given;
  MergeRepeated(row);
  std::stable_sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  const bool cut = row.size() > kMaxInfluences;
  if (cut) row.resize(kMaxInfluences, {});
  double sum = 0;
  for (const Influence& i : row) sum += i.weight;
  const bool off = std::abs(sum - 1) > 1e-4;
  if (off || cut) {
    for (Influence& i : row) i.weight = static_cast<float>(i.weight / sum);
  }
  if (cut) {
    ++repairs.cut;
  } else if (off || negative) {
    ++repairs.rescaled;
  }
}

}  // namespace

SkinWeights CleanWeights(const RawInfluences& raw, uint16_t fallback_joint, WeightRepairs& repairs) {
  const size_t vertices = raw.joints.size() / raw.slots;
  std::vector<Influence> kept, row;
  std::vector<size_t> starts{0};
  kept.reserve(raw.joints.size());
  SkinWeights out;
  for (size_t v = 0; v < vertices; ++v) {
    row.clear();
    for (size_t i = v * raw.slots; i < (v + 1) * raw.slots; ++i) {
      if (raw.weights[i] != 0) row.push_back({raw.joints[i], raw.weights[i]});
    }
    CleanRow(row, fallback_joint, repairs);
    kept.insert(kept.end(), row.begin(), row.end());
    starts.push_back(kept.size());
    out.influences = std::max(out.influences, static_cast<int>(row.size()));
  }
  out.joints.assign(vertices * out.influences, 0);
  out.weights.assign(vertices * out.influences, 0);
  for (size_t v = 0; v < vertices; ++v) {
    for (size_t i = starts[v]; i < starts[v + 1]; ++i) {
      out.joints[v * out.influences + i - starts[v]] = kept[i].joint;
      out.weights[v * out.influences + i - starts[v]] = kept[i].weight;
    }
  }
  return out;
}

}  // namespace sinew::gltf
