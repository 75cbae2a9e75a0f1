#include "sinew/offline/corpus/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "sinew/offline/bodies/mix_bodies.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/corpus/leaks.h"
#include "sinew/offline/corpus/plan_dress.h"
#include "sinew/offline/corpus/recipe_files.h"
#include "sinew/offline/corpus/section_reader.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

std::string HashOf(const std::string& text) { return HashHex(std::as_bytes(std::span(text))); }

// Identity of a file: its name, or a given beginning and the number at the end of its name.
std::string IdentityOf(const BodyGroup& group, const fs::path& path) {
  return group.identity.empty() ? path.stem().string() : fmt::format("{}_{}", group.identity, NumberOf(path));
}

CorpusBody StartBody(const Recipe& recipe, const BodyGroup& group, int index) {
  CorpusBody body;
  body.name = fmt::format("{}_{:03}", group.name, index);
  body.group = group.name;
  body.family = group.family;
  body.identity = body.name;
  body.topology = group.topology;
  body.seed = recipe.SeedOf(body.name);
  return body;
}

// Lists all bodies but mixes, whose parents need a side first.
std::vector<CorpusBody> ListBodies(const Recipe& recipe, const std::string& file) {
  std::vector<CorpusBody> bodies;
  for (const BodyGroup& group : recipe.bodies) {
    if (!group.mix_of.empty()) continue;
    std::vector<fs::path> files;
    if (!group.files.empty()) files = FilesIn(group.files, ".glb", file);
    const int there = static_cast<int>(files.size());
    if (group.count > there && group.embedded.empty()) {
      throw InputError(file, fmt::format("bodies \"{}\"", group.name),
                       fmt::format("asks for {} bodies of {} files", group.count, there), "lower 'count'");
    }
    for (int i = 0; i < (group.count > 0 ? group.count : there); ++i) {
      CorpusBody body = StartBody(recipe, group, i);
      body.source = group.embedded.empty() ? files[i].filename().string() : group.embedded;
      if (!files.empty()) body.identity = IdentityOf(group, files[i]);
      bodies.push_back(std::move(body));
    }
  }
  return bodies;
}

int ShareOf(double share, int count) {
  const int rounded = static_cast<int>(std::lround(share * count));
  return share > 0 && count >= 3 ? std::max(rounded, 1) : rounded;
}

// Deals the identities of every family to the sides, in the order of their hashes.
void DealBodies(const Recipe& recipe, std::vector<CorpusBody>& bodies) {
  std::map<std::string, Side> fixed;
  std::map<std::string, std::set<std::pair<std::string, std::string>>> dealt;  // (hash, identity) by family
  const std::vector<std::string>& test_families = recipe.splits.test_families;
  for (const CorpusBody& body : bodies) {
    const bool test = std::find(test_families.begin(), test_families.end(), body.family) != test_families.end();
    const std::optional<Side> side = recipe.Group(body.group).side;
    if (side || test) fixed.emplace(body.identity, side.value_or(Side::kTest));
  }
  for (const CorpusBody& body : bodies) {
    if (fixed.contains(body.identity)) continue;
    dealt[body.family].emplace(HashOf(fmt::format("{}/split/{}", recipe.seed, body.identity)), body.identity);
  }
  for (const auto& [family, identities] : dealt) {
    const int count = static_cast<int>(identities.size());
    const int test = ShareOf(recipe.splits.test, count);
    const int validation = std::min(ShareOf(recipe.splits.validation, count), count - test);
    int i = 0;
    for (const auto& [hash, identity] : identities) {
      fixed.emplace(identity, i < test ? Side::kTest : i < test + validation ? Side::kValidation : Side::kTrain);
      ++i;
    }
  }
  for (CorpusBody& body : bodies) body.side = recipe.Group(body.group).side.value_or(fixed.at(body.identity));
}

// Adds the mixes of a group, all of parents on one side.
void AddMixes(const Recipe& recipe, const BodyGroup& group, const std::string& file, std::vector<CorpusBody>& list) {
  const Side side = group.side.value_or(Side::kTrain);
  std::vector<std::string> candidates;
  for (const CorpusBody& body : list) {
    const bool source = std::find(group.mix_of.begin(), group.mix_of.end(), body.group) != group.mix_of.end();
    if (source && body.side == side) candidates.push_back(body.name);
  }
  const int count = static_cast<int>(candidates.size());
  if (count < bodies::kFewestParents) {
    throw InputError(file, fmt::format("bodies \"{}\"", group.name),
                     fmt::format("mixes at least {} bodies, and there are {} on the side \"{}\"",
                                 bodies::kFewestParents, count, dataset::Name(side)),
                     "ask for more bodies");
  }
  for (int i = 0; i < group.count; ++i) {
    CorpusBody body = StartBody(recipe, group, i);
    body.source = "mix";
    body.side = side;
    bodies::MixRecipe mix = bodies::DrawMix(count, body.seed);
    for (const int parent : mix.parents) body.parents.push_back(candidates[parent]);
    body.shares = std::move(mix.shares);
    list.push_back(std::move(body));
  }
}

std::vector<CorpusClip> ListClips(const Recipe& recipe, const std::string& file) {
  std::vector<CorpusClip> clips;
  if (recipe.poses.clips.empty()) return clips;
  std::set<std::string> people;
  for (const fs::path& path : FilesIn(recipe.poses.clips, ".bvh", file)) {
    const std::string stem = path.stem().string();
    const auto given = recipe.poses.people.find(stem);
    CorpusClip clip;
    clip.name = path.filename().string();
    clip.person = given != recipe.poses.people.end() ? given->second : stem.substr(0, stem.find('_'));
    clip.hash = HashHex(ReadFile(path));
    const auto has = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), clip.person) != list.end();
    };
    if (has(recipe.splits.validation_people)) clip.side = Side::kValidation;
    if (has(recipe.splits.test_people)) clip.side = Side::kTest;
    people.insert(clip.person);
    clips.push_back(std::move(clip));
  }
  for (const auto* list : {&recipe.splits.validation_people, &recipe.splits.test_people}) {
    for (const std::string& person : *list) {
      if (people.contains(person)) continue;
      throw InputError(file, "", fmt::format("keeps person \"{}\" apart, of whom there is no clip", person),
                       "a person is what a file's name has before its first '_', or what 'people' says");
    }
  }
  return clips;
}

}  // namespace

CorpusManifest PlanCorpus(const Recipe& recipe, const std::string& file) {
  CorpusManifest manifest{.name = recipe.name,
                          .seed = recipe.seed,
                          .recipe = recipe.text,
                          .test_families = recipe.splits.test_families,
                          .bodies = ListBodies(recipe, file),
                          .clips = ListClips(recipe, file)};
  DealBodies(recipe, manifest.bodies);
  for (const BodyGroup& group : recipe.bodies) {
    if (!group.mix_of.empty()) AddMixes(recipe, group, file, manifest.bodies);
  }
  PlanDress(recipe, file, manifest.bodies);
  for (const std::string& family : recipe.splits.test_families) {
    const auto is_of = [&](const CorpusBody& body) { return body.family == family; };
    if (std::any_of(manifest.bodies.begin(), manifest.bodies.end(), is_of)) continue;
    throw InputError(file, "", fmt::format("tests on the family \"{}\", of which there is no body", family),
                     kRecipeRemedy);
  }
  RefuseLeaks(manifest, file);
  return manifest;
}

}  // namespace sinew::corpus
