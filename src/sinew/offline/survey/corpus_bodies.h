// Bodies as commands are given them: datasets, and corpora, each of which stands for its bodies with frames on one
// side.
#ifndef SINEW_OFFLINE_SURVEY_CORPUS_BODIES_H_
#define SINEW_OFFLINE_SURVEY_CORPUS_BODIES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/dataset/split_frames.h"
#include "sinew/offline/survey/body.h"

namespace sinew::survey {

struct SideOptions {
  dataset::Side side = dataset::Side::kTest;  // which frames of a corpus count; of a dataset all do
  std::string unseen_family = {};             // corpus::CorpusOptions::unseen_family
};

// Returns whether the text is "[FAMILY=]DATASET" or a corpus, with or without a family.
bool NamesBodies(std::string_view text);

// Returns the bodies of a corpus with frames on the side, in the corpus's order, with its names, families and
// identities; empty if there are none. Throws InputError as corpus::Corpus does.
std::vector<Body> BodiesOfCorpus(const std::filesystem::path& corpus, const SideOptions& options);

// Opens what ParseBody() takes, and corpora. Throws UsageError for a family before a corpus, which has its own, and
// InputError for a corpus without frames on the side.
std::vector<Body> OpenBodies(const std::vector<std::string>& texts, const SideOptions& options);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_CORPUS_BODIES_H_
