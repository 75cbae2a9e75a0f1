#include "sinew/offline/corpus/load_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/read_below.h"
#include "sinew/offline/corpus/leaks.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/manifest_fields.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "sinew-corpus-pack";
constexpr int kVersion = 2;
constexpr const char* kRemedy = "pack the corpus again with 'sinew corpus pack'";

PackEntry ReadEntry(const JsonFields& fields) {
  PackEntry entry;
  entry.body = ReadPlannedBody(fields);
  entry.body.character = ReadHash(fields, "character");
  entry.body.build = ReadHash(fields, "build");
  entry.hash = ReadHash(fields, "hash");
  entry.bytes = fields.Integer("bytes", 1, INT_MAX);
  entry.points = static_cast<int>(fields.Integer("points", 1, kMaxPackedPoints));
  entry.modes = static_cast<int>(fields.Integer("modes", 0, INT_MAX));
  entry.frames = static_cast<int>(fields.Integer("frames", 1, INT_MAX));
  entry.mean_residual_mm = fields.Double("mean_residual_mm");
  entry.loss = fields.Double("loss");
  if (entry.body.side == Side::kTest) fields.Fail("is to test with, and such bodies are never packed");
  return entry;
}

Json ToJson(const PackEntry& entry) {
  Json json = PlannedJson(entry.body);
  json["character"] = entry.body.character;
  json["build"] = entry.body.build;
  json["hash"] = entry.hash;
  json["bytes"] = entry.bytes;
  json["points"] = entry.points;
  json["modes"] = entry.modes;
  json["frames"] = entry.frames;
  json["mean_residual_mm"] = entry.mean_residual_mm;
  json["loss"] = entry.loss;
  return json;
}

// The pack as a manifest of bodies, for what both share.
CorpusManifest ToCorpus(const PackManifest& pack) {
  CorpusManifest corpus{.name = pack.name,
                        .seed = pack.seed,
                        .recipe = pack.recipe,
                        .test_families = pack.test_families,
                        .bodies = {},
                        .clips = {}};
  for (const PackEntry& entry : pack.bodies) corpus.bodies.push_back(entry.body);
  return corpus;
}

}  // namespace

int64_t PackManifest::Bytes() const {
  int64_t sum = 0;
  for (const PackEntry& entry : bodies) sum += entry.bytes;
  return sum;
}

double PackManifest::MeanLoss() const {
  double sum = 0, frames = 0;
  for (const PackEntry& entry : bodies) {
    sum += entry.loss * entry.frames;
    frames += entry.frames;
  }
  return frames > 0 ? sum / frames : 0;
}

PackManifest ParsePackManifest(std::string_view text, const std::string& file) {
  const Json json = ParseJson(text, file);
  const JsonFields fields(json, file, "", kRemedy);
  PackManifest manifest;
  ReadHeading(fields, kFormat, kVersion, "a packed corpus", manifest);
  for (const Json& entry : fields.List("bodies")) {
    manifest.bodies.push_back(
        ReadEntry(JsonFields(entry, file, fmt::format("body {}", manifest.bodies.size()), kRemedy)));
  }
  CheckUnique(ToCorpus(manifest).bodies, fields, "bodies");
  return manifest;
}

std::string FormatPackManifest(const PackManifest& manifest) {
  Json json = HeadingJson(kFormat, kVersion, manifest);
  json["bodies"] = Json::array();
  for (const PackEntry& entry : manifest.bodies) json["bodies"].push_back(ToJson(entry));
  return JsonText(json, 1) + "\n";
}

std::string PackedFile(const CorpusBody& body) { return fmt::format("bodies/{}.packed", body.name); }

sinew::Bytes ReadPackedFile(const fs::path& folder, const PackEntry& entry) {
  const std::string place = PackedFile(entry.body);
  sinew::Bytes bytes = ReadFileBelow(folder, place);
  if (HashHex(bytes) != entry.hash) {
    throw InputError((folder / place).string(), "",
                     fmt::format("is not the body that {} describes: the checksum differs", kPackFile), kRemedy);
  }
  return bytes;
}

bool IsPack(const fs::path& path) { return fs::is_directory(path) && fs::is_regular_file(path / kPackFile); }

void RefusePackLeaks(const PackManifest& manifest, const std::string& file) { RefuseLeaks(ToCorpus(manifest), file); }

Pack::Pack(const fs::path& folder, const std::string& unseen_family) : folder_(folder) {
  const std::string file = (folder / kPackFile).string();
  if (!IsPack(folder)) {
    throw InputError(folder.string(), "", fmt::format("is no packed corpus: it has no {}", kPackFile),
                     "make one with 'sinew corpus pack CORPUS -o FOLDER'");
  }
  manifest_ = ParsePackManifest(ReadTextFile(file), file);
  CorpusManifest corpus = ToCorpus(manifest_);
  LeaveOutFamily(unseen_family, file, corpus);
  RefuseLeaks(corpus, file);
  // Take over sides, and drop the bodies that leaving a family out dropped.
  std::erase_if(manifest_.bodies, [&](PackEntry& entry) {
    const int b = corpus.FindBody(entry.body.name);
    if (b >= 0) entry.body.side = corpus.bodies[b].side;
    return b < 0;
  });
}

PackedBody Pack::Read(int b) const {
  const PackEntry& entry = manifest_.bodies[b];
  const std::string file = (folder_ / PackedFile(entry.body)).string();
  PackedBody body = ParsePackedBody(ReadPackedFile(folder_, entry), file);
  if (body.name != entry.body.name || body.frame_count() != entry.frames || body.point_count() != entry.points) {
    throw InputError(file, "", fmt::format("is not the body that {} describes", kPackFile), kRemedy);
  }
  return body;
}

Side Pack::SideOf(int b, const PackedBody& packed, int f) const {
  return std::max(packed.frames[f].side, body(b).side);
}

}  // namespace sinew::corpus
