#include "tests/support/skin_scene.h"

#include <numeric>
#include <utility>

#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/skincells/bones.h"
#include "sinew/offline/skincells/init_field.h"
#include "sinew/offline/skincells/objective.h"
#include "sinew/offline/skincells/parameters.h"
#include "tests/support/rigs.h"

namespace sinew::testing {

SkinScene::SkinScene(Character skinned, int sites, int l, uint64_t seed)
    : character(std::move(skinned)), subject(skincells::MakeSubject(character, "scene")) {
  const SurfaceQuery query(subject.surface);
  const std::vector<skincells::Bone> bones = skincells::FindBones(subject, query);
  Random random(seed);
  std::vector<Pose> poses;
  for (int p = 0; p < skincells::kBatch; ++p) poses.push_back(RandomPose(character.skeleton, random, 0.8));
  set = skincells::MakeTrainingSet(subject, skincells::MakeSprings(subject, bones, query), character.skeleton, poses);
  field = skincells::InitialField(subject, bones, {.l = l, .sites = sites, .seed = seed});
}

Eigen::VectorXd SkinScene::Parameters(uint64_t seed) const {
  Eigen::VectorXd parameters = skincells::ToParameters(field);
  Random random(seed);
  for (double& value : parameters) value += random.Uniform(-0.05, 0.05);
  return parameters;
}

std::vector<int> SceneBatch() {
  std::vector<int> poses(skincells::kBatch);
  std::iota(poses.begin(), poses.end(), 0);
  return poses;
}

}  // namespace sinew::testing
