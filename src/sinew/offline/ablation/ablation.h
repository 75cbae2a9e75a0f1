// An ablation: rows are trained at the same few learning rates for the same number of steps, the best rate of each is
// chosen by validation, and what was chosen is tested beside skinning.
#ifndef SINEW_OFFLINE_ABLATION_ABLATION_H_
#define SINEW_OFFLINE_ABLATION_ABLATION_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/ablation/test_rows.h"
#include "sinew/offline/graphnet/frame_set.h"
#include "sinew/offline/learn/layers/torch_run.h"

namespace sinew::ablation {

struct Options {
  std::filesystem::path folder;     // for trainings and results
  graphnet::TrainingInputs inputs;  // with all bodies
  layers::RunOptions run;           // what rows share, but for steps, rate and loss
  double epochs = 20;               // over all bodies: rows with fewer bodies take as many steps
  std::vector<double> rates = {1e-3, 3e-3};
  std::vector<std::string> rows = {};  // names; none: all
  std::vector<int> counts = {};        // of bodies, as for MakeRows()
  int at_once = 1;
  double minutes = 0;                          // until trainings stop; 0: no limit
  std::filesystem::path program = {};          // that knows `learn train`
  std::vector<std::filesystem::path> on = {};  // corpora and datasets to test on; empty: the corpora among the inputs
  int test_frames = 0;                         // of each body to test on at most (ThinFrames()); 0: all
  TestOptions test = {};
};

struct Ablation {
  std::string read;  // what was trained on, in words
  int64_t steps = 0;
  int batch = 0, bodies = 0, frames = 0;
  bool packed = false;  // whether some bodies are packed: points of the file are then those of the pack
  bool finished = true;
  std::vector<double> rates;
  std::vector<MethodResult> skinning;  // linear blend first; empty if there is nothing to test on
  std::vector<RowResult> rows;
  std::vector<std::pair<std::string, std::string>> failures;  // trial and reason
};

// Trains what is not trained yet and tests what is not tested. The time that rows will take is logged first. The same
// call goes on after a stop; rows may be added. Of a row that is trained and tested nothing but its result is needed:
// its networks may be removed. Throws UsageError as MakeRows(), ChooseRows() and TrialFolder do, and InputError for
// frames to test on that would be trained on.
Ablation Ablate(const Options& options);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_ABLATION_H_
