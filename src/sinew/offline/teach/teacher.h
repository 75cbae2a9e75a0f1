// Networks that teach a character together: an ensemble of graph networks (graphnet/predictor.h), whose mean is taken
// for the truth and whose spread says how sure they are.
#ifndef SINEW_OFFLINE_TEACH_TEACHER_H_
#define SINEW_OFFLINE_TEACH_TEACHER_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/graphnet/familiarity.h"
#include "sinew/offline/graphnet/predictor.h"

namespace sinew::teach {

struct Member {
  std::string file, hash;  // name of the model's file without folders, HashHex() of its bytes
  graphnet::Predictor predictor;
  std::optional<graphnet::Familiarity> familiarity;  // empty: its file has no statistics of what it was trained on
};

class Teacher {
 public:
  // files: models that `sinew learn train` wrote, at least one. Throws InputError for a file that is no such model,
  // UsageError if one is given twice.
  explicit Teacher(const std::vector<std::filesystem::path>& files);

  const std::vector<Member>& members() const { return members_; }
  // Whether some member knows what it was trained on, without which no frame has a score.
  bool knows_its_limits() const;
  // What a dataset's manifest says about who taught it: the files' names and hashes, and what its scores are made of.
  Json Description() const;

 private:
  std::vector<Member> members_;
};

}  // namespace sinew::teach

#endif  // SINEW_OFFLINE_TEACH_TEACHER_H_
