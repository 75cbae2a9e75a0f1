#include "sinew/offline/bodies/remesh_character.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/offline/bodies/surface_body.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/lod/simplify.h"
#include "sinew/offline/remesh/remesh_triangles.h"

namespace sinew::bodies {
namespace {

using Base = RemeshRecipe::Base;
constexpr std::array<std::pair<Base, const char*>, 3> kBases = {
    {{Base::kSame, "same"}, {Base::kSimplified, "simplified"}, {Base::kIsotropic, "isotropic"}}};
constexpr double kMostEdits = 0.3;

void Check(const RemeshRecipe& recipe) {
  if (recipe.vertices < kFewestVertices || recipe.vertices > kMostVertices) {
    throw UsageError(fmt::format("a body cannot be remeshed with {} vertices; give {} to {}", recipe.vertices,
                                 kFewestVertices, kMostVertices));
  }
  for (const double share : {recipe.flips, recipe.splits, recipe.collapses}) {
    if (share >= 0 && share <= 1) continue;
    throw UsageError(fmt::format("{} is no share of the points to flip, split or collapse; give 0 to 1", share));
  }
  if (!(recipe.exponent >= 0 && recipe.exponent <= 1)) {
    throw UsageError(fmt::format("the exponent of edge lengths is {}; give 0 to 1", recipe.exponent));
  }
}

LabelledMesh ToLabelled(const lod::Surface& surface) {
  return {{surface.positions, surface.triangles}, surface.part_of};
}

RemeshedTriangles Simplified(const lod::Surface& source, int points) {
  lod::Simplifier simplifier(source);
  simplifier.SimplifyTo(points);
  lod::SimplifiedLevel level = simplifier.Snapshot();
  RemeshedTriangles simplified;
  simplified.map = MapWithinIslands({source.positions, source.triangles}, level.surface.positions, level.finest);
  simplified.result = ToLabelled(level.surface);
  return simplified;
}

RemeshedTriangles RemeshSurface(const lod::Surface& source, const RemeshRecipe& recipe) {
  const bool fewer = recipe.vertices < source.point_count();
  RemeshedTriangles remeshed;
  if (recipe.base == Base::kSame) {
    remeshed = Unchanged(source);
  } else if (recipe.base == Base::kSimplified && fewer) {
    remeshed = Simplified(source, recipe.vertices);
  } else {
    remeshed = RemeshIsotropic(ToLabelled(source), {recipe.vertices, recipe.exponent, recipe.seed});
  }
  const auto points = static_cast<double>(remeshed.map.count());
  const auto number = [&](double share) { return static_cast<int>(std::lround(share * points)); };
  const RandomEdits edits{number(recipe.flips), number(recipe.splits), number(recipe.collapses), recipe.seed};
  if (edits.flips + edits.splits + edits.collapses == 0) return remeshed;
  RemeshedTriangles edited = EditAtRandom(remeshed.result, edits);
  edited.map = Chain(edited.map, ToTriMesh(remeshed.result.mesh), remeshed.map, {source.positions, source.triangles});
  return edited;
}

}  // namespace

std::string NameOf(Base base) {
  for (const auto& [known, name] : kBases) {
    if (known == base) return name;
  }
  throw UsageError("no such way to remesh");
}

Base BaseOfName(const std::string& name) {
  for (const auto& [base, known] : kBases) {
    if (known == name) return base;
  }
  throw UsageError(fmt::format("no way to remesh is called '{}'; there are: same, simplified, isotropic", name));
}

int PointCount(const Character& character, const std::string& file) {
  return lod::BuildSurface(character, file).point_count();
}

RemeshRecipe DrawRemesh(int points, int fewest, int most, uint64_t seed) {
  Random random(seed);
  RemeshRecipe recipe;
  recipe.seed = seed;
  const bool fits = points >= fewest && points <= most;
  recipe.base = kBases[fits ? random.Below(3) : 1 + random.Below(2)].first;
  if (points <= fewest && recipe.base == Base::kSimplified) recipe.base = Base::kIsotropic;
  const int limit = recipe.base == Base::kSimplified ? std::min(points, most) : most;
  recipe.vertices = static_cast<int>(std::lround(std::exp(random.Uniform(std::log(fewest), std::log(limit)))));
  recipe.exponent = random.Uniform(0.3, 0.7);
  recipe.flips = random.Uniform(0, kMostEdits);
  recipe.splits = random.Uniform(0, kMostEdits);
  // As many collapses as splits keep the number of vertices.
  recipe.collapses = recipe.splits;
  return recipe;
}

MadeBody RemeshCharacter(const Character& character, const RemeshRecipe& recipe, const std::string& file) {
  Check(recipe);
  const lod::Surface source = lod::BuildSurface(character, file);
  return ToBody(character, source, RemeshSurface(source, recipe));
}

}  // namespace sinew::bodies
