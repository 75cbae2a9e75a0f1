// A small character with all that the losses of its weights are measured on.
#ifndef SINEW_TESTS_SUPPORT_SKIN_SCENE_H_
#define SINEW_TESTS_SUPPORT_SKIN_SCENE_H_

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/skincells/field.h"
#include "sinew/offline/skincells/subject.h"
#include "sinew/offline/skincells/training_set.h"

namespace sinew::testing {

struct SkinScene {
  Character character;
  skincells::Subject subject;
  skincells::TrainingSet set;
  skincells::SkinField field;

  SkinScene(Character skinned, int sites, int l, uint64_t seed = 1);

  // The field's, moved a little, so that no two distances are equal by symmetry.
  Eigen::VectorXd Parameters(uint64_t seed) const;
};

// All poses of a scene.
std::vector<int> SceneBatch();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SKIN_SCENE_H_
