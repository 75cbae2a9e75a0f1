#include "sinew/offline/pipeline/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/contact/press_subject.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/units.h"
#include "sinew/offline/dataset/simulate.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/multires/train.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/method_choice.h"
#include "sinew/offline/skincells/skin_character.h"
#include "sinew/offline/tables/names.h"

namespace sinew::pipeline {
namespace {

// One value per preset but `instant`, which is `quick` where nothing else is said.
template <typename Value>
using PresetValues = std::array<Value, kPresets - 1>;

// Builder of the table: each call adds a setting to the section of the last Begin().
class Table {
 public:
  void Begin(const char* section) { section_ = section; }

  // Changes the default of the last setting for the preset `instant`.
  void Instant(Json value) { settings_.back().defaults[static_cast<int>(Preset::kInstant)] = std::move(value); }

  void Whole(const char* key, PresetValues<int> values, double low, double high, const char* meaning) {
    Add(key, SettingKind::kWhole, {values[0], values[1], values[2]}, meaning, low, high);
  }
  void Whole(const char* key, int value, double low, double high, const char* meaning) {
    Whole(key, {value, value, value}, low, high, meaning);
  }
  void Number(const char* key, PresetValues<double> values, double low, double high, const char* meaning) {
    Add(key, SettingKind::kNumber, {values[0], values[1], values[2]}, meaning, low, high);
  }
  void Number(const char* key, double value, double low, double high, const char* meaning) {
    Number(key, {value, value, value}, low, high, meaning);
  }
  void Flag(const char* key, bool value, const char* meaning) {
    Add(key, SettingKind::kFlag, {value, value, value}, meaning);
  }
  void Choice(const char* key, PresetValues<const char*> values, std::vector<std::string> choices,
              const char* meaning) {
    Add(key, SettingKind::kChoice, {values[0], values[1], values[2]}, meaning);
    settings_.back().choices = std::move(choices);
  }
  void Choice(const char* key, const char* value, std::vector<std::string> choices, const char* meaning) {
    Choice(key, {value, value, value}, std::move(choices), meaning);
  }
  void Text(const char* key, const char* meaning, SettingKind kind = SettingKind::kText) {
    Add(key, kind, {"", "", ""}, meaning);
  }
  void List(const char* key, SettingKind kind, double low, double high, const char* meaning) {
    Add(key, kind, {Json::array(), Json::array(), Json::array()}, meaning, low, high);
  }

  std::vector<Setting> Take() { return std::move(settings_); }

 private:
  void Add(const char* key, SettingKind kind, const PresetValues<Json>& defaults, const char* meaning, double low = 0,
           double high = 0) {
    settings_.push_back(
        {section_, key, kind, {defaults[0], defaults[0], defaults[1], defaults[2]}, low, high, {}, meaning});
  }

