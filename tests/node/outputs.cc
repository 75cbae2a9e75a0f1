// node_outputs FOLDER [ASSETS]: writes what other programs are to judge into FOLDER: characters made from scratch,
// after edits, and converted from ASSETS; and posed.json, which says where vertices are in some of them at some time.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/obj.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/random_character.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr float kRate = 20;

// Where the vertices of one frame of one animation are, by the mesh and primitive that others know them by.
Json Posed(const fs::path& path, const Character& character, int animation) {
  const Motion motion = SampleAnimation(character.skeleton, character.animations[animation], kRate);
  const int frame = motion.frame_count() / 3;
  const PosedCharacter posed = PoseCharacter(character, motion.frames[frame]);
  Json parts = Json::array();
  for (size_t p = 0; p < character.parts.size(); ++p) {
    const Points& points = posed.parts[p].positions;
    parts.push_back({{"node", character.parts[p].source_node},
                     {"primitive", character.parts[p].source_primitive},
                     {"positions", std::vector<float>(points.data(), points.data() + points.size())}});
  }
  return {{"file", path.filename().string()},
          {"animation", character.animations[animation].source_animation},
          {"time", static_cast<float>(frame) / kRate},
          {"size", posed.box.diagonal().norm()},
          {"parts", parts}};
}

class Outputs {
 public:
  explicit Outputs(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }

  void Add(const std::string& name, const Character& character, bool posed) {
    const fs::path path = folder_ / (name + ".glb");
    gltf::WriteGltf(character, path);
    if (!posed) return;
    const Character written = gltf::ReadGltf(path);
    for (size_t a = 0; a < written.animations.size(); ++a) {
      posed_.push_back(Posed(path, written, static_cast<int>(a)));
    }
  }
  void Finish() { WriteFileAtomic(folder_ / "posed.json", posed_.dump()); }

 private:
  fs::path folder_;
  Json posed_ = Json::array();
};

// Four influences and straight interpolation are what every viewer has; morph targets stay at weight zero.
Character Plain(uint64_t seed) {
  Character character = testing::RandomCharacter(seed);
  Random random(seed, 1);
  const int joints = character.skeleton.joint_count();
  for (Part& part : character.parts) {
    while (part.weights.influences > 4) part.weights = testing::RandomWeights(part.mesh.vertex_count(), joints, random);
  }
  character.animations = {testing::RandomAnimation("motion", joints, random)};
  for (AnimationCurve& curve : character.animations[0].curves) {
    const size_t width = curve.path == AnimationCurve::Path::kRotation ? 4 : 3;
    curve.interpolation = AnimationCurve::Interpolation::kLinear;
    curve.values.resize(curve.times.size() * width);
  }
  return character;
}

void AddMade(Outputs& outputs) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    outputs.Add(fmt::format("random_{}", seed), testing::RandomCharacter(seed), false);
  }
  for (uint64_t seed = 1; seed <= 5; ++seed) outputs.Add(fmt::format("plain_{}", seed), Plain(seed), true);
  Character rig = gltf::ReadGltf(testing::SmallRig().Glb(), "rig.glb", "");
  outputs.Add("rig", rig, true);
  rig.parts[0].mesh.positions.array() += 0.5f;
  outputs.Add("rig_edited", rig, true);
  const std::string obj = EncodeObj(rig);
  outputs.Add("from_obj", ReadObj(std::as_bytes(std::span(obj)), "rig.obj"), false);
}

void AddAssets(Outputs& outputs, const fs::path& assets) {
  for (const auto& entry : fs::recursive_directory_iterator(assets)) {
    if (entry.path().extension() != ".glb") continue;
    const std::string name = entry.path().stem().string();
    Character character = gltf::ReadGltf(entry.path());
    outputs.Add("asset_" + name, character, true);
    for (Part& part : character.parts) part.mesh.positions.array() += 0.125f;
    outputs.Add("edited_" + name, character, false);
  }
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  try {
    sinew::Outputs outputs(argv[1]);
    sinew::AddMade(outputs);
    if (argc > 2) sinew::AddAssets(outputs, argv[2]);
    outputs.Finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
