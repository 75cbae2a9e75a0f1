// Training of a contact field on the energy of the shapes that it makes, after that on displacements (train_field.h).
//
// The squared error of displacements counts a wrong millimetre alike wherever it is; to a body, one between two
// neighbours that stretches a triangle costs far more than one that all of them share. In dynamics it is the energy
// that decides what an object can do, so that what is minimised here, over the contacts of the samples, is
//
//   E(x~ + P u),  E = elastic energy + contact with the collider,
//
// with P the projector into the null space of U (contact-centric deformation learning, doi 10.1145/3528223.3530182,
// section 4.3): the simulated displacements of the samples are its minima. P leaves out what handles could do as well,
// and what would let u carry the body out of the collider as a whole.
#ifndef SINEW_OFFLINE_CONTACT_REFINE_FIELD_H_
#define SINEW_OFFLINE_CONTACT_REFINE_FIELD_H_

#include <filesystem>
#include <string>

#include "sinew/offline/contact/contact_field.h"

namespace sinew::contact {

struct RefineOptions {
  int64_t steps = 0;   // 0: as many as `minutes` are for, by the time of the first ones
  double minutes = 2;  // used if steps is 0
  int samples = 8;     // per step
  double rate = 1e-3;  // learning rate at the start; the last one is a hundredth of it
  // Weight of the squared error of displacements, relative to their mean square, beside the energy: it holds what the
  // energy does not see.
  double anchor = 0.1;
  uint64_t seed = 1;
  std::filesystem::path checkpoint = {};  // where the state is kept every minute, to go on after a kill; empty: nowhere
  std::string inputs = {};                // hash of what is trained, for the checkpoint
  std::string label = {};                 // of the progress bar
};

// Energies are what a shape has more than the simulated one, as a share of what x~ has more: 0 is the simulation, 1 the
// linear subspace.
struct Refined {
  double before = 0, after = 0;  // of `held`
  int64_t steps = 0;
  double seconds = 0;  // of this run
};

// Mean over samples of their excess energy, each divided by its own linear one plus `gap`, and of the squared error of
// displacements times `anchor`. gap: in joule, above 0. object and field, whose parameters are ignored, must outlive
// this.
class EnergyLoss {
 public:
  EnergyLoss(const ContactObject& object, const ContactField& field, double anchor, double gap)
      : object_(object), field_(field), anchor_(anchor), gap_(gap) {}

  // Returns the loss of parameters, and adds its gradient.
  double Add(std::span<const SampleRef> refs, std::span<const float> parameters, std::vector<float>& gradient) const;

 private:
  double LossOf(const SampleRef& ref, const learn::RowMatrix& output, learn::RowMatrix& slopes) const;

  const ContactObject& object_;
  const ContactField& field_;
  double anchor_, gap_;
};

// Energy of the shapes that a field makes, over samples, see Refined.
double ExcessEnergy(const ContactObject& object, const ContactField& field, std::span<const SampleRef> refs);

// Trains `field` on; keeps the parameters with the smallest energy over some of `held`, those before among them. The
// same options with a number of steps give the same bits whatever the number of threads, and whether the training was
// stopped in between. Throws UsageError without samples.
Refined RefineField(const ContactObject& object, std::span<const SampleRef> seen, std::span<const SampleRef> held,
                    const RefineOptions& options, ContactField& field);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_REFINE_FIELD_H_
