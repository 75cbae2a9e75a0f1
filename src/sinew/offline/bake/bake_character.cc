#include "sinew/offline/bake/bake_character.h"

#include <fmt/format.h>

#include <utility>

#include "sinew/offline/character/articulation.h"
#include "sinew/offline/character/find_limits.h"
#include "sinew/offline/character/sample_poses.h"
#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

using runtime::Precision;

// The finest precision first.
BakedCharacter FinestWithin(const Hierarchy& hierarchy, const Deformer& deformer, const JointLimits& limits,
                            const BakeRequest& request, const std::string& file) {
  size_t least = 0;
  for (const Precision precision : {Precision::kF32, Precision::kF16, Precision::kI8}) {
    BakedCharacter made;
    made.baked = BuildBundle(hierarchy, deformer, limits, {.precision = precision, .normals = request.normals});
    made.precision = precision;
    least = made.baked.file.bytes().size();
    if (least <= request.most_bytes) return made;
  }
  throw FailedError(fmt::format(
      "{}: takes {} KB in the lowest precision, more than the {} KB that it may have; train with a larger epsilon",
      file, (least + 999) / 1000, request.most_bytes / 1000));
}

}  // namespace

const char* NameOf(Precision precision) {
  return precision == Precision::kF32 ? "f32" : precision == Precision::kF16 ? "f16" : "i8";
}

BakedCharacter BakeCharacter(const Hierarchy& hierarchy, const Deformer& deformer, const BakeRequest& request,
                             const std::string& file) {
  const Character& character = hierarchy.levels.back().character;
  const JointLimits limits = FindLimits(character, file);
  BakedCharacter made;
  if (request.most_bytes > 0) {
    made = FinestWithin(hierarchy, deformer, limits, request, file);
  } else {
    made.precision = request.precision;
    made.baked = BuildBundle(hierarchy, deformer, limits, {.precision = request.precision, .normals = request.normals});
  }
  const std::vector<Pose> poses =
      SamplePoses(Articulation(character.skeleton), limits, {.count = request.poses, .seed = request.seed});
  const BakedBundle exact = BuildBundle(hierarchy, deformer, {}, {.precision = Precision::kF32, .normals = false});
  made.cost = ComparePrecision(made.baked.bundle, exact.bundle, poses);
  return made;
}

}  // namespace sinew
