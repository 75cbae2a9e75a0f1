#include "sinew/offline/inspect/inspect_deep.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/inspect/inspect_rig.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::inspect {
namespace {

// Returns the joint of largest weight at the first corner of a triangle of the whole surface.
std::string JointOf(const Character& character, const RestSurface& whole, int triangle) {
  const auto [part, local] = whole.PartTriangle(triangle);
  return StrongestJoint(character, part, character.parts[part].mesh.triangles(local, 0));
}

void FindIntersections(const Character& character, const RestSurface& whole, DeepInspection& deep) {
  std::map<std::string, int> pairs;
  TrianglePairs found = SelfIntersections(whole.welded, kMaxIntersections + 1);
  deep.more_intersections = found.size() > kMaxIntersections;
  if (deep.more_intersections) found.pop_back();
  for (const auto& [s, t] : found) {
    deep.intersections.push_back({whole.PartTriangle(s), whole.PartTriangle(t)});
    ++pairs[JointOf(character, whole, s)];
  }
  for (const auto& [joint, count] : pairs) deep.intersections_by_joint.push_back({joint, count});
  std::stable_sort(deep.intersections_by_joint.begin(), deep.intersections_by_joint.end(),
                   [](const auto& a, const auto& b) { return a.pairs > b.pairs; });
}

void FindClearance(const Character& character, const RestSurface& whole, double model_scale, DeepInspection& deep) {
  const TriMesh& welded = whole.welded;
  deep.clearance = MinimumClearance(welded);
  if (!deep.clearance) return;
  for (int t = 0; t < welded.triangle_count() && deep.clearance_from.empty(); ++t) {
    if ((welded.triangles.row(t).array() == deep.clearance->vertex).any()) {
      deep.clearance_from = JointOf(character, whole, t);
    }
  }
  deep.clearance_to = JointOf(character, whole, deep.clearance->triangle);
  deep.clearance->distance *= model_scale;
}

// Approximate number of vertices of a part that are tested for being inside another, and of all tests together, which
// thousands of parts share.
constexpr int kSamples = 2000, kMaxTests = 1'000'000;

// Returns pairs (outer, inner) of parts of which the outer one is closed and the inner one may reach into it; at most
// kMaxTests.
std::vector<std::array<int, 2>> PossibleContainments(const std::vector<PartInspection>& parts,
                                                     const PosedCharacter& displayed) {
  std::vector<Box> boxes;
  for (const PosedPart& part : displayed.parts) boxes.push_back(BoundingBox(part.positions));
  std::vector<std::array<int, 2>> pairs;
  for (int outer = 0; outer < static_cast<int>(parts.size()); ++outer) {
    if (!parts[outer].surface.watertight) continue;
    for (int inner = 0; inner < static_cast<int>(parts.size()); ++inner) {
      if (inner == outer || !boxes[outer].intersects(boxes[inner])) continue;
      pairs.push_back({outer, inner});
      if (pairs.size() == kMaxTests) return pairs;
    }
  }
  return pairs;
}

void FindContainment(const std::vector<PartInspection>& parts, const Character& character,
                     const PosedCharacter& displayed, DeepInspection& deep) {
  const std::vector<std::array<int, 2>> pairs = PossibleContainments(parts, displayed);
  const int wanted = std::clamp(kMaxTests / std::max(1, static_cast<int>(pairs.size())), 1, kSamples);
  std::optional<WindingNumber> winding;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto [outer, inner] = pairs[i];
    if (i == 0 || outer != pairs[i - 1][0]) {
      winding.emplace(TriMesh{displayed.parts[outer].positions, character.parts[outer].mesh.triangles});
    }
    const Points& points = displayed.parts[inner].positions;
    const int stride = std::max(1, static_cast<int>(points.rows()) / wanted);
    const int samples = (static_cast<int>(points.rows()) + stride - 1) / stride;
    const int inside = ParallelReduce(
        samples, 64, 0,
        [&](int begin, int end) {
          int count = 0;
          for (int k = begin; k < end; ++k) count += winding->Inside(points.row(k * stride).transpose());
          return count;
        },
        [](int& total, int part) { total += part; });
    const double share = static_cast<double>(inside) / samples;
    if (share > 0) deep.containment.push_back({parts[inner].name, parts[outer].name, share});
  }
}

}  // namespace

DeepInspection InspectDeep(const Character& character, const std::vector<PartInspection>& parts,
                           const PosedCharacter& displayed, const RestSurface& whole, double model_scale) {
  DeepInspection deep;
  FindIntersections(character, whole, deep);
  FindClearance(character, whole, model_scale, deep);
  deep.quality = MeasureQuality(whole.welded);
  FindContainment(parts, character, displayed, deep);
  return deep;
}

}  // namespace sinew::inspect
