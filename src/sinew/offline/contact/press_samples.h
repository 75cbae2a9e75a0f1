// Simulates the contacts of a plan, in parallel, one file per shard. A shard whose file is there is not made again: a
// run that was stopped goes on.
#ifndef SINEW_OFFLINE_CONTACT_PRESS_SAMPLES_H_
#define SINEW_OFFLINE_CONTACT_PRESS_SAMPLES_H_

#include <filesystem>
#include <vector>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/contact/press_subject.h"

namespace sinew::contact {

// Height of the collider's origin over `start`, along the unit vector `up`, at which it first touches one of the points
// on its way down from far above. In the character's unit.
double FirstTouch(const DistanceGrid& grid, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& start,
                  const Eigen::Vector3d& up, const Points& points);

// Simulates one shard. press: of its state, as it is after its construction.
PressShard SolvePresses(const PressSubject& subject, const PressPlan& plan, flesh::FleshPress press);

struct MadePresses {
  std::vector<PressShard> shards;  // in the order of the plans; fewer where the time was over
  bool complete = true;
  int failed = 0, total = 0;  // samples with contact
  double core_seconds = 0;    // time of all solves of this run, over all threads
  int solved = 0;             // samples that were simulated in this run
};

// folder: is created. minutes: no shard is begun after so much time; 0: no limit. The samples are the same whatever the
// number of threads, and whether the run was stopped in between.
MadePresses MakePresses(const PressSubject& subject, const flesh::FleshModel& model,
                        const std::vector<PressPlan>& plans, const std::filesystem::path& folder, double minutes);

// Hash of samples and of what they are trained with, for the state of that training.
std::string HashOfPresses(const std::vector<PressShard>& shards, int width, int64_t steps);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_SAMPLES_H_
