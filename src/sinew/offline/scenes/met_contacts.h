// Contacts to learn from that a scene's object meets by itself: states, and where the collider is in them, are those of
// runs of the scene by all nodes and in the linear subspace, from drawn starts.
//
// Samples on a plan of states, places, rotations and depths (contact/sample_plan.h) cover what could happen. Where an
// object is squeezed, few of them are near what does happen: the handles' state, the place of the collider and its
// depth go together there.
#ifndef SINEW_OFFLINE_SCENES_MET_CONTACTS_H_
#define SINEW_OFFLINE_SCENES_MET_CONTACTS_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sinew/offline/contact/contact_object.h"
#include "sinew/offline/contact/make_samples.h"
#include "sinew/offline/contact/plane_object.h"
#include "sinew/offline/scenes/object_builder.h"
#include "sinew/offline/scenes/run_scene.h"

namespace sinew::scenes {

// State of the handles in which the collider is inside of x~.
struct MetContact {
  int start = 0;  // of the run
  Eigen::VectorXd state;
  PoseKey pose;                                          // of the collider
  double depth = 0;                                      // of the deepest point of x~ in it, in metre
  Eigen::Vector2d direction = Eigen::Vector2d::UnitY();  // outward of the object there, a unit vector
};

struct MetOptions {
  int starts = 12;          // angles and velocities; each is run by all nodes and in the linear subspace
  double softer = 1.0 / 3;  // and in that of a body of this share of the stiffness
  double seconds = 0.8, step = 1.0 / 120;
  uint64_t seed = 1;
};

// Contacts with the scene's first collider, in the order of the runs. object: the scene's, all of whose handles are
// points; plane: the same one, with this collider. Starts are drawn apart from those of CompareStarts() of the same
// seed.
std::vector<MetContact> RecordContacts(const Scene& scene, const RawObject& object, const contact::PlaneObject& plane,
                                       const MetOptions& options);

// Keeps `count` contacts, drawn from `seed`, or all if there are fewer.
void KeepSome(int count, uint64_t seed, std::vector<MetContact>& met);

// Simulates contacts, each as a chain of depths from a light touch to a little more than was met: one shard per
// contact. folder: where they are kept and read from, or empty. Prints progress.
std::vector<contact::ContactShard> SolveMet(const contact::PlaneObject& plane, const std::vector<MetContact>& met,
                                            const std::filesystem::path& folder);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_MET_CONTACTS_H_
