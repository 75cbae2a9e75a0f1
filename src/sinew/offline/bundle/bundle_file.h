// Reads bundles from disk, and converts their contents to the offline side's types.
#ifndef SINEW_OFFLINE_BUNDLE_BUNDLE_FILE_H_
#define SINEW_OFFLINE_BUNDLE_BUNDLE_FILE_H_

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/character/character.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::bundle {

struct LoadedBundle {
  host::MappedFile file;
  runtime::Bundle bundle;  // points into the file
};

// Opens a bundle file. Throws InputError, naming the file and what is wrong with it.
LoadedBundle ReadBundle(const std::filesystem::path& path);

Skeleton SkeletonOf(const runtime::Bundle& bundle);

// Returns a level as a character of parts without a skeleton: with the names, triangles and texture coordinates of the
// bundle, and the given positions and normals, one row per vertex in the order of the level's file.
Character MeshOf(const runtime::Bundle& bundle, int level, const Points& positions, const Points& normals);

// Writes the posed vertices of a level to an .npy file: float32 [frames][vertices][3] in model space. outside: output,
// number of frames that were out of range (runtime::kFaded, kContactBeyond). colliders: what presses the skin.
void WriteDeformedArray(const runtime::Bundle& bundle, const std::vector<Pose>& poses, int level, bool skin_only,
                        const std::filesystem::path& path, int* outside,
                        std::span<const runtime::Collider> colliders = {});

}  // namespace sinew::bundle

#endif  // SINEW_OFFLINE_BUNDLE_BUNDLE_FILE_H_
