// Learns contact of a collider with a character: samples, simulates, trains, and says what was covered.
#ifndef SINEW_OFFLINE_CONTACT_LEARN_CONTACT_H_
#define SINEW_OFFLINE_CONTACT_LEARN_CONTACT_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/contact/press_field.h"
#include "sinew/offline/contact/press_samples.h"

namespace sinew::contact {

struct LearnContactOptions {
  PressOptions press;
  int width = 128;            // of the hidden layer
  int tets = 0;               // tetrahedra of the flesh, about; 0: the quality's
  double sample_minutes = 0;  // begin no simulation after so much time; 0: no limit
  TrainOptions train;
};

// Joint whose skin was pressed, and by how many contacts.
struct CoveredJoint {
  std::string joint;
  int places = 0;    // of the collider, on skin that follows this joint most
  double share = 0;  // share of the joint's vertices within a window of some contact
};

struct LearnedContact {
  PressField field;
  MadePresses made;  // without its shards
  double estimated_minutes = 0;
  int states = 0, places = 0, rotations = 0;
  double shallowest = 0, deepest = 0;  // depths of the samples with contact, in the character's unit
  std::vector<int> contacts;           // per vertex: within whose window it was
  std::vector<CoveredJoint> covered;   // in the order of the joints
};

// Reads a collider: all parts of a file at rest as one mesh. Throws InputError for a file without triangles.
TriMesh ReadColliderMesh(const std::string& file);

// Simulates contacts, trains a field on them and returns both. folder: for samples and the state of training; the same
// call goes on after a stop. Calls say(minutes) with the predicted time before it begins. Throws FailedError if over 2%
// of the contacts, and more than three, could not be simulated, or none could.
LearnedContact LearnContact(const PressSubject& subject, const LearnContactOptions& options,
                            const std::filesystem::path& folder, const std::function<void(double)>& say);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_LEARN_CONTACT_H_
