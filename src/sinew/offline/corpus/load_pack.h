// Reader of packed corpora.
//
//   const Pack pack("people.pack");
//   for (int b = 0; b < pack.body_count(); ++b) {
//     const PackedBody body = pack.Read(b);
//     for (int f = 0; f < body.frame_count(); ++f) {
//       if (pack.SideOf(b, body, f) == Side::kTrain) Use(body.poses[f], body.Residual(f));
//     }
//   }
#ifndef SINEW_OFFLINE_CORPUS_LOAD_PACK_H_
#define SINEW_OFFLINE_CORPUS_LOAD_PACK_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/corpus/packed_body.h"

namespace sinew::corpus {

struct PackEntry {
  CorpusBody body;   // without `dataset`
  std::string hash;  // HashHex() of its file
  int64_t bytes = 0;
  int points = 0, modes = 0, frames = 0;
  double mean_residual_mm = 0;
  double loss = 0;  // as PackedBody::loss
};

struct PackManifest {
  std::string name;  // of the corpus
  uint64_t seed = 0;
  std::string recipe;  // text of the recipe
  std::vector<std::string> test_families;
  std::vector<PackEntry> bodies;

  int64_t Bytes() const;    // size of all bodies
  double MeanLoss() const;  // mean of the bodies' losses, weighted by frames
};

PackManifest ParsePackManifest(std::string_view text, const std::string& file);
std::string FormatPackManifest(const PackManifest& manifest);
// Path of a body's file below the folder of a pack.
std::string PackedFile(const CorpusBody& body);
// Reads a body's file as it is. Throws InputError if it is missing, damaged or another one.
Bytes ReadPackedFile(const std::filesystem::path& folder, const PackEntry& entry);

bool IsPack(const std::filesystem::path& path);

// Throws InputError, naming `file`, if the bodies of a pack leak between its sides (leaks.h).
void RefusePackLeaks(const PackManifest& manifest, const std::string& file);

class Pack {
 public:
  // Reads the manifest. unseen_family: as in CorpusOptions. Throws InputError for anything that docs/formats/pack.md
  // does not allow and for leaks.
  explicit Pack(const std::filesystem::path& folder, const std::string& unseen_family = "");

  const PackManifest& manifest() const { return manifest_; }
  int body_count() const { return static_cast<int>(manifest_.bodies.size()); }
  const CorpusBody& body(int b) const { return manifest_.bodies[b].body; }
  // Reads body b. Throws InputError if its file is missing, damaged or another one. May be called from any thread.
  PackedBody Read(int b) const;
  // Side of frame f of body b: the later of its own and the body's, which may be of an unseen family.
  Side SideOf(int b, const PackedBody& packed, int f) const;

 private:
  std::filesystem::path folder_;
  PackManifest manifest_;
};

inline constexpr const char* kPackFile = "pack.json";

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_LOAD_PACK_H_
