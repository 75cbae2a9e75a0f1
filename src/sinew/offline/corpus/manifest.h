// Manifest of a corpus (corpus.json): recipe, bodies and clips, with the side of each. Format: docs/formats/corpus.md.
#ifndef SINEW_OFFLINE_CORPUS_MANIFEST_H_
#define SINEW_OFFLINE_CORPUS_MANIFEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/dataset/split_frames.h"

namespace sinew::corpus {

using dataset::Side;

struct CorpusBody {
  std::string name;                  // unique in the corpus; its dataset is the folder bodies/NAME.dataset
  std::string group;                 // BodyGroup::name
  std::string family;                // generator that it comes from
  std::string identity;              // equal for a body and its remeshes, garments and mirror images
  std::string topology;              // equal for bodies with the same triangles
  std::string source;                // what it was made from: a kind of embedded character, a file, "mix"
  std::vector<std::string> parents;  // names of the bodies that it is a mix of; empty: it is no mix
  std::vector<double> shares;        // of its parents, one each
  Side side = Side::kTrain;
  uint64_t seed = 0;    // of its shape, its changes and its poses
  int dress = -1;       // number of the dress recipe that it wears (DressOf()); -1: none
  std::string garment;  // name of the file of the garment that it wears; empty: none

  // Known once the body is made; until then `dataset` is empty.
  std::string dataset;        // HashHex() of its dataset.json, which holds the hashes of all other files
  std::string character;      // HashHex() of its .glb
  std::string build;          // BuildOf() its skeleton
  std::string garment_build;  // BuildOf() the skeleton in the garment's file; empty without a garment
  int vertices = 0;
  int frames = 0;  // number of frames, failed ones included
  int failed = 0;  // number of frames without a shape

  bool made() const { return !dataset.empty(); }
  bool operator==(const CorpusBody&) const = default;
};

struct CorpusClip {
  std::string name;    // the file's name; DatasetMotion::file of its frames
  std::string person;  // who moves
  std::string hash;    // HashHex() of the file
  Side side = Side::kTrain;

  bool operator==(const CorpusClip&) const = default;
};

struct CorpusManifest {
  std::string name;
  uint64_t seed = 0;
  std::string recipe;                      // text of the recipe
  std::vector<std::string> test_families;  // families of which no body is trained on
  std::vector<CorpusBody> bodies;          // in the order of the recipe
  std::vector<CorpusClip> clips;           // sorted by name

  int FindBody(std::string_view name) const;  // -1: none
  int FindClip(std::string_view name) const;  // -1: none
};

// Parses corpus.json. file: its name in error messages. Throws InputError for anything that docs/formats/corpus.md does
// not allow. Does not look for leaks (leaks.h).
CorpusManifest ParseCorpusManifest(std::string_view text, const std::string& file);
std::string FormatCorpusManifest(const CorpusManifest& manifest);

// Path of a body's dataset below the folder of a corpus.
std::string DatasetFolder(const CorpusBody& body);

inline constexpr const char* kCorpusFile = "corpus.json";

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_MANIFEST_H_
