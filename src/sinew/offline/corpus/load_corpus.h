// Reader of a corpus: bodies and frames by side, without leaks between the sides.
//
//   const Corpus corpus("people.corpus");
//   for (const int b : corpus.Bodies()) {
//     const dataset::Dataset body = corpus.Open(b);
//     for (const int i : corpus.Frames(b, body, Side::kTrain)) Use(body.pose(i), body.Shape(i));
//   }
#ifndef SINEW_OFFLINE_CORPUS_LOAD_CORPUS_H_
#define SINEW_OFFLINE_CORPUS_LOAD_CORPUS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/dataset/dataset.h"

namespace sinew::corpus {

// Returns whether the path is a folder that contains a corpus's manifest.
bool IsCorpus(const std::filesystem::path& path);

struct CorpusOptions {
  // Family to leave out of training, for "unseen family": its bodies are test bodies, whatever their side was, and its
  // mixes, which are never test bodies, are dropped, and so are those of its bodies that wear a dress recipe of a body
  // of another family that is not to test with. Empty: sides are as the recipe has dealt them.
  std::string unseen_family;
  bool allow_missing = false;  // whether bodies may be missing that the recipe asks for; they are then not listed
};

// Applies CorpusOptions::unseen_family. Throws InputError, naming `file` and the families, if there is no such family.
void LeaveOutFamily(const std::string& family, const std::string& file, CorpusManifest& manifest);

// Side of a frame: the later of its body's and its clip's, in the order train, validation, test. So frames to train on
// have a training body and are samples or of a training clip. Throws InputError, naming `file`, for a frame of a clip
// that the corpus does not list.
Side SideOf(const CorpusManifest& manifest, const CorpusBody& body, const dataset::DatasetMotion& motion,
            const std::string& file);

class Corpus {
 public:
  // Reads the manifest. Throws InputError for anything that docs/formats/corpus.md does not allow, for leaks (leaks.h),
  // and for bodies that are missing.
  explicit Corpus(const std::filesystem::path& folder, const CorpusOptions& options = {});

  const std::filesystem::path& folder() const { return folder_; }
  const CorpusManifest& manifest() const { return manifest_; }
  const CorpusBody& body(int b) const { return manifest_.bodies[b]; }
  // Returns the indices of the bodies that are there, increasing.
  std::vector<int> Bodies() const;

  // Opens the dataset of body b. Throws InputError if it is not the one that the manifest names.
  dataset::Dataset Open(int b) const;
  // Returns the frames on one side that have a shape, increasing. dataset: that of body b.
  std::vector<int> Frames(int b, const dataset::Dataset& dataset, Side side) const;

 private:
  std::filesystem::path folder_;
  CorpusManifest manifest_;
};

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_LOAD_CORPUS_H_
