#include "tests/support/truths.h"

#include <utility>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::testing {

Bytes SmallTruth::File() const {
  std::vector<Bytes> records;
  for (const view::TruthFrame& frame : frames) records.push_back(view::FormatTruthFrame(frame));
  return view::FormatTruth(head, records);
}

SmallTruth MakeSmallTruth(uint64_t seed) {
  Random random(seed);
  const auto number = [&](double low, double high) { return static_cast<float>(random.Uniform(low, high)); };
  SmallTruth truth;
  truth.head.joints = {"hips", "knee \"left\"", "Fuß"};
  truth.head.vertices = {3, 8};
  truth.head.clips = {{"walk", true, 30}, {"samples", false, 0}};
  for (int f = 0; f < 4; ++f) {
    truth.head.frames.push_back({f / 2, 10 + f});
    view::TruthFrame& frame = truth.frames.emplace_back();
    for (size_t j = 0; j < truth.head.joints.size(); ++j) {
      Transform joint;
      joint.translation = {number(-1, 1), 0, 1};
      joint.rotation = {0.6f, 0, 0, 0.8f};
      frame.pose.push_back(joint);
    }
    for (const int vertices : truth.head.vertices) {
      Points positions(vertices, 3);
      for (int v = 0; v < vertices; ++v) {
        positions.row(v) << number(-1, 1), 100 * static_cast<float>(f) + number(0, 2), f == 3 ? 0.25f : number(-1, 1);
      }
      frame.levels.push_back(std::move(positions));
    }
  }
  return truth;
}

}  // namespace sinew::testing
