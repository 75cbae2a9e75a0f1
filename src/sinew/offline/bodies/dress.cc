#include "sinew/offline/bodies/dress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/bodies/cloth.h"
#include "sinew/offline/bodies/surface_body.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/lod/level_character.h"

namespace sinew::bodies {
namespace {

constexpr double kMostThickness = 0.1;

Garment Make(const std::string& name, double thickness) {
  Garment garment;
  garment.name = name;
  garment.thickness = thickness;
  return garment;
}

Garment DrawTrousers(Random& random) {
  Garment trousers = Make("trousers", random.Uniform(0.003, 0.009));
  trousers.high[kUp] = random.Uniform(0.5, 1.4);
  trousers.high[kLeg] = random.Uniform(0.35, 1.9);
  trousers.flare = random.Uniform(0, 1.5);
  return trousers;
}

// A coat reaches down the thighs; a shirt ends on the trunk.
Garment DrawTop(bool coat, Random& random) {
  Garment top = coat ? Make("coat", random.Uniform(0.007, 0.015)) : Make("shirt", random.Uniform(0.003, 0.008));
  top.high[kUp] = random.Uniform(4.1, 4.5);
  top.high[kArm] = coat ? random.Uniform(1.4, 1.95) : random.Uniform(0.2, 1.95);
  if (coat) {
    top.high[kLeg] = random.Uniform(0.25, 0.85);
    top.flare = random.Uniform(0.3, 1.5);
  } else {
    top.low[kUp] = random.Uniform(0.15, 1.2);
    top.high[kLeg] = 0.3;
  }
  return top;
}

Garment DrawShoes(Random& random) {
  Garment shoes = Make("shoes", random.Uniform(0.004, 0.01));
  shoes.low[kLeg] = random.Uniform(0, 1) < 0.3 ? random.Uniform(1.3, 1.7) : random.Uniform(1.8, 2.0);
  return shoes;
}

// Distance inside (negative) or outside of a garment's limits, about in the unit of the file.
double LevelOf(const Garment& garment, const Eigen::RowVectorXd& places, const Eigen::Vector4d& lengths) {
  double level = -std::numeric_limits<double>::infinity();
  for (int c = 0; c < kBodyCoordinates; ++c) {
    if (std::isfinite(garment.low[c])) level = std::max(level, (garment.low[c] - places[c]) * lengths[c]);
    if (std::isfinite(garment.high[c])) level = std::max(level, (places[c] - garment.high[c]) * lengths[c]);
  }
  return std::isfinite(level) ? level : -1;
}

double FlareOf(const Garment& garment, const Eigen::RowVectorXd& places) {
  double flare = 0;
  for (const int c : {kArm, kLeg}) {
    if (std::isfinite(garment.high[c])) flare = std::max(flare, places[c] / garment.high[c]);
  }
  return 1 + garment.flare * std::clamp(flare, 0.0, 1.0);
}

}  // namespace

DressRecipe DrawDress(uint64_t seed) {
  Random random(seed);
  const auto chance = [&](double share) { return random.Uniform() < share; };
  DressRecipe recipe;
  if (chance(0.85)) recipe.garments.push_back(DrawTrousers(random));
  if (chance(0.9)) recipe.garments.push_back(DrawTop(false, random));
  if (chance(0.35)) recipe.garments.push_back(DrawTop(true, random));
  if (chance(0.75)) recipe.garments.push_back(DrawShoes(random));
  if (chance(0.25)) {
    recipe.garments.push_back(Make("gloves", random.Uniform(0.0015, 0.004)));
    recipe.garments.back().low[kArm] = random.Uniform(1.6, 1.95);
  }
  const bool hair = chance(0.5), helmet = !hair && chance(0.4);
  if (hair || helmet) {
    recipe.garments.push_back(hair ? Make("hair", random.Uniform(0.005, 0.02))
                                   : Make("helmet", random.Uniform(0.012, 0.022)));
    recipe.garments.back().low[kHair] = random.Uniform(0.15, 0.4);
  }
  if (recipe.garments.empty()) recipe.garments.push_back(DrawTop(false, random));
  return recipe;
}

MadeBody Dress(const Character& character, const DressRecipe& recipe, const std::string& file) {
  for (const Garment& garment : recipe.garments) {
    if (garment.thickness > 0 && garment.thickness <= kMostThickness && garment.flare >= 0 && garment.flare <= 5)
      continue;
    throw UsageError(
        fmt::format("'{}' cannot be {} of the body's height thick with a flare of {}; give above 0 to {}, "
                    "and 0 to 5",
                    garment.name, garment.thickness, garment.flare, kMostThickness));
  }
  const lod::Surface surface = lod::BuildSurface(character, file);
  const lod::LevelFields fields = lod::FinestFields(character, surface, {});
  const BodyPlaces places = FindPlaces(character, surface, fields.weights, file);
  Cloth cloth(surface, places.coordinates);
  for (const Garment& garment : recipe.garments) {
    std::vector<double> levels, thicknesses;
    for (int p = 0; p < cloth.point_count(); ++p) {
      const Eigen::RowVectorXd at = cloth.fields(p);
      levels.push_back(LevelOf(garment, at, places.lengths));
      thicknesses.push_back(garment.thickness * places.height * FlareOf(garment, at));
    }
    cloth.Cover(std::move(levels), std::move(thicknesses));
  }
  return ToBody(character, surface, cloth.Result());
}

}  // namespace sinew::bodies
