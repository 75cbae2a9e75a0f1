// Makes a corpus: the bodies of a recipe, each with its own poses and their ground truth, one dataset per body.
//
// Bodies are the unit of parallel work, of resuming and of farming. A run that was stopped at any moment, by a kill
// too, goes on where it ended, and gives the bytes of a run that was not stopped, whatever the number of threads.
#ifndef SINEW_OFFLINE_CORPUS_MAKE_CORPUS_H_
#define SINEW_OFFLINE_CORPUS_MAKE_CORPUS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/corpus/recipe.h"

namespace sinew::corpus {

struct MakeCorpusOptions {
  // Part of the corpus to make, for several machines: of every `parts` bodies the one with number `part`, from 1 on.
  int part = 1, parts = 1;
  double minutes = 0;  // after so long no further frame is begun, reading and meshing not counted; 0: no limit
  // Number of bodies that are made at once; 0: as many as there are threads. Each needs its own memory
  // (docs/corpus.md).
  int bodies_at_once = 0;
};

// Failed frames of one body.
struct FailedFrames {
  std::string body, reason;
  std::vector<int> frames;  // indices of poses, increasing
};

struct MakeCorpusSummary {
  int bodies = 0;                      // number of bodies of this part
  int made = 0;                        // number of those that are finished, those of earlier runs included
  int frames = 0;                      // number of frames of the finished bodies
  int failed = 0;                      // number of those without a shape
  int simulated = 0;                   // number of frames made by this call
  double seconds = 0;                  // wall time of this call
  std::vector<FailedFrames> failures;  // of bodies that this call finished

  bool complete() const { return made == bodies; }
};

// Makes the corpus at `folder`, or goes on with it. Throws InputError for a recipe that cannot be followed and for a
// corpus that was begun with another recipe, FailedError if the folder holds something else or cannot be written;
// bodies that are finished stay.
MakeCorpusSummary MakeCorpus(const Recipe& recipe, const std::string& recipe_file, const std::filesystem::path& folder,
                             const MakeCorpusOptions& options = {});

// Share of failed frames above which a corpus should not be trained on without a look at them.
inline constexpr double kMaxFailed = 0.01;

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_MAKE_CORPUS_H_
