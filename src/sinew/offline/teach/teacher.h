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
  std::string weights;     // HashHex() of its network's parameters
  graphnet::Predictor predictor;
  std::optional<graphnet::Familiarity> familiarity;  // empty: its file has no statistics of what it was trained on
};

class Teacher {
 public:
  // files: models that `sinew learn train` wrote, at least one. Throws InputError for a file that is no such model,
  // UsageError if one is given twice or two see bodies in different ways (graphnet/body_options.h).
  explicit Teacher(const std::vector<std::filesystem::path>& files);

  const std::vector<Member>& members() const { return members_; }
  // Options that bodies are prepared with, which all members share.
  const graphnet::BodyOptions& body_options() const { return members_.front().predictor.body_options(); }
  // Whether some member knows what it was trained on, without which no frame has a score.
  bool knows_its_limits() const;
  // Disagreement (Score::disagreement) that 95% of the validation frames stay below, if it was measured for exactly
  // these members and is in the file of one of them.
  std::optional<double> agreement() const { return agreement_; }
  // What RecordAgreement() puts into a model's settings: the members' parameters and the limit.
  Json AgreementJson(double limit) const;
  // What a dataset's manifest says about who taught it: the files' names and hashes, and what its scores are made of.
  Json Description() const;

 private:
  std::vector<Member> members_;
  std::optional<double> agreement_;
};

// Returns the members of an ensemble that ships: NAME.model, and NAME_2.model, NAME_3.model and so on beside it, as far
// as they are there.
std::vector<std::filesystem::path> MembersBeside(const std::filesystem::path& first);

// Puts the disagreement that 95% of the validation frames stay below into a model of the ensemble.
void RecordAgreement(const Teacher& teacher, double limit, learn::Model& model);

}  // namespace sinew::teach

#endif  // SINEW_OFFLINE_TEACH_TEACHER_H_
