// Plan of a corpus: the bodies and clips that a recipe asks for, with their sides, before anything is made.
#ifndef SINEW_OFFLINE_CORPUS_PLAN_H_
#define SINEW_OFFLINE_CORPUS_PLAN_H_

#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/corpus/recipe.h"

namespace sinew::corpus {

// Lists all bodies and clips. Every machine that makes a part of the corpus plans the same. The split of an identity
// depends on the seed, its family and its name alone. Throws InputError (naming `file`, the recipe) for a folder
// without files, people without clips, groups with too few training bodies to mix, and for leaks (leaks.h).
CorpusManifest PlanCorpus(const Recipe& recipe, const std::string& file);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PLAN_H_
