// Learned contact of the floater (contact-centric deformation learning, doi 10.1145/3528223.3530182, figure 9), in the
// plane: a ring that point handles move, and the post that it has to pass.
//
// Samples are those of section 4.2: states x places on the outline x rotations x depths. States are those of runs of
// the linear subspace, as in the paper: the floater falls past the post with a third of its stiffness, so that it does
// pass. Unlike those of the worm, displacements are counted from U x alone, and so include what the body adds to it
// without any collider: in dynamics there is nothing else that would.
#ifndef SINEW_OFFLINE_SCENES_LEARN_FLOATER_H_
#define SINEW_OFFLINE_SCENES_LEARN_FLOATER_H_

#include <cstdint>
#include <filesystem>

#include "sinew/offline/contact/plane_object.h"
#include "sinew/offline/core/block.h"

namespace sinew::scenes {

// The floater of MakeEmbeddedObject() and the post of its scene. Only the outer boundary is in contact.
contact::PlaneObject MakePlaneFloater(int triangles);

struct FloaterOptions {
  int triangles = 1000;
  int states = 8, places = 24, rotations = 6, depths = 4;
  // Contacts that runs of the scene meet, each at four depths, and from how many starts they are recorded; see
  // met_contacts.h. 0: none.
  int met = 400, starts = 12;
  int hidden_layers = 1, width = 128;
  double window = 1.5;  // see contact::DentOptions
  double minutes = 5;   // of training, unless steps is set
  int64_t steps = 0;
  uint64_t seed = 1;
  // Where contacts and trainings are kept, so that a call with the same options goes on after a stop; it is created.
  // Empty: nowhere.
  std::filesystem::path folder = {};
};

struct LearnedFloater {
  Block field;                           // bytes of a .dent file
  int samples = 0, failed = 0;           // contacts
  int met = 0;                           // of the samples, those that runs met
  double contact_seconds = 0;            // of the simulation of contacts in this run
  double error = 0;                      // relative error of displacements over planned contacts that were held back
  double met_error = 0;                  // and over those of starts that were held back
  double energy_before = 0, energy = 0;  // over both, before training on energies and after it: see contact::Refined
  int64_t steps = 0, refinements = 0;    // of training on displacements and on energies
  double training_seconds = 0;           // of this run
};

// Simulates contacts and trains a sparse field on their displacements and then on their energies
// (contact/refine_field.h). Every tenth place and every sixth start are held back and measured. The same options with a
// number of steps give the same bytes whatever the number of threads, and whether a run was stopped in between. Throws
// FailedError if over 2% of the contacts could not be simulated, UsageError for counts below 1, and InputError if the
// folder holds what other options gave. The folder must be locked (core/folder_lock.h).
LearnedFloater LearnFloater(const FloaterOptions& options);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_LEARN_FLOATER_H_
