#include "sinew/offline/corpus/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/corpus/section_reader.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxBodies = 100'000;
constexpr int kMaxPoses = 1'000'000;
constexpr int kMaxDresses = 1'000'000;

std::vector<std::string> KindNames() {
  std::vector<std::string> names;
  for (const embedded::Kind& kind : embedded::Kinds()) names.push_back(kind.name);
  return names;
}

// Whether a text can be part of a folder's name on every system.
bool IsPlainName(const std::string& text) {
  return !text.empty() && text.size() <= 60 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
}

fs::path BelowRecipe(const fs::path& recipe, const std::string& folder) {
  return folder.empty() ? fs::path() : recipe.parent_path() / folder;
}

void ReadCorpusSection(SectionReader& section, Recipe& recipe) {
  recipe.name = section.Text("name");
  if (recipe.name.empty()) section.Fail("[corpus] has no 'name'");
  recipe.seed = static_cast<uint64_t>(section.Whole("seed", 0, INT64_MAX, 1));
  std::vector<std::string> skeletons = KindNames();
  skeletons.emplace_back("any");
  recipe.skeleton = section.Choice("skeleton", skeletons, "biped");
  if (recipe.skeleton == "any") recipe.skeleton.clear();
}

void ReadSource(SectionReader& section, const fs::path& recipe, BodyGroup& group) {
  group.embedded = section.Text("embedded");
  group.files = BelowRecipe(recipe, section.Text("files"));
  group.mix_of = section.Texts("mix_of");
  const int sources = !group.embedded.empty() + !group.files.empty() + !group.mix_of.empty();
  if (sources != 1) section.Fail("[[bodies]] needs exactly one of 'embedded', 'files' and 'mix_of'");
  if (!group.embedded.empty()) section.Choice("embedded", KindNames(), group.embedded);
}

BodyGroup ReadGroup(SectionReader& section, const fs::path& recipe) {
  BodyGroup group;
  group.name = section.Text("name");
  if (!IsPlainName(group.name)) {
    section.FailAt("name", "must be small letters, digits, '_' and '-', at most 60, because folders are named by it");
  }
  ReadSource(section, recipe, group);
  group.count = static_cast<int>(section.Whole("count", 1, kMaxBodies, 0));
  if (group.count == 0 && group.files.empty()) section.FailAt("count", "is missing");
  group.vertices =
      static_cast<int>(section.Whole("vertices", embedded::kFewestVertices, embedded::kMaxVertices, group.vertices));
  group.family = section.Text("family", group.embedded);
  if (group.family.empty() && group.mix_of.empty()) section.FailAt("family", "is missing: it names who made the files");
  group.topology = section.Text(
      "topology", group.embedded.empty() ? group.name : fmt::format("{}/{}", group.embedded, group.vertices));
  group.identity = section.Text("identity");
  if (const std::string side = section.Choice("split", {"", "train", "validation", "test"}, ""); !side.empty()) {
    group.side = SideNamed(side);
  }
  group.bone_scale = section.Range("bone_scale", 0.1, 10, group.bone_scale);
  group.dressed = section.Number("dressed", 0, 1, 0);
  for (const std::string& path : section.Texts("garments")) group.garments.push_back(BelowRecipe(recipe, path));
  group.garment_share = section.Number("garment_share", 0, 1, group.garment_share);
  group.remesh = section.WholeRange("remesh", bodies::kFewestVertices, bodies::kMostVertices, group.remesh);
  section.End();
  return group;
}

