// Reads animations: channels that move joints become curves.
#ifndef SINEW_OFFLINE_IO_GLTF_ANIMATIONS_H_
#define SINEW_OFFLINE_IO_GLTF_ANIMATIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/io/gltf/accessor.h"
#include "sinew/offline/io/gltf/skins.h"

namespace sinew::gltf {

// Converts "translation", "rotation" and "scale"; no value for a path that is not a joint's ("weights", "pointer").
std::optional<AnimationCurve::Path> ParsePath(const std::string& path);

// Returns all animations that move at least one joint. Channels of anything else stay in the document only.
std::vector<Animation> ReadAnimations(AccessorReader& accessors, const Rig& rig);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_ANIMATIONS_H_
