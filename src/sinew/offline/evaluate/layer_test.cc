#include "sinew/offline/evaluate/layer_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/mesh/inside.h"

namespace sinew::evaluate {
namespace {

// Points of layers and triangles of flesh on one level.
struct Layers {
  std::vector<int> points;    // of layers, increasing
  Triangles flesh;            // triangles of flesh, as indices of points
  std::vector<Sides> groups;  // of the points, by the sides of flesh that they are on at rest

  bool empty() const { return points.empty() || flesh.rows() == 0; }
};

Layers LayersOf(const lod::Level& level, const std::vector<Role>& roles) {
  Layers layers;
  for (size_t p = 0; p < roles.size(); ++p) {
    if (roles[p] == Role::kLayer) layers.points.push_back(static_cast<int>(p));
  }
  const Triangles all = PointTriangles(level);
  layers.flesh.resize(all.rows(), 3);
  Eigen::Index count = 0;
  for (Eigen::Index t = 0; t < all.rows(); ++t) {
    const auto is_flesh = [&](int k) { return roles[all(t, k)] == Role::kFlesh; };
    if (is_flesh(0) && is_flesh(1) && is_flesh(2)) layers.flesh.row(count++) = all.row(t);
  }
  layers.flesh.conservativeResize(count, Eigen::NoChange);
  return layers;
}

double ShareInside(const Layers& layers, const Points& shape, double tolerance) {
  // Reach of covers, in tolerances: what is farther off has not come through them.
  constexpr double kReach = 40;
  std::set<int> wrong;
  for (const Sides& group : layers.groups) {
    const std::vector<int> inside = FindInside({shape, group.below}, group.points, tolerance);
    const std::vector<int> through = FindThrough({shape, group.cover}, group.points, tolerance, kReach * tolerance);
    wrong.insert(inside.begin(), inside.end());
    wrong.insert(through.begin(), through.end());
  }
  return static_cast<double>(wrong.size()) / static_cast<double>(layers.points.size());
}

// Removes the points that are inside the flesh at rest, and groups the others by what is below and over them. Returns
// the share of the points that were removed.
double SetRest(const Points& rest, double tolerance, Layers& layers) {
  if (layers.empty()) return 0;
  const TriMesh flesh{rest, layers.flesh};
  const std::vector<int> hidden = FindInside(flesh, layers.points, tolerance);
  const double share = static_cast<double>(hidden.size()) / static_cast<double>(layers.points.size());
  std::erase_if(layers.points, [&](int p) { return std::binary_search(hidden.begin(), hidden.end(), p); });
  layers.groups = GroupBySides(flesh, layers.points, tolerance);
  return share;
}

}  // namespace

LayerTest TestLayers(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                     const std::vector<Method>& methods, int max_frames) {
  // Collect the layers and the flesh of each level.
  const multires::TruthLevels truths(hierarchy);
  const std::vector<std::vector<Role>> roles = RolesOnLevels(hierarchy, truths, frames.roles);
  const int levels = hierarchy.level_count();
  std::vector<Layers> layers;
  for (int i = 1; i <= levels; ++i) layers.push_back(LayersOf(hierarchy.level(i), roles[i - 1]));
  const auto nothing_to_test = [&] {
    return std::all_of(layers.begin(), layers.end(), [](const Layers& of_level) { return of_level.empty(); });
  };
  LayerTest test;
  if (nothing_to_test()) return test;
  const Method skinning = SkinningMethod(hierarchy, false);
  const std::vector<Points> rest = skinning.shapes(hierarchy.levels.back().character.skeleton.RestPose());
  test.tolerance = LayerTest::kTolerance * SizeAtRest(hierarchy);
  for (int i = 0; i < levels; ++i) test.inside_at_rest.push_back(SetRest(rest[i], test.tolerance, layers[i]));
  if (nothing_to_test()) return test;
  test.frames = std::min(max_frames, frames.count());
  for (const Layers& of_level : layers) {
    test.points.push_back(of_level.empty() ? 0 : static_cast<int>(of_level.points.size()));
  }
  const auto shares = [&](const std::vector<Points>& shapes) {
    std::vector<double> inside(levels, 0);
    for (int i = 0; i < levels; ++i) {
      if (!layers[i].empty()) inside[i] = ShareInside(layers[i], shapes[i], test.tolerance);
    }
    return inside;
  };

  // Frame by frame: the ground truth, then every method.
  test.names = {"truth", skinning.name};
  for (const Method& method : methods) test.names.push_back(method.name);
  std::vector<std::vector<std::vector<double>>> of_frames(test.frames);  // [frame][name][level - 1]
  Progress progress("testing layers", test.frames, "frames");
  ParallelFor(test.frames, 1, [&](int f) {
    const int j = static_cast<int>(static_cast<int64_t>(f) * frames.count() / test.frames);
    std::vector<Points> truth = truths.Coarsened(truths.ToPoints(frames.truth(j)));
    for (int i = 1; i <= levels; ++i) truth[i - 1] = truths.Truth(i, frames.poses[j], truth[i - 1]);
    of_frames[f] = {shares(truth), shares(skinning.shapes(frames.poses[j]))};
    for (const Method& method : methods) of_frames[f].push_back(shares(method.Shapes(frames.poses[j], j)));
    progress.Advance();
  });
  test.inside.assign(test.names.size(), std::vector<double>(levels, 0));
  for (const auto& of_frame : of_frames) {
    for (size_t n = 0; n < test.names.size(); ++n) {
      for (int i = 0; i < levels; ++i) test.inside[n][i] += of_frame[n][i] / test.frames;
    }
  }
  return test;
}

Json LayerJson(const LayerTest& test, double to_mm) {
  if (test.empty()) return nullptr;
  Json levels = Json::array();
  for (size_t i = 0; i < test.points.size(); ++i) {
    Json level = {{"level", i + 1}, {"points", test.points[i]}};
    if (test.points[i] > 0) {
      level["inside_at_rest"] = test.inside_at_rest[i];
      for (size_t n = 0; n < test.names.size(); ++n) level[test.names[n]] = test.inside[n][i];
    }
    levels.push_back(std::move(level));
  }
  return {{"frames", test.frames}, {"tolerance_mm", to_mm * test.tolerance}, {"levels", std::move(levels)}};
}

std::string LayerSentence(const LayerTest& test, double to_mm) {
  if (test.empty() || test.points.back() == 0) return "";
  std::string shares;
  for (size_t n = 0; n < test.names.size(); ++n) {
    shares += fmt::format("{}{} {:.2f}%", n == 0 ? "" : ", ", test.names[n], 100 * test.inside[n].back());
  }
  return fmt::format(
      "layers: of {} points on the finest level, not counting {:.2g}% that are inside the flesh at rest, more than "
      "{:.2f} "
      "mm inside it are: {} (mean over {} frames)",
      test.points.back(), 100 * test.inside_at_rest.back(), to_mm * test.tolerance, shares, test.frames);
}

}  // namespace sinew::evaluate
