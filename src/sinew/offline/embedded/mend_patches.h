// Mending of small patches of a carried mesh that run into themselves, as a thin ear does that few vertices describe.
#ifndef SINEW_OFFLINE_EMBEDDED_MEND_PATCHES_H_
#define SINEW_OFFLINE_EMBEDDED_MEND_PATCHES_H_

#include <vector>

#include "sinew/offline/mesh/extract_surface.h"

namespace sinew::embedded {

// Replaces the surroundings of triangles that intersect each other by what the same vertices were in `from`, turned,
// scaled and moved to fit what is around, with a smooth transition. from: a mesh of the same triangles without
// intersections. stays: one per vertex, whether it may not move. Returns whether nothing intersects in the end; if not,
// or if more than a few triangles intersect, `mesh` is not to be used.
bool MendPatches(const FineMesh& from, const std::vector<bool>& stays, FineMesh& mesh);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_MEND_PATCHES_H_
