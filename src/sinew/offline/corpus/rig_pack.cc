#include "sinew/offline/corpus/rig_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/read_below.h"
#include "sinew/offline/corpus/leaks.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/manifest_fields.h"
#include "sinew/offline/corpus/recipe.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "sinew-rig-pack";
constexpr int kVersion = 1;
constexpr const char* kRemedy = "pack it again with 'sinew corpus pack --rig'";

Side ReadTrainOrTest(const JsonFields& fields) {
  const std::optional<Side> side = SideNamed(fields.String("split"));
  if (!side || *side == Side::kValidation) fields.Fail("has a 'split' that is not train or test");
  return *side;
}

RigTopologyEntry ReadTopology(const JsonFields& fields) {
  RigTopologyEntry entry;
  entry.name = fields.String("name");
  entry.shapes_hash = ReadHash(fields, "shapes_hash");
  entry.maps_hash = ReadHash(fields, "maps_hash");
  entry.bytes = fields.Integer("bytes", 1, INT_MAX);
  entry.points = static_cast<int>(fields.Integer("points", 1, INT_MAX));
  entry.shapes = static_cast<int>(fields.Integer("shapes", 1, INT_MAX));
  entry.training_maps = static_cast<int>(fields.Integer("training_maps", 0, INT_MAX));
  entry.test_maps = static_cast<int>(fields.Integer("test_maps", 0, INT_MAX));
  return entry;
}

Json ToJson(const RigTopologyEntry& entry) {
  return {{"name", entry.name},
          {"shapes_hash", entry.shapes_hash},
          {"maps_hash", entry.maps_hash},
          {"bytes", entry.bytes},
          {"points", entry.points},
          {"shapes", entry.shapes},
          {"training_maps", entry.training_maps},
          {"test_maps", entry.test_maps}};
}

RigDress ReadDress(const JsonFields& fields) {
  const Json& recipe = fields.At("recipe");
  if (!recipe.is_object()) fields.Fail("has a 'recipe' that is no object");
  return {.side = ReadTrainOrTest(fields), .seed = ReadSeed(fields), .recipe = JsonText(recipe)};
}

// Refuses what is on both sides. side_of: by what tells entries apart.
void RefuseBoth(std::map<std::string, Side>& side_of, const std::string& key, Side side, const std::string& file,
                const std::string& what) {
  const auto [found, fresh] = side_of.emplace(key, side);
  if (fresh || found->second == side) return;
  throw InputError(file, "", fmt::format("has {} both to train and to test with", what), kRemedy);
}

void RefuseDressOnBothSides(const RigPackManifest& manifest, const std::string& file) {
  std::map<std::string, Side> sides;
  for (const RigDress& dress : manifest.dress) RefuseBoth(sides, dress.recipe, dress.side, file, "a dress recipe");
}

Bytes ReadPart(const fs::path& folder, const std::string& place, const std::string& hash) {
  Bytes bytes = ReadFileBelow(folder, place);
  if (HashHex(bytes) != hash) {
    throw InputError((folder / place).string(), "",
                     fmt::format("is not the file that {} describes: the checksum differs", kRigPackFile), kRemedy);
  }
  return bytes;
}

RigTopology ReadTopologyFiles(const fs::path& folder, int t, const RigTopologyEntry& entry) {
  const std::string shapes = (folder / RigShapesFile(t)).string(), maps = (folder / RigMapsFile(t)).string();
  RigTopology topology = ParseRigShapes(ReadPart(folder, RigShapesFile(t), entry.shapes_hash), shapes);
  topology.maps = ParseRigMaps(ReadPart(folder, RigMapsFile(t), entry.maps_hash), topology.point_count(), maps);
  if (topology.name != entry.name || topology.point_count() != entry.points) {
    throw InputError(shapes, "", fmt::format("is not the topology that {} describes", kRigPackFile), kRemedy);
  }
  std::map<std::string, Side> sides;
  for (const RigMap& map : topology.maps) {
    RefuseBoth(sides, fmt::format("{}", map.seed), map.side, maps, "a connectivity");
  }
  return topology;
}

// The bodies as a manifest of a corpus, for what both share.
CorpusManifest ToCorpus(const RigPackManifest& pack) {
  return {.name = pack.name,
          .seed = pack.seed,
          .recipe = pack.recipe,
          .test_families = pack.test_families,
          .bodies = pack.bodies,
          .clips = {}};
}

