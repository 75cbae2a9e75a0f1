// Counts of what a corpus holds, and checks of its files.
#ifndef SINEW_OFFLINE_CORPUS_CORPUS_INFO_H_
#define SINEW_OFFLINE_CORPUS_CORPUS_INFO_H_

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/corpus/load_corpus.h"

namespace sinew::corpus {

// Numbers of one side.
struct SideCount {
  int bodies = 0;
  int identities = 0;
  int frames = 0;  // frames with a shape on this side; those of training bodies may be on others (SideOf())
};

struct CorpusCount {
  std::map<std::string, std::array<SideCount, dataset::kSides>> families;
  std::array<SideCount, dataset::kSides> all;
  int made = 0, missing = 0;  // numbers of bodies
  int frames = 0, failed = 0;
};

// Counts bodies and frames, by family and side. Opens the dataset of every body.
CorpusCount CountCorpus(const Corpus& corpus);

// Reads every file of a corpus and checks all hashes. Returns one sentence per error found: leaks, bodies that are
// missing, damaged datasets. Throws InputError only if there is no manifest that can be read.
std::vector<std::string> FindCorpusDamage(const std::filesystem::path& folder);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_CORPUS_INFO_H_
