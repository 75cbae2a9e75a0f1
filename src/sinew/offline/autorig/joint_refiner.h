// Correction of joints that a rigging network has found, from soundings of the body (soundings.h): regression in steps,
// each of which sounds from where the last one has put the joints (as X. Cao et al., "Face alignment by explicit shape
// regression", 2014, do with pixels). The first network corrects twice, for joints may be far off; each of the others
// once, what those before it have left. A rigging network sees the body on a mesh of its own, which costs accuracy and
// differs from mesh to mesh; soundings do not.
#ifndef SINEW_OFFLINE_AUTORIG_JOINT_REFINER_H_
#define SINEW_OFFLINE_AUTORIG_JOINT_REFINER_H_

#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/autorig/soundings.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/fit_network.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::autorig {

class JointRefiner {
 public:
  JointRefiner() = default;

  // Takes the refiner of a model, which is untrained if the model has none. Throws InputError, naming `file`, for one
  // that is damaged.
  static JointRefiner Of(const learn::Model& model, const std::string& file);
  // Puts it into a model, in place of the one that is there.
  void Store(learn::Model& model) const;

  // Puts a network behind those that are there: kSoundings inputs, three outputs per joint.
  void Add(learn::Network network) { networks_.push_back(std::move(network)); }

  size_t networks() const { return networks_.size(); }
  bool is_trained() const { return !networks_.empty(); }

  // Returns joints moved to where the body's surface says that they belong. surface and joints in one space. Joints
  // that all but coincide come back as they are, and so do all of an untrained refiner.
  JointPositions Refine(const SurfaceQuery& surface, const JointPositions& joints) const;

 private:
  std::vector<learn::Network> networks_;
};

// Errors of joints as a rigging network makes them: of each by itself and of whole limbs. strength: typical error of a
// joint, a share of the height, which is 1.
JointPositions DrawErrors(double strength, Random& random);

// Samples to train a refiner with: soundings, and the moves that put joints right, in the axes of each joint.
struct SoundingSamples {
  std::vector<std::vector<float>> soundings, moves;

  size_t count() const { return soundings.size(); }
};

// Puts the joints of a body wrong, corrects them with `refiner`, and adds what the body and its mirror image are like
// then. joints: true ones, in the surface's space.
void AddSamples(const JointRefiner& refiner, const SurfaceQuery& surface, const JointPositions& joints, Random& random,
                SoundingSamples& samples);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_JOINT_REFINER_H_
