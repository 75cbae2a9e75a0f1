#include "sinew/offline/bake/bake_character.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/deformer/drop_modes.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::bake {
namespace {

using runtime::Precision;

// Everything that making a bundle needs.
struct Scene {
  const lod::Hierarchy& hierarchy;
  const deformer::Deformer& deformer;
  const JointLimits& limits;
  const BakeRequest& request;
  BakedBundle exact;  // the whole deformer in full precision
  std::vector<Pose> poses;

  BakedCharacter Make(const deformer::Deformer& from, Precision precision) const {
    BakedCharacter made;
    made.baked = BuildBundle(hierarchy, from, limits, {.precision = precision, .normals = request.normals});
    made.precision = precision;
    made.modes = deformer::CountModes(deformer);
    made.dropped = made.modes - deformer::CountModes(from);
    return made;
  }
  void Measure(BakedCharacter& made) const { made.cost = ComparePrecision(made.baked.bundle, exact.bundle, poses); }
};

// Returns the bundle with the most modes that fit into the size, found by bisection. If not even a bundle without modes
// fits, returns that one, which is too large.
BakedCharacter MostWithin(const Scene& scene, Precision precision) {
  constexpr int kBisections = 6;
  const auto make = [&](double share) { return scene.Make(deformer::KeepBestModes(scene.deformer, share), precision); };
  const auto fits = [&](const BakedCharacter& made) {
    return made.baked.file.bytes().size() <= scene.request.max_bytes;
  };
  BakedCharacter best = scene.Make(scene.deformer, precision);
  if (fits(best)) return best;
  best = make(0);
  double low = 0, high = 1;
  for (int i = 0; i < kBisections && fits(best); ++i) {
    const double share = 0.5 * (low + high);
    BakedCharacter made = make(share);
    const bool fit = fits(made);
    (fit ? low : high) = share;
    if (fit) best = std::move(made);
  }
  return best;
}

double TotalOf(const std::vector<PrecisionError>& cost) {
  double total = 0;
  for (const PrecisionError& level : cost) total += level.rms;
  return total;
}

// Returns the bundle of the smallest total error that fits into the size, over all precisions.
BakedCharacter BestWithin(const Scene& scene, const std::string& file) {
  BakedCharacter best;
  size_t least = 0;
  for (const Precision precision : {Precision::kF32, Precision::kF16, Precision::kI8}) {
    BakedCharacter made = MostWithin(scene, precision);
    least = made.baked.file.bytes().size();
    if (least > scene.request.max_bytes) continue;
    scene.Measure(made);
    if (best.cost.empty() || TotalOf(made.cost) < TotalOf(best.cost)) best = std::move(made);
    if (best.dropped == 0) break;  // nothing was dropped: coarser precisions could only add error
  }
  if (best.cost.empty()) {
    throw FailedError(
        fmt::format("{}: takes {} KB without any correctives, more than the {} KB that it may have; raise "
                    "--budget-kb, or make fewer or smaller levels with `sinew lod`",
                    file, (least + 999) / 1000, scene.request.max_bytes / 1000));
  }
  return best;
}

}  // namespace

BakedCharacter BakeCharacter(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer,
                             const BakeRequest& request, const std::string& file) {
  const Character& character = hierarchy.levels.back().character;
  const JointLimits limits = FindLimits(character, file);
  const Scene scene{
      hierarchy,
      deformer,
      limits,
      request,
      BuildBundle(hierarchy, deformer, {}, {.precision = Precision::kF32, .normals = false}),
      poses::SamplePoses(Articulation(character.skeleton), limits, {.count = request.poses, .seed = request.seed})};
  if (request.max_bytes > 0) return BestWithin(scene, file);
  BakedCharacter made = scene.Make(deformer, request.precision);
  scene.Measure(made);
  return made;
}

}  // namespace sinew::bake
