// Joins the parts of a corpus that were made on several machines.
#ifndef SINEW_OFFLINE_CORPUS_MERGE_CORPORA_H_
#define SINEW_OFFLINE_CORPUS_MERGE_CORPORA_H_

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::corpus {

struct MergeCorporaSummary {
  int bodies = 0;                    // bodies of the merged corpus that are there
  std::vector<std::string> missing;  // names of bodies that no part has
};

// Writes a corpus with the bodies of all parts to `folder`, atomically; replaces an older corpus there, which must not
// be one of the parts. Files are linked if both folders are on one disk and copied otherwise: nothing ever changes a
// dataset's file in place. Parts that are complete together have the bytes of a corpus made in one run. Throws
// InputError for parts of different recipes or inputs, for a body that differs between two parts, and for leaks.
MergeCorporaSummary MergeCorpora(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& parts);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_MERGE_CORPORA_H_
