// Reader and manifest of rig packs: what the training of a rigging network needs, without frames. Format:
// docs/formats/rig-pack.md.
//
//   const RigPack pack = LoadRigPack("people.rig");
//   for (const RigTopology& topology : pack.topologies) {
//     const Points mixed = 0.4f * topology.shapes[0].rest + 0.6f * topology.shapes[1].rest;
//     Use(topology.maps[7].Apply(mixed), topology.maps[7].triangles);
//   }
#ifndef SINEW_OFFLINE_CORPUS_RIG_PACK_H_
#define SINEW_OFFLINE_CORPUS_RIG_PACK_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/corpus/rig_topology.h"

namespace sinew::corpus {

struct RigTopologyEntry {
  std::string name;                    // RigTopology::name
  std::string shapes_hash, maps_hash;  // HashHex() of its two files
  int64_t bytes = 0;                   // of both
  int points = 0, shapes = 0;
  int training_maps = 0, test_maps = 0;
};

// What a body wears.
struct RigDress {
  Side side = Side::kTrain;  // kTrain or kTest
  uint64_t seed = 0;         // that it was drawn with
  std::string recipe;        // the garments as JSON text: docs/formats/rig-pack.md
};

struct RigPackManifest {
  std::string name;  // of the recipe
  uint64_t seed = 0;
  std::string recipe;  // text of the recipe
  std::vector<std::string> test_families;
  std::vector<CorpusBody> bodies;  // those with a shape; none to test with
  std::vector<RigTopologyEntry> topologies;
  std::vector<RigDress> dress;

  int64_t Bytes() const;
};

RigPackManifest ParseRigPackManifest(std::string_view text, const std::string& file);
std::string FormatRigPackManifest(const RigPackManifest& manifest);
// Paths of the files of topology t below the folder of a rig pack.
std::string RigShapesFile(int t);
std::string RigMapsFile(int t);

bool IsRigPack(const std::filesystem::path& path);

struct RigPack {
  RigPackManifest manifest;
  std::vector<RigTopology> topologies;  // in the order of the manifest
};

// Reads a rig pack. unseen_family: as in CorpusOptions; shapes of that family are dropped, and topologies without
// shapes. Throws InputError for anything that docs/formats/rig-pack.md does not allow, and for leaks: of bodies as in
// corpora; a connectivity or a dress recipe to train with that is also one to test with.
RigPack LoadRigPack(const std::filesystem::path& folder, const std::string& unseen_family = "");

inline constexpr const char* kRigPackFile = "rig.json";

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_RIG_PACK_H_