// Keeps the shapes whose bodies are not to test with, and refuses shapes without a body.
void KeepShapes(const CorpusManifest& corpus, const std::vector<CorpusBody>& all, const std::string& file,
                RigTopology& topology) {
  std::erase_if(topology.shapes, [&](const RigShape& shape) {
    const auto known = [&](const CorpusBody& body) {
      return body.name == shape.body && body.topology == topology.name;
    };
    if (std::none_of(all.begin(), all.end(), known)) {
      throw InputError(file, "", fmt::format("has a shape \"{}\" that is no body of {}", shape.body, kRigPackFile),
                       kRemedy);
    }
    const int b = corpus.FindBody(shape.body);
    return b < 0 || corpus.bodies[b].side == Side::kTest;
  });
}

}  // namespace

int64_t RigPackManifest::Bytes() const {
  int64_t sum = 0;
  for (const RigTopologyEntry& entry : topologies) sum += entry.bytes;
  return sum;
}

RigPackManifest ParseRigPackManifest(std::string_view text, const std::string& file) {
  const Json json = ParseJson(text, file);
  const JsonFields fields(json, file, "", kRemedy);
  RigPackManifest manifest;
  ReadHeading(fields, kFormat, kVersion, "a rig pack", manifest);
  for (const Json& entry : fields.List("bodies")) {
    const JsonFields body(entry, file, fmt::format("body {}", manifest.bodies.size()), kRemedy);
    manifest.bodies.push_back(ReadPlannedBody(body));
    if (manifest.bodies.back().side == Side::kTest) body.Fail("is to test with, and such bodies are never packed");
  }
  for (const Json& entry : fields.List("topologies")) {
    manifest.topologies.push_back(
        ReadTopology(JsonFields(entry, file, fmt::format("topology {}", manifest.topologies.size()), kRemedy)));
  }
  for (const Json& entry : fields.List("dress")) {
    manifest.dress.push_back(
        ReadDress(JsonFields(entry, file, fmt::format("dress recipe {}", manifest.dress.size()), kRemedy)));
  }
  CheckUnique(manifest.bodies, fields, "bodies");
  CheckUnique(manifest.topologies, fields, "topologies");
  RefuseDressOnBothSides(manifest, file);
  return manifest;
}

std::string FormatRigPackManifest(const RigPackManifest& manifest) {
  Json json = HeadingJson(kFormat, kVersion, manifest);
  for (const char* key : {"bodies", "topologies", "dress"}) json[key] = Json::array();
  for (const CorpusBody& body : manifest.bodies) json["bodies"].push_back(PlannedJson(body));
  for (const RigTopologyEntry& entry : manifest.topologies) json["topologies"].push_back(ToJson(entry));
  for (const RigDress& dress : manifest.dress) {
    json["dress"].push_back({{"split", dataset::Name(dress.side)},
                             {"seed", dress.seed},
                             {"recipe", ParseJson(dress.recipe, "a dress recipe")}});
  }
  return JsonText(json, 1) + "\n";
}

std::string RigShapesFile(int t) { return fmt::format("topologies/{:03}.shapes", t); }
std::string RigMapsFile(int t) { return fmt::format("topologies/{:03}.maps", t); }

bool IsRigPack(const fs::path& path) { return fs::is_directory(path) && fs::is_regular_file(path / kRigPackFile); }

RigPack LoadRigPack(const fs::path& folder, const std::string& unseen_family) {
  const std::string file = (folder / kRigPackFile).string();
  if (!IsRigPack(folder)) {
    throw InputError(folder.string(), "", fmt::format("is no rig pack: it has no {}", kRigPackFile),
                     "make one with 'sinew corpus pack --rig RECIPE -o FOLDER'");
  }
  RigPack pack;
  pack.manifest = ParseRigPackManifest(ReadTextFile(file), file);
  CorpusManifest corpus = ToCorpus(pack.manifest);
  LeaveOutFamily(unseen_family, file, corpus);
  RefuseLeaks(corpus, file);
  std::vector<RigTopologyEntry> kept;
  for (size_t t = 0; t < pack.manifest.topologies.size(); ++t) {
    const RigTopologyEntry& entry = pack.manifest.topologies[t];
    RigTopology topology = ReadTopologyFiles(folder, static_cast<int>(t), entry);
    KeepShapes(corpus, pack.manifest.bodies, (folder / RigShapesFile(static_cast<int>(t))).string(), topology);
    if (topology.shapes.empty()) continue;
    kept.push_back(entry);
    pack.topologies.push_back(std::move(topology));
  }
  pack.manifest.topologies = std::move(kept);
  pack.manifest.bodies = std::move(corpus.bodies);
  std::erase_if(pack.manifest.bodies, [](const CorpusBody& body) { return body.side == Side::kTest; });
  return pack;
}

}  // namespace sinew::corpus
