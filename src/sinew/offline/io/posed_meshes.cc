#include "sinew/offline/io/posed_meshes.h"

#include <fmt/format.h>

#include "sinew/offline/character/reach.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/npy.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

bool HoldsOnlyFrames(const fs::path& folder) {
  if (!fs::is_directory(folder)) return false;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("frame_")) return false;
  }
  return true;
}

}  // namespace

Character PosedMesh(const Character& character, const PosedCharacter& posed) {
  Character out;
  out.name = character.name;
  for (size_t p = 0; p < character.parts.size(); ++p) {
    const Part& from = character.parts[p];
    Part part;
    part.name = from.name;
    part.mesh = from.mesh;
    part.mesh.positions = posed.parts[p].positions;
    part.normals = posed.parts[p].normals;
    part.tangents = posed.parts[p].tangents;
    part.attributes = from.attributes;
    out.parts.push_back(std::move(part));
  }
  return out;
}

void WritePosedArray(const Character& character, const Poser& poser, const std::vector<Pose>& poses,
                     const fs::path& path) {
  const auto frames = static_cast<int64_t>(poses.size());
  std::vector<float> values;
  values.reserve(poses.size() * character.vertex_count() * 3);
  Progress progress("skinning", frames, "frames");
  PosedCharacter posed;
  for (const Pose& pose : poses) {
    poser.Evaluate(pose, posed);
    RefuseUnlessInReach(character, posed, character.name);
    for (const PosedPart& part : posed.parts) {
      values.insert(values.end(), part.positions.data(), part.positions.data() + part.positions.size());
    }
    progress.Advance();
  }
  WriteNpy(path, MakeNpy(values, {frames, character.vertex_count(), 3}));
}

void WritePosedFolder(const Character& character, const Poser& poser, const std::vector<Pose>& poses,
                      const std::string& extension, const fs::path& path) {
  WriteFolderAtomic(path, HoldsOnlyFrames, [&](const fs::path& folder) {
    Progress progress("skinning", static_cast<int64_t>(poses.size()), "frames");
    PosedCharacter posed;
    for (size_t f = 0; f < poses.size(); ++f) {
      poser.Evaluate(poses[f], posed);
      RefuseUnlessInReach(character, posed, character.name);
      WriteCharacter(PosedMesh(character, posed), folder / fmt::format("frame_{:05}.{}", f, extension));
      progress.Advance();
    }
  });
}

}  // namespace sinew
