// A packed body as a character and true shapes, for what takes those.
#ifndef SINEW_OFFLINE_CORPUS_PACKED_CHARACTER_H_
#define SINEW_OFFLINE_CORPUS_PACKED_CHARACTER_H_

#include "sinew/offline/corpus/packed_body.h"

namespace sinew::corpus {

// Returns the body as a character of one part, one vertex per point.
Character CharacterOf(const PackedBody& body);

// Returns the true shape of frame f, one row per point, in model space: linear blend skinning of the rest shape and the
// residual.
Points TrueShape(const PackedBody& body, int f);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PACKED_CHARACTER_H_
