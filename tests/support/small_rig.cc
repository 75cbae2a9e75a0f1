#include "tests/support/small_rig.h"

#include "sinew/offline/autorig/describe.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"

namespace sinew::testing {

const Character& SmallBiped() {
  static const Character biped = [] {
    const embedded::Kind& kind = embedded::FindKind("biped");
    return embedded::MakeCharacter(kind, embedded::Shape(kind.parameters), 1500);
  }();
  return biped;
}

Character WithoutRig(const Character& character) {
  Character mesh;
  mesh.name = character.name;
  for (const Part& part : character.parts) {
    Part bare;
    bare.name = part.name;
    bare.mesh = part.mesh;
    mesh.parts.push_back(bare);
  }
  return mesh;
}

learn::Model UntrainedRigModel(double limit, const autorig::NetworkChoice& choice) {
  const layers::DescribedNetwork network(autorig::DescribeNetwork(choice), choice.blocks);
  Random random(3);
  const std::array<int, autorig::kJoints> joints = autorig::FindBipedJoints(SmallBiped().skeleton, "biped");
  const std::vector<Eigen::Affine3f> places = LocalToModel(SmallBiped().skeleton, SmallBiped().skeleton.RestPose());
  autorig::VoteScaling scaling;
  for (int j = 0; j < autorig::kJoints; ++j) {
    scaling.mean.row(j) = places[joints[j]].translation().cast<double>().transpose() / 1.75;
  }
  scaling.deviation = 1e-3;  // so that votes say little, and joints are near those of the biped
  autorig::Usual usual = autorig::FitBones({&scaling.mean});
  usual.doubts = {.spread = 1, .moved = 1, .sides = 1, .distance = 1, .outside = 1};
  usual.limit = limit;
  return autorig::MakeRigModel(network, network.InitialParameters(random), scaling, usual,
                               {.network = choice.blocks, .licence = "for tests"}, Json::object());
}

}  // namespace sinew::testing
