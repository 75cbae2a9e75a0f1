// Frames of many bodies, from several datasets or packs, as networks see them.
#ifndef SINEW_OFFLINE_GRAPHNET_FRAME_SET_H_
#define SINEW_OFFLINE_GRAPHNET_FRAME_SET_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/graphnet/body.h"
#include "sinew/offline/graphnet/frame_store.h"

namespace sinew::graphnet {

// Frames of a dataset, or of a packed body, that are used.
struct FrameSource {
  std::shared_ptr<const FrameStore> store;
  std::string name;         // of the body, in tables
  std::string family;       // generator that the body comes from; empty: not known
  std::vector<int> frames;  // increasing; each has a shape
};

struct SourceOptions {
  dataset::Side side = dataset::Side::kTrain;  // which frames of a corpus are used; of a dataset all are
  std::string unseen_family = {};              // corpus::CorpusOptions::unseen_family
};

// Opens datasets, corpora and packed corpora with those of their frames that have a shape. Bodies are named as in the
// corpus, or by the folder of their dataset. Throws InputError for a dataset without such frames, for a corpus or pack
// that leaks, and for a pack if frames to test with are asked for, which no pack has.
std::vector<FrameSource> OpenSources(const std::vector<std::filesystem::path>& paths,
                                     const SourceOptions& options = {});

// Returns in words what the paths are: "a packed corpus and 2 datasets".
std::string DescribePaths(const std::vector<std::filesystem::path>& paths);
// Returns whether a path has frames of its own to validate with: a corpus or a packed one.
bool HasSides(const std::filesystem::path& path);

// Hashes of the manifests and of the recipes of all corpora, packed ones too, among the paths, for the model file.
// Empty without corpora.
struct CorpusHashes {
  std::string corpus, recipe;
};
CorpusHashes HashCorpora(const std::vector<std::filesystem::path>& paths);

// Splits every source into frames to train on and to validate with (dataset/split_frames.h). validation: share of the
// frames, above 0 and below 1.
struct SplitSources {
  std::vector<FrameSource> training, validation;
};
SplitSources SplitForValidation(const std::vector<FrameSource>& sources, double validation, uint64_t seed);

// Frames that a training reads.
struct TrainingInputs {
  std::vector<std::filesystem::path> paths;            // corpora or packed corpora, and datasets
  std::vector<std::filesystem::path> validation = {};  // the same, to validate with; empty: `paths`
  double share = 0.1;              // of the frames to validate with, where nothing has a validation side
  std::string unseen_family = {};  // corpus::CorpusOptions::unseen_family
  int bodies = 0;                  // to train on (ChooseBodies()); 0: all. What validates stays the same
  uint64_t seed = 1;
};
SplitSources OpenTraining(const TrainingInputs& inputs);

// Returns `count` of the sources, in their order, spread over families by their sizes. Those of a smaller count are
// among those of a larger one. Throws UsageError for a count that is not within 1 and the number of sources.
std::vector<FrameSource> ChooseBodies(const std::vector<FrameSource>& sources, int count);

class FrameSet {
 public:
  // Reads all characters. Throws InputError if one cannot be used (body.h) or, with the paper's features, has other
  // joints than the first.
  explicit FrameSet(std::vector<FrameSource> sources, const BodyOptions& options = {});

  struct Entry {
    int body = 0;    // index into bodies()
    int source = 0;  // index into sources()
    int frame = 0;   // of the source
  };
  const std::vector<FrameSource>& sources() const { return sources_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Entry>& entries() const { return entries_; }
  int count() const { return static_cast<int>(entries_.size()); }
  // Name of a source's body; with the character's number, if the source has several.
  std::string NameOf(const Entry& entry) const;

  // May be called from several threads at once.
  Body::Frame Evaluate(int entry) const;
  Points Truth(int entry) const;
  // SeenHash() of a frame.
  std::string HashOf(int entry) const;

 private:
  std::vector<FrameSource> sources_;
  std::vector<Body> bodies_;
  std::vector<int> character_of_;  // per body: number in its source
  std::vector<Entry> entries_;
};

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_FRAME_SET_H_
