// Search for the rig of a surface: which way it stands, where its joints are, and how doubtful all of that is.
#ifndef SINEW_OFFLINE_AUTORIG_FIND_RIG_H_
#define SINEW_OFFLINE_AUTORIG_FIND_RIG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/autorig/rig_network.h"

namespace sinew::autorig {

// Weights that the network answers for one mesh of the body.
struct WeightedSurface {
  TriMesh mesh;       // in the source's space
  RowMatrix weights;  // per vertex
};

struct FoundRig {
  WorkingSurface working;
  BodyFrame frame;                     // of the source
  TriMesh canonical;                   // the working surface in that frame
  RigAnswer answer;                    // for the working surface; joints are the mean over all meshes
  Doubts doubts;                       // about the working surface
  std::vector<WeightedSurface> skins;  // of all meshes
};

// What the caller does with a rig that is too doubtful. If it is thrown away, one mesh is enough; if it is used, it is
// found as exactly as any other.
enum class Refused { kThrownAway, kUsed };

// Finds the rig of a surface in any orientation, place and unit, whether it is a biped or not: the mean of the
// network's answers for several remeshings of it, so that the rig depends less on where edges lie. Throws InputError,
// naming `file`, for a surface without area.
FoundRig FindRig(const TriMesh& source, const RigNetwork& network, uint64_t seed, const std::string& file,
                 Refused refused = Refused::kThrownAway);

// The same for any triangles: broken ones, those that are there twice, and more vertices than a rig needs are left out
// first (remesh/sound_surface.h), but found.working.left_out is of the source. Where that would be refused, tries what
// is seen of the surface from outside, too, and returns the less doubtful of both: layers of clothes, eyes and teeth,
// gaps between the parts of a robot, capes and hair then do not matter.
FoundRig FindRigThroughLayers(const TriMesh& source, const RigNetwork& network, uint64_t seed, const std::string& file,
                              Refused refused = Refused::kThrownAway);

// Measures the doubts about an answer. input, surface: in canonical space, as the answer is.
Doubts MeasureDoubts(const RigAnswer& answer, const EdgeInput& input, const TriMesh& surface);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_FIND_RIG_H_
