// Stage of a build that learns contact with colliders: contact.
#include <fmt/format.h>

#include "sinew/offline/bake/contact_section.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/contact/contact_report.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/layout.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// Simulated contacts and states of training: a folder per collider.
constexpr const char* kSamples = "contact.samples";

contact::LearnContactOptions OptionsOf(const Request& request) {
  const Config& config = request.config;
  contact::LearnContactOptions options;
  options.press.on = config.Strings("contact", "on");
  options.press.states = config.Whole("contact", "states");
  options.press.places = config.Whole("contact", "places");
  options.press.rotations = config.Whole("contact", "rotations");
  options.press.depths = config.Whole("contact", "depths");
  options.press.quality = flesh::QualityNamed(config.String("simulation", "quality"));
  options.tets = config.Whole("simulation", "tets");
  options.train.steps = config.Whole("contact", "steps");
  options.press.seed = options.train.seed = request.seed;
  return options;
}

// Learns one collider, adds it to the bundle with contact, and returns what was learned.
Json LearnCollider(const Request& request, const fs::path& folder, const std::string& file, bool pictures) {
  const contact::LearnContactOptions options = OptionsOf(request);
  const std::string name = fs::path(file).stem().string();
  const std::string character = (folder / kCharacter).string();
  const contact::PressSubject subject = contact::MakePressSubject(
      ReadCharacter(character, kQuietly), character, contact::ReadColliderMesh(file), file, name, options.press);
  const contact::LearnedContact learned =
      contact::LearnContact(subject, options, folder / kSamples / name, [](double) {});
  const bundle::LoadedBundle loaded = bundle::ReadBundle(folder / kContactBundle);
  const bake::BakedBundle made = bake::WithContact(loaded.bundle, loaded.file.bytes(), learned.field.field);
  WriteFileAtomic(folder / kContactBundle, made.file.bytes());
  if (pictures) {
    WriteFileAtomic(folder / kContactPictures / (name + ".png"),
                    contact::DrawCoverage(subject.character, learned).file);
  }
  Json facts = contact::ContactJson(learned);
  // Times are no part of what stages keep: the same inputs give the same bytes.
  facts.erase("core_seconds_per_contact");
  facts.erase("estimated_minutes");
  return facts;
}

void LearnColliders(const Request& request, const std::vector<std::string>& colliders, const StageContext& context) {
  const bool pictures = request.config.Flag("report", "pictures") && WhyNoPictures().empty();
  fs::create_directories(context.folder / kContactPictures);
  WriteFileAtomic(context.folder / kContactBundle, ReadFile(context.folder / kBundle));
  Json facts = Json::array();
  for (const std::string& file : colliders) facts.push_back(LearnCollider(request, context.folder, file, pictures));
  WriteFileAtomic(context.folder / kContactFacts, JsonText(facts, 1) + "\n");
}

// Checked before any stage runs, not after hours of other work.
void CheckColliders(const std::vector<std::string>& colliders) {
  for (size_t i = 0; i < colliders.size(); ++i) {
    if (!fs::is_regular_file(colliders[i])) {
      throw InputError(colliders[i], "", "is not there", "check contact.colliders");
    }
    contact::ReadColliderMesh(colliders[i]);
    for (size_t k = 0; k < i; ++k) {
      if (fs::path(colliders[k]).stem() != fs::path(colliders[i]).stem()) continue;
      throw InputError(colliders[i], "", "has the name of another collider", "give the files different names");
    }
  }
}

}  // namespace

void AddContactStage(const Request& request, const Subject& subject, std::vector<Stage>& stages) {
  const Config& config = request.config;
  const std::vector<std::string> colliders = config.Strings("contact", "colliders");
  if (colliders.empty()) return;
  CheckColliders(colliders);
  Stage stage{.name = "contact", .does = "learn contact with colliders", .needs = {kCharacter, kBundle}};
  stage.settings = config.Section("contact");
  stage.settings.erase("contact.colliders");  // what is in the files counts
  stage.settings.update(config.Pick("simulation", {"quality", "tets"}));
  stage.settings.update(config.Pick("report", {"pictures"}));
  stage.settings["seed"] = request.seed;
  for (const std::string& file : colliders) stage.outside[OutsideName(stage, file)] = HashPath(file);
  stage.outputs = {kContactBundle, kContactFacts, kContactPictures};
  stage.partial = {kSamples};
  stage.keeps = "simulated contacts";
  const int tets = config.Whole("simulation", "tets");
  const flesh::Quality quality = flesh::QualityNamed(config.String("simulation", "quality"));
  const int contacts = config.Whole("contact", "states") * config.Whole("contact", "places") *
                       config.Whole("contact", "rotations") * config.Whole("contact", "depths");
  stage.cost = ContactCost(request.calibration, static_cast<int>(colliders.size()) * contacts,
                           tets > 0 ? tets : flesh::QualityOf(quality).tets, subject.vertices,
                           static_cast<int>(colliders.size()) * config.Whole("contact", "steps"));
  stage.remedy = "fewer contact.places or contact.states take less time; contact.on says which skin is touched";
  stage.run = [request, colliders](const StageContext& context) { LearnColliders(request, colliders, context); };
  stages.push_back(std::move(stage));
}

}  // namespace sinew::pipeline