// people: "CLIP=PERSON" each.
std::map<std::string, std::string> ReadPeople(SectionReader& section) {
  std::map<std::string, std::string> people;
  for (const std::string& entry : section.Texts("people")) {
    const size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == entry.size()) {
      section.FailAt("people", fmt::format("has \"{}\", which is not CLIP=PERSON, as in walk=07", entry));
    }
    people[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return people;
}

PoseRecipe ReadPoses(SectionReader& section, const fs::path& recipe) {
  PoseRecipe poses;
  const auto count = [&](const char* key, int otherwise) {
    return static_cast<int>(section.Whole(key, 0, kMaxPoses, otherwise));
  };
  poses.wide = count("wide", poses.wide);
  poses.human = count("human", poses.human);
  poses.rare = count("rare", poses.rare);
  poses.rare_spread = section.Number("rare_spread", 0.1, 10, poses.rare_spread);
  poses.clear = section.Flag("clear", poses.clear);
  poses.clips = BelowRecipe(recipe, section.Text("clips"));
  poses.clip_frames = count("clip_frames", poses.clips.empty() ? 0 : 20);
  poses.unseen_clip_frames = count("unseen_clip_frames", poses.clips.empty() ? 0 : 10);
  poses.clip_distance = section.Number("clip_distance", 0.1, 180, poses.clip_distance);
  poses.whole_clips = count("whole_clips", 0);
  poses.whole_clip_rate = section.Number("whole_clip_rate", 0.1, 240, poses.whole_clip_rate);
  poses.people = ReadPeople(section);
  if (poses.clips.empty() && poses.clip_frames + poses.unseen_clip_frames > 0) {
    section.FailAt("clip_frames", "needs 'clips', a folder of .bvh files");
  }
  if (poses.clips.empty() && poses.whole_clips > 0)
    section.FailAt("whole_clips", "needs 'clips', a folder of .bvh files");
  if (poses.wide + poses.human + poses.rare + poses.clip_frames == 0) section.Fail("[poses] asks for no pose at all");
  section.End();
  return poses;
}

TruthRecipe ReadTruth(SectionReader& section) {
  TruthRecipe truth;
  truth.simulated = section.Choice("kind", {"simulated", "procedural"}, "simulated") == "simulated";
  truth.quality = section.Choice("quality", {"quick", "good", "film"}, truth.quality);
  truth.tets = static_cast<int>(section.Whole("tets", 100, 10'000'000, 0));
  truth.tolerance = section.Number("tolerance", 0, 1e-2, 0);
  section.End();
  return truth;
}

SplitRecipe ReadSplits(SectionReader& section) {
  SplitRecipe splits;
  splits.validation = section.Number("validation", 0, 1, splits.validation);
  splits.test = section.Number("test", 0, 1, splits.test);
  if (splits.validation + splits.test > 1) section.FailAt("test", "and 'validation' are more than all bodies together");
  splits.test_families = section.Texts("test_families");
  splits.validation_people = section.Texts("validation_people");
  splits.test_people = section.Texts("test_people");
  const auto dresses = [&](const char* key, int otherwise) {
    return static_cast<int>(section.Whole(key, 1, kMaxDresses, otherwise));
  };
  splits.train_dresses = dresses("train_dresses", splits.train_dresses);
  splits.validation_dresses = dresses("validation_dresses", splits.validation_dresses);
  splits.test_dresses = dresses("test_dresses", splits.test_dresses);
  section.End();
  return splits;
}

// Checks what groups say of each other, and gives mixes the family and topology of their parents.
void FinishGroups(Recipe& recipe, const std::string& file) {
  const auto fail = [&](const BodyGroup& group, const std::string& problem) {
    throw InputError(file, fmt::format("bodies \"{}\"", group.name), problem, kRecipeRemedy);
  };
  if (recipe.bodies.empty()) throw InputError(file, "", "has no [[bodies]]", kRecipeRemedy);
  std::vector<std::string> names;
  for (BodyGroup& group : recipe.bodies) {
    if (std::find(names.begin(), names.end(), group.name) != names.end()) fail(group, "is the name of two groups");
    for (const std::string& parent : group.mix_of) {
      if (std::find(names.begin(), names.end(), parent) == names.end()) {
        fail(group, fmt::format("mixes \"{}\", which is no group above it", parent));
      }
      const BodyGroup& source = recipe.Group(parent);
      if (!source.mix_of.empty()) fail(group, fmt::format("mixes \"{}\", whose bodies are mixes themselves", parent));
      if (source.topology != recipe.Group(group.mix_of[0]).topology) {
        fail(group, fmt::format("mixes \"{}\" and \"{}\", which do not share a topology", group.mix_of[0], parent));
      }
      group.family = source.family;
      group.topology = source.topology;
    }
    if (!group.mix_of.empty() && group.side == Side::kTest) {
      fail(group, "has split = \"test\", but mixes are never test bodies");
    }
    names.push_back(group.name);
  }
}

}  // namespace

std::optional<Side> SideNamed(std::string_view name) {
  for (const Side side : {Side::kTrain, Side::kValidation, Side::kTest}) {
    if (name == dataset::Name(side)) return side;
  }
  return std::nullopt;
}

const BodyGroup& Recipe::Group(std::string_view group) const {
  return *std::find_if(bodies.begin(), bodies.end(), [&](const BodyGroup& g) { return g.name == group; });
}

uint64_t Recipe::SeedOf(std::string_view of) const {
  const std::string key = fmt::format("{}/{}", seed, of);
  return std::stoull(HashHex(std::as_bytes(std::span(key))).substr(0, 12), nullptr, 16);
}

Recipe ParseRecipe(std::string_view text, const fs::path& file) {
  const std::vector<std::string> known = {"corpus", "bodies", "poses", "truth", "splits"};
  Recipe recipe;
  recipe.text = std::string(text);
  std::vector<std::string> given;
  for (const TomlSection& toml : ParseToml(text, file.string(), kRecipeRemedy)) {
    SectionReader section(toml, file.string());
    if (std::find(known.begin(), known.end(), toml.name) == known.end()) {
      section.Fail(fmt::format("there is no section [{}]; the nearest is [{}]", toml.name, Nearest(toml.name, known)));
    }
    if (toml.listed != (toml.name == "bodies")) {
      section.Fail(toml.listed ? fmt::format("[[{0}]] is no list; write [{0}]", toml.name)
                               : "bodies are a list; write [[bodies]]");
    }
    if (!toml.listed && std::find(given.begin(), given.end(), toml.name) != given.end()) {
      section.Fail(fmt::format("[{}] comes a second time", toml.name));
    }
    given.push_back(toml.name);
    if (toml.name == "corpus") {
      ReadCorpusSection(section, recipe);
      section.End();
    }
    if (toml.name == "bodies") recipe.bodies.push_back(ReadGroup(section, file));
    if (toml.name == "poses") recipe.poses = ReadPoses(section, file);
    if (toml.name == "truth") recipe.truth = ReadTruth(section);
    if (toml.name == "splits") recipe.splits = ReadSplits(section);
  }
  if (recipe.name.empty()) throw InputError(file.string(), "", "has no [corpus] with a 'name'", kRecipeRemedy);
  FinishGroups(recipe, file.string());
  return recipe;
}

Recipe ReadRecipe(const fs::path& file) { return ParseRecipe(ReadTextFile(file), file); }

}  // namespace sinew::corpus
