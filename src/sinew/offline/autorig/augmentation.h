// Ways of drawing more examples from the bodies of a recipe, each of which can be left out, to see what it is worth.
#ifndef SINEW_OFFLINE_AUTORIG_AUGMENTATION_H_
#define SINEW_OFFLINE_AUTORIG_AUGMENTATION_H_

#include <string>
#include <vector>

#include "sinew/offline/autorig/example.h"

namespace sinew::autorig {

// Which ways of drawing more examples from the bodies of a recipe are used.
struct Augmentation {
  bool meshes = true;       // every body is on meshes of its own; if not, all with the same triangles are on one
  bool dress = true;        // bodies in garments and dress recipes are among the examples
  bool stances = true;      // stances between T and A, turns of joints and tilts; if not, all stand in the T-pose
  bool proportions = true;  // half of the examples have other proportions
};
// Names of all of them, and those of a choice. AugmentationOf() throws UsageError for a name that does not exist.
std::vector<std::string> AugmentationNames();
std::vector<std::string> NamesOf(const Augmentation& augmentation);
Augmentation AugmentationOf(const std::vector<std::string>& names);
// Stances to train with, and to choose the best network by.
StanceRange TrainingStances(const Augmentation& augmentation);
StanceRange ValidationStances(const Augmentation& augmentation);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_AUGMENTATION_H_
