// What must hold for every character: written and read again it is the same, from scratch and after any change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/gltf/same.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/random_character.h"
#include "tests/support/rigs.h"
#include "tests/support/same_character.h"

namespace sinew::gltf {
namespace {

using testing::Differences;
using ::testing::IsEmpty;
using testing::RandomCharacter;

Character WriteAndRead(const Character& character) {
  return ReadGltf(EncodeGlb(character), "random.glb", "", {.skin = "", .quiet = true});
}

TEST(Properties, WrittenAndReadAgainIsTheSame) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    const Character character = RandomCharacter(seed);
    const Character again = WriteAndRead(character);
    RC_ASSERT(Differences(character, again) == std::vector<std::string>());
    RC_ASSERT((EncodeGlb(again) == EncodeGlb(character)) == true);
  }));
}

// The second vertex; the first is what makes sure that every slot is used.
void GiveToFirstJoint(SkinWeights& weights) {
  for (int k = 0; k < weights.influences; ++k) {
    weights.joints[weights.influences + k] = 0;
    weights.weights[weights.influences + k] = k == 0 ? 1.0f : 0.0f;
  }
}

TEST(Properties, AnyChangeToADocumentIsWrittenAndNothingElse) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t other_seed) {
    Character character = WriteAndRead(RandomCharacter(seed));
    Random random(other_seed);
    Part& part = character.parts[random.Below(static_cast<uint32_t>(character.parts.size()))];
    switch (random.Below(7)) {
      case 0:
        part.mesh.positions.array() += 1;
        break;
      case 1:
        part.mesh.triangles.conservativeResize(1, 3);
        break;
      case 2:
        part.normals.resize(0, 3);
        break;
      case 3:
        if (part.skin >= 0) GiveToFirstJoint(part.weights);
        break;
      case 4:
        character.skeleton.joints.back().rest.translation.x += 1;
        break;
      case 5:
        character.animations.clear();
        break;
      default:
        part.morphs.clear();
        break;
    }
    RC_ASSERT(Differences(character, WriteAndRead(character)) == std::vector<std::string>());
  }));
}

TEST(Properties, ASkeletonAloneComesBack) {
  Character character = RandomCharacter(5);
  character.parts.clear();
  character.skins.clear();
  const Character again = WriteAndRead(character);
  ASSERT_EQ(again.skeleton.joint_count(), character.skeleton.joint_count());
  EXPECT_TRUE(gltf::SameList(character.animations, again.animations));
  EXPECT_EQ(again.skins.size(), 1) << "a skin is what makes nodes joints";
}

std::string WriteError(const Character& character) {
  try {
    EncodeGlb(character);
  } catch (const FailedError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Properties, WhatCannotBeWrittenIsSaid) {
  Character character = RandomCharacter(1);
  character.parts.resize(1);
  Character broken = character;
  broken.parts[0].mesh.positions(1, 2) = NAN;
  EXPECT_EQ(WriteError(broken), "part 'part0', POSITION: element 1 is nan, which cannot be written");
  broken = character;
  broken.parts[0].mesh.triangles.resize(0, 3);
  EXPECT_EQ(WriteError(broken), "part 'part0', triangles: there are none, which glTF cannot say");
  broken = character;
  broken.skins[0].has_joint[broken.parts[0].weights.joints[0]] = false;
  EXPECT_NE(WriteError(broken).find("is not in its skin"), std::string::npos) << WriteError(broken);
}

// The reader finds the carriers of joints from animations. The writer keeps them, also without those animations.
TEST(Carriers, AreFoundAndKept) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const testing::FreeFeet feet = testing::MakeFreeFeet(seed);
    const Character read = WriteAndRead(feet.character);
    Character still = read;
    still.animations.clear();
    Character anew = still;
    anew.source = nullptr;
    for (const Character& character : {read, WriteAndRead(still), WriteAndRead(anew)}) {
      const Skeleton& skeleton = character.skeleton;
      for (int j = 0; j < skeleton.joint_count(); ++j) {
        const std::string& name = skeleton.joints[j].name;
        const int carrier = skeleton.joints[j].carrier;
        if (name.ends_with("_ankle")) {
          ASSERT_GE(carrier, 0) << name;
          EXPECT_EQ(skeleton.joints[carrier].name, name.substr(0, name.find('_')) + "_knee");
        } else {
          EXPECT_EQ(carrier, -1) << name;
        }
      }
    }
    EXPECT_EQ(EncodeGlb(WriteAndRead(anew)), EncodeGlb(anew));
  }
}

// Names the carrier of every joint that it is given for, by node, and reads that.
Character WithCarriers(const std::vector<std::pair<int, Json>>& carriers) {
  testing::GltfBuilder rig = testing::SmallRig();
  for (const auto& [node, carrier] : carriers) rig.json["nodes"][node]["extras"]["sinew_carrier"] = carrier;
  return ReadGltf(rig.Glb(), "rig.glb", "", {.skin = "", .quiet = true});
}

TEST(Carriers, ThatAFileGivesAreTaken) {
  const testing::GltfBuilder rig = testing::SmallRig();
  const std::vector<int> joints = rig.json["skins"][0]["joints"];
  const auto name_of = [&](int joint) { return rig.json["nodes"][joints[joint]]["name"]; };
  // The parent is no carrier, and what is no text is none.
  for (const Json& value : {name_of(0), Json(3), Json()}) {
    const Character character = WithCarriers({{joints[1], value}});
    for (const Joint& joint : character.skeleton.joints) EXPECT_EQ(joint.carrier, -1);
  }
  const auto problem = [&](const std::vector<std::pair<int, Json>>& carriers) -> std::string {
    try {
      WithCarriers(carriers);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem({{joints[1], "nobody"}}), ::testing::HasSubstr("names \"nobody\", which is no joint"));
  EXPECT_THAT(problem({{joints[0], name_of(1)}}), ::testing::HasSubstr("has joints carry each other"));
  EXPECT_THAT(problem({{joints[1], name_of(1)}}), ::testing::HasSubstr("has joints carry each other"));
}

}  // namespace
}  // namespace sinew::gltf