  std::string section_;
  std::vector<Setting> settings_;
};

std::vector<std::string> KindNames() {
  std::vector<std::string> names;
  for (const embedded::Kind& kind : embedded::Kinds()) names.push_back(kind.name);
  return names;
}

std::vector<std::string> UnitChoices() {
  std::vector<std::string> choices = UnitNames();
  choices.insert(choices.begin(), "auto");
  return choices;
}

void AddCharacterSettings(Table& add) {
  add.Begin("input");
  add.Text("character", "The character's file, as given to the command; empty: an embedded one");
  add.Choice("kind", "biped", KindNames(), "Without a character: which embedded one");
  add.Whole("vertices", {20000, 40000, 75000}, embedded::kFewestVertices, embedded::kMaxVertices,
            "Without a character: how many vertices the embedded one has");
  add.Choice("unit", "auto", UnitChoices(), "The character's unit; auto: told from its size");
  add.Text("skin", "For a file with several skeletons: the name or number of a skin of the one to take");
  add.Whole("seed", 1, 0, 9e15, "Seed of everything random; --seed sets it");
  add.Flag("check", true, "Refuse a character that nothing good can come of; false: build it all the same");
  add.Text(
      "skeleton",
      "For a mesh without a skeleton: a rigged character or a .bvh file to take one from; empty: as rig.from says");

  add.Begin("rig");
  add.Choice("from", "auto", {"auto", "own", "file", "network"},
             "Where the skeleton is from: the character itself, input.skeleton, or a network that finds a person's "
             "joints; auto: the first of these that is there");
  add.Text("names", "Of a network's joints: smpl, mixamo, unreal, vrm, blender, or a .json file; empty: smpl");
  add.Choice("weights", "network", {"network", "skincells"},
             "Of a network's rig: its own weights, or optimised ones as section weights says");
  add.Text("joints", "Joints that you have placed (.json), which a network's are replaced by");
  add.Text("model", "Another rigging network than the one that comes with the program (.model)");

  add.Begin("limits");
  add.Text("file", "Joint limits (JSON) that replace those found in the character");

  add.Begin("weights");
  const skincells::SkinOptions skin;
  add.Choice("compute", "missing", {"missing", "always"}, "Skinning weights: only where there are none, or always");
  add.Choice("method", "skincells", {"skincells", "proximity"}, "An optimised field, or the nearest bones");
  add.Whole("max_influences", skin.max_influences, 1, kMaxInfluences, "Most joints a vertex");
  add.Whole("steps", {500, skin.steps, skin.steps}, 1, 1e6, "Most steps of the optimisation");
  add.Number("smooth_vs_follow", skin.smooth_vs_follow, 1e-6, 1e6,
             "How much following the skeleton counts against smoothness");

  add.Begin("hierarchy");
  const lod::HierarchyOptions hierarchy;
  add.Whole("levels", 4, 1, 12, "Levels of detail, the finest as given; a small mesh has fewer");
  add.Number("ratio", 0.25, 0.01, 0.95, "Points of a level against the next finer one");
  add.List("points", SettingKind::kWholes, 1, 1e8, "Instead of levels and ratio: points of the coarser levels");
  add.Whole("regions", hierarchy.regions, 4, 100'000, "Points of level 0, by which correctives are cut into regions");
  add.Choice("small_islands", "keep", {"keep", "drop"}, "Islands smaller than a level's edges");
  add.Number("joint_density", lod::HierarchyOptions::kDefaultJointDensity, 0, 10,
             "How much denser the mesh stays where it bends");
  add.Whole("fit_poses", 16, 0, 1000, "Poses in which the levels' weights are fitted to the finest one");
}

void AddTruthSettings(Table& add) {
  add.Begin("poses");
  add.Whole("training", {400, 1200, 3600}, 4, 1e6, "Poses inside the joint limits to learn from");
  add.Instant(150);
  add.Number("wide", 0.5, 0, 1,
             "Share of them over the whole limits; the others are as people take them (human), or in the inner part of "
             "the limits");
  add.Flag("human", true, "Draw those others as people take them, where joints are a person's by their names");
  add.Number("rare", 0.5, 0, 1, "Share of those others that are farther from what people usually do");
  add.Number("rare_spread", 2, 1, 4, "How much farther");
  add.Number("inner", 0.6, 0.01, 1, "How much of every joint's range that inner part is");
  add.Flag("clear", true, "Bring limbs out of the body in sampled poses and in motions of other bodies");
  add.List("learn_from", SettingKind::kTexts, 0, 0,
           "Motions whose frames are learned from too (.bvh, .glb, .poses); empty: the character's own animations but "
           "the longest, and its first half where the others are short; [\"none\"]: no motion at all");
  add.Whole("learn_frames", {60, 300, 900}, 1, 1e6, "How many frames of those motions: the ones that differ most");
  add.Whole("test", {40, 100, 200}, 1, 1e6, "Unseen poses to judge by, drawn as those to learn from");
  add.Instant(24);
  add.List("motion", SettingKind::kTexts, 0, 0,
           "Unseen motions to judge by; empty: those of the character's own that are not learned from, the embedded "
           "exercise, or a walk through the limits");
  add.Whole("motion_frames", {48, 120, 300}, 4, 1e6, "At most so many frames of them");
  add.Instant(24);

  add.Begin("truths");
  add.Choice("from", kTruthsSimulated, {kTruthsSimulated, kTruthsTaught, kTruthsGiven},
             "Where the shapes to learn from are from: simulated flesh, trained networks, or a dataset of one's own");
  add.Instant(kTruthsTaught);
  add.List("models", SettingKind::kTexts, 0, 0,
           "Networks that teach together (.model); empty: the one that comes with the program");
  add.Flag("keep_all", false, "Learn from frames that are stranger than what the networks have learned, too");
  add.Whole("few_shot", 0, 0, 1e4,
            "Simulate so many of the poses to learn from, those that differ most, and tune the networks to them before "
            "they teach the others; 0: none");
  add.Text("given", "The dataset to learn from, a folder, where truths are given");

  add.Begin("simulation");
  const flesh::FleshSettings flesh;
  add.Choice("quality", {"quick", "quick", "good"}, {"quick", "good", "film"}, "How fine the flesh is cut");
  add.Whole("tets", 0, 0, 1e7, "About so many tetrahedra; 0: as the quality says");
  add.Number("young", flesh.young, 1, 1e9, "Stiffness of the flesh, pascal");
  add.Number("poisson", flesh.poisson, 0, 0.499, "How much it keeps its volume");
  add.Number("fat", flesh.fat, 1e-4, 1,
             "Thickness of the flesh over the core, metres; in proportion where the size is not known");
  add.Flag("contact", flesh.contact, "Skin pushes skin away");
  add.Number("contact_distance", flesh.contact_distance, 1e-5, 1, "Nearer than this it pushes, as fat");
  add.Text("parts", "Roles of parts instead of those that are found, such as \"Hair=thin, Sword=rigid\"",
           SettingKind::kRoles);
}

void AddLearningSettings(Table& add) {
  add.Begin("training");
  const multires::TrainOptions train;
  add.Choice("method", kMethodSinew, {kMethodSinew, kMethodSingleLevel, kMethodBlendShape, kMethodAuto},
             "What ships: Sinew's method, the single-level one, blend shapes of joints, or auto: the first two are "
             "trained, and the better one ships");
  add.Whole("shapes", multires::kUsualShapes, 1, multires::kMostShapes, "Of a joint, where blend shapes are trained");
  add.Number(
      "epsilon", train.epsilon, 0, 1,
      "What bases may leave out, as a fraction of the body's height; 0: a small share of what there is to learn");
  add.Choice("features", "quaternion", tables::PoseFeaturesNames(), "What networks see of a joint's rotation");
  add.Choice("precision", "i8", tables::PrecisionNames(), "Of the bundle");
  add.Whole("modes", train.max_modes, 1, 4096, "Dimensions of a region, at most");
  add.Whole("width", train.max_width, 1, 4096, "Units in a hidden layer, at most");
  add.Whole("steps", train.fit.steps, 1, 1e7, "Steps of Adam for a network, at most");
  add.Number("rate", train.fit.rate, 1e-6, 1, "Learning rate at the start");
  add.Number("validation", train.validation, 0, 0.9, "Share of the frames that is kept for validation");
  add.Flag("mirror", train.mirror, "Learn from mirror images, too, if the character is the same left and right");
  add.Number("outliers", train.outliers, 1e-3, 100, "Frames farther from skinning than this are left out");

  add.Begin("single_level");
  add.Flag(
      "compare", true,
      "Train another method too, on the same frames, to compare with: the single-level one where training.method is "
      "sinew, Sinew's where that is blendshape");
  add.Instant(false);
  add.Number("epsilon", train.epsilon, 0, 1, "As in training");

  add.Begin("bundle");
  add.Whole("budget_kb", 0, 0, 1e8, "Not 0: the finest precision whose file has at most so many kilobytes");
  add.Flag("normals", true, "Tables for normals from deformed triangles: an eighth of the file");

  add.Begin("contact");
  const contact::PressOptions press;
  add.List("colliders", SettingKind::kTexts, 0, 0,
           "Closed meshes (.glb, .obj, .ply) in the character's unit whose contact is learned; empty: none");
  add.List("on", SettingKind::kTexts, 0, 0, "Joints whose skin they touch; empty: all");
  add.Whole("states", press.states, 1, 1000, "Poses of the character, rest among them");
  add.Whole("places", {press.places, 2 * press.places, 4 * press.places}, 1, 10000, "Places on the skin per state");
  add.Whole("rotations", press.rotations, 1, 1000, "Rotations of a collider per place");
  add.Whole("depths", press.depths, 1, 100, "Depths per rotation");
  add.Whole("steps", {400, 1500, 3000}, 1, 1e7, "Steps of training");

  add.Begin("timing");
  add.Number("seconds", {20, 60, 60}, 0, 1e5, "About how long to time, over all bundles; 0: nothing is timed");
  add.Instant(5);
  add.Whole("rounds", {15, 31, 31}, 1, 1e5, "How often everything is timed at most; medians count");
  add.Instant(5);

  add.Begin("report");
  add.Flag("pictures", true, "Draw the worst frames and a typical one");
}

std::vector<Setting> MakeSettings() {
  Table table;
  AddCharacterSettings(table);
  AddTruthSettings(table);
  AddLearningSettings(table);
  return table.Take();
}

bool IsWhole(const Json& value) {
  return value.is_number_integer() || (value.is_number() && std::floor(value.get<double>()) == value.get<double>());
}

std::string RangeRefusal(const Setting& setting, const Json& value, bool whole) {
  if (!value.is_number() || (whole && !IsWhole(value))) {
    return fmt::format("is {}, and must be a {}number", JsonText(value), whole ? "whole " : "");
  }
  const double number = value;
  if (number >= setting.low && number <= setting.high) return "";
  return fmt::format("is {}, and must be from {:g} to {:g}", JsonText(value), setting.low, setting.high);
}

std::string ChoiceRefusal(const Setting& setting, const Json& value) {
  if (value.is_string() &&
      std::find(setting.choices.begin(), setting.choices.end(), value.get<std::string>()) != setting.choices.end()) {
    return "";
  }
  return fmt::format("is {}, and must be one of {}", JsonText(value), fmt::join(setting.choices, ", "));
}

std::string RolesRefusal(const Json& value) {
  if (!value.is_string()) return fmt::format("is {}, and must be a text in quotes", JsonText(value));
  try {
    ParseRoles(value.get<std::string>());
  } catch (const UsageError& error) {
    return fmt::format("is {}: {}", JsonText(value), error.what());
  }
  return "";
}

}  // namespace

const char* Name(Preset preset) {
  constexpr const char* kNames[] = {"instant", "quick", "good", "film"};
  return kNames[static_cast<int>(preset)];
}

Preset PresetNamed(std::string_view name) {
  for (const Preset preset : {Preset::kInstant, Preset::kQuick, Preset::kGood, Preset::kFilm}) {
    if (name == Name(preset)) return preset;
  }
  throw UsageError(fmt::format("there is no preset '{}'; there are instant, quick, good and film", name));
}

const std::vector<Section>& Sections() {
  static const std::vector<Section> sections = {
      {"input", "What goes in"},
      {"rig", "A skeleton for a mesh without one"},
      {"limits", "How far joints turn"},
      {"weights", "Which joints move which vertices"},
      {"hierarchy", "Levels of detail"},
      {"poses", "What to learn from, and what to judge by"},
      {"truths", "Who says what is true in those poses"},
      {"simulation", "True shapes by simulated flesh"},
      {"training", "Correctives, learned"},
      {"single_level", "The method that is compared with (Bailey et al. 2018)"},
      {"bundle", "The file to ship"},
      {"contact", "How the skin gives way to rigid things"},
      {"timing", "How fast it is on this machine"},
      {"report", "The page to read"}};
  return sections;
}

const std::vector<Setting>& Settings() {
  static const std::vector<Setting> settings = MakeSettings();
  return settings;
}

std::string Refusal(const Setting& setting, const Json& value) {
  switch (setting.kind) {
    case SettingKind::kWhole:
      return RangeRefusal(setting, value, true);
    case SettingKind::kNumber:
      return RangeRefusal(setting, value, false);
    case SettingKind::kFlag:
      return value.is_boolean() ? "" : fmt::format("is {}, and must be true or false", JsonText(value));
    case SettingKind::kChoice:
      return ChoiceRefusal(setting, value);
    case SettingKind::kText:
      return value.is_string() ? "" : fmt::format("is {}, and must be a text in quotes", JsonText(value));
    case SettingKind::kRoles:
      return RolesRefusal(value);
    default:
      break;
  }
  if (!value.is_array()) return fmt::format("is {}, and must be a list in brackets", JsonText(value));
  for (const Json& entry : value) {
    if (setting.kind == SettingKind::kTexts) {
      if (!entry.is_string())
        return fmt::format("has {} in it, and must be a list of texts in quotes", JsonText(entry));
    } else if (const std::string refusal = RangeRefusal(setting, entry, true); !refusal.empty()) {
      return fmt::format("has an entry that {}", refusal);
    }
  }
  return "";
}

}  // namespace sinew::pipeline
