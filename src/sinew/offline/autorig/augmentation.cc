#include "sinew/offline/autorig/augmentation.h"

#include <array>

#include "sinew/offline/autorig/named_choice.h"

namespace sinew::autorig {
namespace {

// Switches in the order of AugmentationNames().
constexpr std::array<bool Augmentation::*, 4> kSwitches = {&Augmentation::meshes, &Augmentation::dress,
                                                           &Augmentation::stances, &Augmentation::proportions};

}  // namespace

std::vector<std::string> AugmentationNames() { return {"meshes", "dress", "stances", "proportions"}; }

std::vector<std::string> NamesOf(const Augmentation& augmentation) {
  std::vector<std::string> names;
  for (size_t k = 0; k < kSwitches.size(); ++k) {
    if (augmentation.*kSwitches[k]) names.push_back(AugmentationNames()[k]);
  }
  return names;
}

Augmentation AugmentationOf(const std::vector<std::string>& names) {
  Augmentation augmentation{false, false, false, false};
  const std::vector<std::string> known = AugmentationNames();
  for (const std::string& name : names) {
    if (name != "none") augmentation.*kSwitches[IndexOfWord(name, known, "augmentation")] = true;
  }
  return augmentation;
}

namespace {

// The range without what is switched off.
StanceRange Restricted(const StanceRange& all, const Augmentation& augmentation) {
  StanceRange range = augmentation.stances ? all : UprightStance();
  range.proportions = augmentation.proportions ? all.proportions : 0;
  range.chibi = augmentation.proportions ? all.chibi : 0;
  range.costumes = augmentation.dress ? all.costumes : 0;
  return range;
}

}  // namespace

StanceRange TrainingStances(const Augmentation& augmentation) { return Restricted(TrainingStances(), augmentation); }

StanceRange ValidationStances(const Augmentation& augmentation) {
  return Restricted(ValidationStances(), augmentation);
}

}  // namespace sinew::autorig
