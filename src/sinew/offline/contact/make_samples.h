// Simulates the contacts of a plan, in parallel, one file per shard. A shard whose file is there is not made again: a
// run that was stopped goes on.
#ifndef SINEW_OFFLINE_CONTACT_MAKE_SAMPLES_H_
#define SINEW_OFFLINE_CONTACT_MAKE_SAMPLES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/contact/sample_file.h"
#include "sinew/offline/contact/sample_plan.h"
#include "sinew/offline/contact/solve_contact.h"

namespace sinew::contact {

// Simulates one shard. positions: x~ of its state.
ContactShard SolveShard(const ContactObject& object, const ShardPlan& plan, const Eigen::VectorXd& positions);

// Simulates one chain of depths along a line, with x~ = U x of a state.
ContactShard SolveLine(const ContactObject& object, const Eigen::VectorXd& state, const ContactLine& line,
                       const Turn& turn, const std::vector<double>& depths);

// Files of shards, one each, in a folder that is created; one without a name keeps nothing.
class ShardFiles {
 public:
  // object: of all shards; must outlive this. name: of the files.
  ShardFiles(const ContactObject& object, std::filesystem::path folder, std::string name);

  // Reads a shard and returns true if its file is there. inputs: hash of what it is made from. Throws InputError for a
  // file that is not such a shard of the object.
  bool Read(int i, const std::string& inputs, ContactShard& shard) const;
  // Reads all shards whose files are there, one per hash, and returns the numbers of the others. To be called before
  // any shard is made: a folder of other inputs is refused, and must not come to hold both.
  std::vector<int> ReadAll(const std::vector<std::string>& inputs, std::vector<ContactShard>& shards) const;
  void Write(int i, const std::string& inputs, const ContactShard& shard) const;

 private:
  std::filesystem::path PathOf(int i) const;

  const ContactObject& object_;
  std::filesystem::path folder_;
  std::string name_;
};

struct MadeSamples {
  std::vector<ContactShard> shards;  // in the order of the plan; fewer where the time was over
  bool complete = true;
  int failed = 0, total = 0;  // samples with contact
  double core_seconds = 0;    // time of all solves of this run, over all threads
  int solved = 0;             // samples that were simulated in this run
};

// folder: is created. name: of the files. minutes: no shard is begun after so much time; 0: no limit. The samples are
// the same whatever the number of threads, and whether the run was stopped in between.
MadeSamples MakeSamples(const ContactObject& object, const std::vector<ShardPlan>& plans,
                        const std::filesystem::path& folder, const std::string& name, double minutes);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_MAKE_SAMPLES_H_
