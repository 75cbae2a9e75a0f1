#include "sinew/offline/survey/survey_methods.h"

#include <algorithm>

#include "sinew/offline/core/log.h"
#include "sinew/offline/evaluate/recorded_method.h"
#include "sinew/offline/skincells/field_file.h"
#include "sinew/offline/skincells/skin_character.h"

namespace sinew::survey {
namespace {

namespace fs = std::filesystem;

// File of a body in a folder. A name may hold separators, which would lead out of the folder.
fs::path FileOf(const fs::path& folder, const Body& body, const char* extension) {
  std::string name = body.name;
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\\', '_');
  return folder / (name + extension);
}

// Fits a field to the character and gives it the field's weights. kept: where the field goes; may be empty.
void FitField(const FieldOptions& options, const fs::path& kept, const std::string& file, Character& character) {
  skincells::SkinOptions skin;
  skin.steps = options.steps;
  skin.seed = options.seed;
  skin.progress = !quiet();
  if (!kept.empty()) {
    fs::create_directories(kept.parent_path());
    skin.checkpoint = kept;
    skin.checkpoint += ".checkpoint";
  }
  const skincells::SkinReport report = skincells::SkinCharacter(character, file, skin);
  if (kept.empty()) return;
  skincells::WriteField(report.optimization.field, kept);
  std::error_code ignored;
  fs::remove(skin.checkpoint, ignored);
}

evaluate::Method MakeSkincells(const FieldOptions& options, const LoadedBody& body) {
  const fs::path kept = options.folder.empty() ? fs::path() : FileOf(options.folder, body.body, ".field");
  if (!kept.empty() && fs::exists(kept)) {
    return FieldMethod(body.hierarchy, skincells::ReadField(kept), kept.string());
  }
  std::vector<Character> levels = {body.character()};
  FitField(options, kept, body.dataset.CharacterFile(0).string(), levels[0]);
  return evaluate::ReweightedMethod(kSkincells, body.hierarchy, std::move(levels));
}

evaluate::Method MakeVoxelWeights(const LoadedBody& body) {
  skincells::SkinOptions skin;
  skin.method = skincells::Method::kVoxel;
  skin.progress = false;
  std::vector<Character> levels = {body.character()};
  skincells::SkinCharacter(levels[0], body.dataset.CharacterFile(0).string(), skin);
  return evaluate::ReweightedMethod(kVoxelWeights, body.hierarchy, std::move(levels));
}

}  // namespace

BodyMethod DualQuaternionMethod() {
  return {evaluate::kDualQuaternion,
          [](const LoadedBody& body) { return evaluate::SkinningMethod(body.hierarchy, true); }};
}

BodyMethod DeltaMushMethod() {
  return {evaluate::kDeltaMush, [](const LoadedBody& body) { return evaluate::DeltaMushMethod(body.hierarchy); }};
}

BodyMethod VoxelWeightsMethod() { return {kVoxelWeights, MakeVoxelWeights}; }

BodyMethod SkincellsMethod(const FieldOptions& options) {
  return {kSkincells, [options](const LoadedBody& body) { return MakeSkincells(options, body); }};
}

evaluate::Method FieldMethod(const lod::Hierarchy& hierarchy, const skincells::SkinField& field,
                             const std::string& file) {
  std::vector<Character> levels;
  for (const lod::Level& level : hierarchy.levels) {
    levels.push_back(level.character);
    skincells::ApplyField(field, file, levels.back(), level.character.name);
  }
  return evaluate::ReweightedMethod(kSkincells, hierarchy, std::move(levels));
}

BodyMethod RecordedShapes(const std::string& name, const fs::path& shapes) {
  return {name, [name, shapes](const LoadedBody& body) {
            const fs::path file = fs::is_directory(shapes) ? FileOf(shapes, body.body, ".npy") : shapes;
            return evaluate::RecordedMethod(name, file, body.dataset, body.hierarchy, body.frames);
          }};
}

}  // namespace sinew::survey
