// Truth that a rigging network is trained with: the rigs of bodies, or only their shapes in poses.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, Eqs. 2 to 4 and 6
// (learn/layers/rig_loss.h).
#ifndef SINEW_OFFLINE_AUTORIG_SUPERVISION_H_
#define SINEW_OFFLINE_AUTORIG_SUPERVISION_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/autorig/rig_network.h"
#include "sinew/offline/learn/layers/torch_run.h"

namespace sinew::autorig {

// Lengths in losses are metres of a body of this height, as in the paper, where they stand beside weights.
constexpr double kStature = 1.7;

enum class Supervision {
  kDirect,    // by true weights and joints
  kIndirect,  // by vertices in random poses, through kinematics and skinning; and by the true place of the root
  kBoth,
};

// Names of these, in that order, and the one of a name. Throws UsageError for a name that does not exist.
std::vector<std::string> SupervisionNames();
Supervision SupervisionOf(const std::string& name);

struct LossChoice {
  Supervision supervision = Supervision::kDirect;
  // Whether direct supervision is that of Eq. 6: squared differences of the weights of vertices and of offsets. If not,
  // differences of the weights of edges and of places count, squared where small and linear where large.
  bool squared = false;
  bool by_area = true;  // whether what is large counts for more; if not, every edge and vertex counts alike
  int influences = 0;   // of a vertex's largest weights that count, renormalised (RigLossOptions); 0: all
};

// Returns the loss that goes through vertices, if this choice has one. scaling: of the network's answer.
std::optional<layers::RigRun> MakeRigRun(const LossChoice& choice, const VoteScaling& scaling);

// Draws two poses, of kJoints matrices row by row each: one in which all joints turn but the root, about any axis by an
// angle of 30 degrees in the root mean square, and one in which only the ends of chains do (head, hands, feet).
std::vector<float> DrawPoses(Random& random);

// Weights of edges in a loss that is on edges. by_area: half by area, half by number, since hands and feet are a tenth
// of the area and a fourth of what is seen of a rig.
std::vector<float> EdgeShares(const EdgeInput& input, bool by_area);
// Weights of vertices in a loss that is on these, all above zero.
std::vector<float> VertexShares(const EdgeInput& input, int vertices, bool by_area);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_SUPERVISION_H_
