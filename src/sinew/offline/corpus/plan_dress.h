// What the bodies of a corpus wear: dress recipes, of which no one is on two sides, and garments from files.
#ifndef SINEW_OFFLINE_CORPUS_PLAN_DRESS_H_
#define SINEW_OFFLINE_CORPUS_PLAN_DRESS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/bodies/dress.h"
#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/corpus/recipe.h"

namespace sinew::corpus {

// Gives every body, whose side is known, a garment, a dress recipe or neither (CorpusBody::garment, dress), by its
// seed. A body from a file gets a garment whose name ends in the same number as its own, if there is one; otherwise
// garments are drawn from those with no body's number. file: the recipe. Throws InputError, naming it, for a garment
// that is not there, for two of one name, and for a body that no garment is left for.
void PlanDress(const Recipe& recipe, const std::string& file, std::vector<CorpusBody>& bodies);

// Returns the dress recipe of a number. Numbers of the test come first, then those of validation, then training's: to
// train with more changes no other.
bodies::DressRecipe DressOf(const Recipe& recipe, int number);

// Returns the path of the garment that a body wears.
std::filesystem::path GarmentFile(const Recipe& recipe, const CorpusBody& body);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PLAN_DRESS_H_
