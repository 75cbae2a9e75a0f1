#include "sinew/runtime/skin/reference.h"

#include "sinew/runtime/skin/vertex.h"

namespace sinew::runtime {
namespace {

template <typename Vertex>
void ForEachVertex(const PlainWeights& w, const SkinStreams& streams, Bounds* bounds, const Vertex& vertex) {
  const int count = w.influences == 0 ? 0 : static_cast<int>(w.joints.size()) / w.influences;
  constexpr float kHuge = 3.4e38f;
  Bounds box{{kHuge, kHuge, kHuge}, {-kHuge, -kHuge, -kHuge}};
  for (int v = 0; v < count; ++v) {
    vertex(v, w.joints.data() + v * w.influences, w.weights.data() + v * w.influences);
    if (bounds == nullptr) continue;
    const Float3& p = streams.positions[v];
    box.min = {std::fmin(box.min.x, p.x), std::fmin(box.min.y, p.y), std::fmin(box.min.z, p.z)};
    box.max = {std::fmax(box.max.x, p.x), std::fmax(box.max.y, p.y), std::fmax(box.max.z, p.z)};
  }
  if (bounds != nullptr) *bounds = box;
}

}  // namespace

void LinearBlendReference(const LinearBlendJob& job, const PlainWeights& w) noexcept {
  ForEachVertex(w, job.streams, job.bounds, [&](int v, const uint16_t* joints, const float* weights) {
    scalar::LinearBlend(job, v, joints, weights, w.influences);
  });
}

void DualQuaternionReference(const DualQuaternionJob& job, const PlainWeights& w) noexcept {
  ForEachVertex(w, job.streams, job.bounds, [&](int v, const uint16_t* joints, const float* weights) {
    scalar::DualQuaternion(job, v, joints, weights, w.influences);
  });
}

}  // namespace sinew::runtime
