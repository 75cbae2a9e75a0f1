// Carries the ground truth of one character over to another that was made from it: remeshed, or dressed.
#ifndef SINEW_OFFLINE_DATASET_CARRY_FRAMES_H_
#define SINEW_OFFLINE_DATASET_CARRY_FRAMES_H_

#include <filesystem>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/dataset/writer.h"
#include "sinew/offline/mesh/surface_map.h"

namespace sinew::dataset {

// Writes a new dataset into `folder`, which must be empty or missing: the frames of one character of `source`, with
// their poses, for the character `made`, whose shapes follow those of the source (mesh/surface_map.h). Frames that
// failed stay failed; arrays other than pose and shape belong to the source's body and are left out. The settings tell
// what was carried over: "carried_from" is the hash of the source's character. character: index in the source's
// manifest. Throws UsageError if the two characters have different joints or the follower is not of these two.
void CarryFrames(const std::filesystem::path& folder, const Dataset& source, int character, const StoredCharacter& made,
                 const SurfaceFollower& follower);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_CARRY_FRAMES_H_
