// Simulates the contacts of a plan, in parallel, one file per shard. A shard whose file is there is not made again: a
// run that was stopped goes on.
#ifndef SINEW_OFFLINE_CONTACT_PRESS_SAMPLES_H_
#define SINEW_OFFLINE_CONTACT_PRESS_SAMPLES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/contact/press_subject.h"
#include "sinew/offline/contact/train_network.h"

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

// Hash of all that the samples of a subject depend on besides their plan: character, collider and settings of the
// flesh.
std::string HashOfSubject(const PressSubject& subject, const flesh::FleshSettings& settings);
// Hash of what the samples of a plan are made from. subject_hash: of the subject.
std::string HashOfPlan(const PressSubject& subject, const std::string& subject_hash, const PressPlan& plan);

// Reads the samples of a plan. Throws InputError for a file that is damaged or was made from anything else.
PressShard ReadPresses(const std::filesystem::path& path, const PressSubject& subject, const std::string& subject_hash,
                       const PressPlan& plan);

// Makes the samples of all plans. folder: is created. minutes: no shard is begun after so much time; 0: no limit. The
// samples are the same whatever the number of threads, and whether the run was stopped in between.
MadePresses MakePresses(const PressSubject& subject, const flesh::FleshModel& model,
                        const std::vector<PressPlan>& plans, const std::filesystem::path& folder, double minutes);

// Hash of samples and of what they are trained with, for the state of that training. width: of the hidden layer.
std::string HashOfTraining(const std::vector<PressShard>& shards, int width, const TrainOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_SAMPLES_H_
