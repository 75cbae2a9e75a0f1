#include "sinew/offline/dataset/procedural.h"

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/json.h"

namespace sinew::dataset {
namespace {

Json SettingsOf(const ProceduralOptions& options) {
  return {{"maker", "procedural"}, {"bulge", options.bulge},     {"slide", options.slide},
          {"fold", options.fold},  {"wrinkle", options.wrinkle}, {"fine", options.fine}};
}

}  // namespace

struct ProceduralTruth::State {
  State(const Character& character, const ProceduralOptions& options)
      : rest(character), displaced(character), field(rest, options), poser(displaced) {}

  const Character& rest;
  Character displaced;
  ProceduralField field;
  Poser poser;
  PosedCharacter posed;
};

ProceduralTruth::ProceduralTruth(const Character& character, const ProceduralOptions& options)
    : state_(std::make_unique<State>(character, options)) {}
ProceduralTruth::~ProceduralTruth() = default;

Points ProceduralTruth::Shape(const Pose& pose) {
  const std::vector<Points> u = state_->field.Displacements(pose);
  for (size_t p = 0; p < u.size(); ++p) {
    state_->displaced.parts[p].mesh.positions = state_->rest.parts[p].mesh.positions + u[p];
  }
  state_->poser.Evaluate(pose, state_->posed);
  return JoinParts(state_->posed);
}

void WriteProceduralDataset(const std::filesystem::path& path, const StoredCharacter& character,
                            const PoseSequence& sequence, const FrameRange& range, const ProceduralOptions& options,
                            double metres_per_unit) {
  ProceduralTruth truth(character.character, options);
  DatasetManifest start = StartManifest(character, sequence, SettingsOf(options));
  start.metres_per_unit = metres_per_unit;
  WriteFolderAtomic(path, IsDataset, [&](const std::filesystem::path& folder) {
    DatasetWriter writer(folder, start, {{character.entry.file, character.file}});
    MakeFrames(writer, sequence, range, {.label = "shapes by formula", .parallel = false},
               [&](int i) { return FrameTruth{.shape = truth.Shape(sequence.poses[i]), .failure = "", .arrays = {}}; });
  });
}

}  // namespace sinew::dataset
