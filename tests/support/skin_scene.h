// A small character with all that the losses of its weights are measured on.
#ifndef SINEW_TESTS_SUPPORT_SKIN_SCENE_H_
#define SINEW_TESTS_SUPPORT_SKIN_SCENE_H_

#include <numeric>
#include <utility>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/skincells/init_field.h"
#include "sinew/offline/skincells/objective.h"
#include "sinew/offline/skincells/parameters.h"
#include "tests/support/rigs.h"

namespace sinew::testing {

struct SkinScene {
  Character character;
  skincells::Subject subject;
  skincells::TrainingSet set;
  skincells::SkinField field;

  SkinScene(Character skinned, int sites, int l, uint64_t seed = 1)
      : character(std::move(skinned)), subject(skincells::MakeSubject(character, "scene")) {
    const SurfaceQuery query(subject.surface);
    const std::vector<skincells::Bone> bones = skincells::FindBones(subject, query);
    Random random(seed);
    std::vector<Pose> poses;
    for (int p = 0; p < skincells::kBatch; ++p) poses.push_back(RandomPose(character.skeleton, random, 0.8));
    set = skincells::MakeTrainingSet(subject, skincells::MakeSprings(subject, bones, query), character.skeleton, poses);
    field = skincells::InitialField(subject, bones, {.l = l, .sites = sites, .seed = seed});
  }

  // The field's, moved a little, so that no two distances are equal by symmetry.
  Eigen::VectorXd Parameters(uint64_t seed) const {
    Eigen::VectorXd parameters = skincells::ToParameters(field);
    Random random(seed);
    for (double& value : parameters) value += random.Uniform(-0.05, 0.05);
    return parameters;
  }
};

// All poses of a scene.
inline std::vector<int> SceneBatch() {
  std::vector<int> poses(skincells::kBatch);
  std::iota(poses.begin(), poses.end(), 0);
  return poses;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SKIN_SCENE_H_
