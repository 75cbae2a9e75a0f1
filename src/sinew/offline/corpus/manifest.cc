#include "sinew/offline/corpus/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/corpus/manifest_fields.h"
#include "sinew/offline/corpus/recipe.h"

namespace sinew::corpus {
namespace {

constexpr const char* kFormat = "sinew-corpus";
constexpr int kVersion = 1;
constexpr const char* kRemedy = "make the corpus again with 'sinew corpus make'";

bool IsHash(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Names become folders: nothing but plain characters can lead out of the corpus.
void CheckName(const JsonFields& fields, const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 80 &&
                     name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
  if (!plain) fields.Fail("has a 'name' that is not small letters, digits, '_' and '-'");
}

Side ReadSide(const JsonFields& fields) {
  const std::optional<Side> side = SideNamed(fields.String("split"));
  if (!side) fields.Fail("has a 'split' that is not train, validation or test");
  return *side;
}

void ReadParents(const JsonFields& fields, CorpusBody& body) {
  body.parents = ReadTexts(fields, "parents");
  for (const Json& share : fields.List("shares")) {
    if (!share.is_number()) fields.Fail("has an entry in 'shares' that is no number");
    body.shares.push_back(share.get<double>());
  }
  if (body.shares.size() != body.parents.size()) fields.Fail("has other numbers of 'parents' and 'shares'");
}

CorpusBody ReadBody(const JsonFields& fields) {
  CorpusBody body = ReadPlannedBody(fields);
  if (!fields.Has("dataset")) return body;
  body.dataset = ReadHash(fields, "dataset");
  body.character = ReadHash(fields, "character");
  body.build = ReadHash(fields, "build");
  if (!body.garment.empty()) body.garment_build = ReadHash(fields, "garment_build");
  body.vertices = static_cast<int>(fields.Integer("vertices", 1, INT_MAX));
  body.frames = static_cast<int>(fields.Integer("frames", 0, INT_MAX));
  body.failed = static_cast<int>(fields.Integer("failed", 0, body.frames));
  return body;
}

Json ToJson(const CorpusBody& body) {
  Json json = PlannedJson(body);
  if (!body.made()) return json;
  json["dataset"] = body.dataset;
  json["character"] = body.character;
  json["build"] = body.build;
  if (!body.garment.empty()) json["garment_build"] = body.garment_build;
  json["vertices"] = body.vertices;
  json["frames"] = body.frames;
  json["failed"] = body.failed;
  return json;
}

template <typename Entry>
int FindNamed(const std::vector<Entry>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return found == entries.end() ? -1 : static_cast<int>(found - entries.begin());
}

}  // namespace

std::string ReadHash(const JsonFields& fields, const char* key) {
  std::string hash = fields.String(key);
  if (!IsHash(hash)) fields.Fail(fmt::format("has a '{}' that is no hash of 32 hexadecimal digits", key));
  return hash;
}

uint64_t ReadSeed(const JsonFields& fields) {
  const Json& seed = fields.At("seed");
  if (!seed.is_number_unsigned()) fields.Fail("has a 'seed' that is no whole number from 0 on");
  return seed.get<uint64_t>();
}

std::vector<std::string> ReadTexts(const JsonFields& fields, const char* key) {
  std::vector<std::string> texts;
  for (const Json& entry : fields.List(key)) {
    if (!entry.is_string()) fields.Fail(fmt::format("has an entry in '{}' that is no text", key));
    texts.push_back(entry.get<std::string>());
  }
  return texts;
}

CorpusBody ReadPlannedBody(const JsonFields& fields) {
  CorpusBody body;
  body.name = fields.String("name");
  CheckName(fields, body.name);
  body.group = fields.String("group");
  body.family = fields.String("family");
  body.identity = fields.String("identity");
  body.topology = fields.String("topology");
  body.source = fields.String("source");
  if (fields.Has("parents")) ReadParents(fields, body);
  body.side = ReadSide(fields);
  body.seed = ReadSeed(fields);
  if (fields.Has("dress")) body.dress = static_cast<int>(fields.Integer("dress", 0, INT_MAX));
  if (fields.Has("garment")) body.garment = fields.String("garment");
  return body;
}

Json PlannedJson(const CorpusBody& body) {
  Json json = {{"name", body.name},         {"group", body.group},       {"family", body.family},
               {"identity", body.identity}, {"topology", body.topology}, {"source", body.source}};
  if (!body.parents.empty()) {
    json["parents"] = body.parents;
    json["shares"] = body.shares;
  }
  json["split"] = dataset::Name(body.side);
  json["seed"] = body.seed;
  if (body.dress >= 0) json["dress"] = body.dress;
  if (!body.garment.empty()) json["garment"] = body.garment;
  return json;
}

int CorpusManifest::FindBody(std::string_view body) const { return FindNamed(bodies, body); }
int CorpusManifest::FindClip(std::string_view clip) const { return FindNamed(clips, clip); }

CorpusManifest ParseCorpusManifest(std::string_view text, const std::string& file) {
  const Json json = ParseJson(text, file);
  const JsonFields fields(json, file, "", kRemedy);
  CorpusManifest manifest;
  ReadHeading(fields, kFormat, kVersion, "a corpus", manifest);
  for (const Json& entry : fields.List("bodies")) {
    const JsonFields body(entry, file, fmt::format("body {}", manifest.bodies.size()), kRemedy);
    manifest.bodies.push_back(ReadBody(body));
  }
  for (const Json& entry : fields.List("clips")) {
    const JsonFields clip(entry, file, fmt::format("clip {}", manifest.clips.size()), kRemedy);
    manifest.clips.push_back({.name = clip.String("name"),
                              .person = clip.String("person"),
                              .hash = ReadHash(clip, "hash"),
                              .side = ReadSide(clip)});
  }
  CheckUnique(manifest.bodies, fields, "bodies");
  CheckUnique(manifest.clips, fields, "clips");
  return manifest;
}

std::string FormatCorpusManifest(const CorpusManifest& manifest) {
  Json json = HeadingJson(kFormat, kVersion, manifest);
  json["bodies"] = Json::array();
  for (const CorpusBody& body : manifest.bodies) json["bodies"].push_back(ToJson(body));
  json["clips"] = Json::array();
  for (const CorpusClip& clip : manifest.clips) {
    json["clips"].push_back(
        {{"name", clip.name}, {"person", clip.person}, {"split", dataset::Name(clip.side)}, {"hash", clip.hash}});
  }
  return JsonText(json, 1) + "\n";
}

std::string DatasetFolder(const CorpusBody& body) { return fmt::format("bodies/{}.dataset", body.name); }

}  // namespace sinew::corpus
