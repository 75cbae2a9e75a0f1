// Figures of an ablation, and the files that they are kept in: what is trained and tested stays known without the
// networks.
#ifndef SINEW_OFFLINE_ABLATION_RESULTS_H_
#define SINEW_OFFLINE_ABLATION_RESULTS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/survey/survey_tables.h"

namespace sinew::ablation {

// Figures of a method on a part of the test: on all of it, a family, or a region of the body.
struct PartFigures {
  std::string kind, name;  // "all", "family" or "region"
  int bodies = 0, frames = 0;
  survey::Figures figures;
};

struct MethodResult {
  std::string method;
  std::vector<PartFigures> parts;  // all of the test first

  const survey::Figures& all() const { return parts.front().figures; }
};

// Returns the results of all methods of a survey, in their order.
std::vector<MethodResult> ResultsOf(const survey::Survey& survey);

// A row that was trained at every rate, but for those at which that failed.
struct RowResult {
  std::string name, about;
  std::filesystem::path model;  // of the best rate
  double rate = 0;
  std::vector<std::pair<double, double>> tried = {};  // rate and validation error of each trial, millimetres
  double validation = 0;                              // mean distance in the validation frames, millimetres
  int64_t parameters = 0, best_step = 0;
  int bodies = 0, frames = 0;              // that it was trained on
  std::string test = {};                   // hash of what it was tested on; empty: it was not
  std::vector<MethodResult> methods = {};  // the row, and with moved roots if that was asked for
};

// Results of ways of skinning on what `test` says.
struct SkinningResult {
  std::string test;
  std::vector<MethodResult> methods;
};

Json JsonOf(const MethodResult& result);
Json JsonOf(const RowResult& result);
Json JsonOf(const SkinningResult& result);

// Files of results: docs/formats/ablation.md. Parsers throw InputError, naming `file`, for text that is not what was
// written; readers return none if there is no file.
RowResult ParseRowResult(std::string_view text, const std::string& file);
SkinningResult ParseSkinningResult(std::string_view text, const std::string& file);
void WriteResult(const RowResult& result, const std::filesystem::path& file);
void WriteResult(const SkinningResult& result, const std::filesystem::path& file);
std::optional<RowResult> ReadRowResult(const std::filesystem::path& file);
std::optional<SkinningResult> ReadSkinningResult(const std::filesystem::path& file);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_RESULTS_H_
