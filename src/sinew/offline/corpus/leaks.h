// Leaks: something to test or to validate with that training has seen in another form.
#ifndef SINEW_OFFLINE_CORPUS_LEAKS_H_
#define SINEW_OFFLINE_CORPUS_LEAKS_H_

#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/corpus/manifest.h"

namespace sinew::corpus {

// Returns one sentence per leak:
//   - an identity on two sides: a body and its remesh, its garment or its mirror image are one identity;
//   - two bodies on two sides with the same file or the same build (BuildOf()), whatever their identities say;
//   - a dress recipe on two sides, and a garment that was made for a body on another side: with the same bones;
//   - a mix with a parent on another side, of another topology, or that the corpus does not have; a mix to test with;
//   - a body of a test family that is not to test with;
//   - a clip, by its content, or a person of clips on two sides;
//   - a clip to validate or test with of a person whose motions made the statistics that poses are sampled from
//     (IsMeasuredPerson()).
std::vector<std::string> FindLeaks(const CorpusManifest& manifest);

// Throws InputError with the first leak, naming `file`, if there is one.
void RefuseLeaks(const CorpusManifest& manifest, const std::string& file);

// Hash of the lengths of a skeleton's bones at rest, to a tenth of a thousandth of their sum, left and right
// exchangeable. Remeshing, dressing and mirroring a body keep it; two different bodies share it only by intent.
std::string BuildOf(const Skeleton& skeleton);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_LEAKS_H_
