// Rows of an ablation: trainings of graph networks that differ from one of two networks, ours or the paper's (T. Li et
// al., "MultiResGNet: Approximating Nonlinear Deformation via Multi-Resolution Graphs"), in one thing each.
#ifndef SINEW_OFFLINE_ABLATION_ROWS_H_
#define SINEW_OFFLINE_ABLATION_ROWS_H_

#include <string>
#include <vector>

#include "sinew/offline/graphnet/body_options.h"
#include "sinew/offline/graphnet/train.h"

namespace sinew::ablation {

struct Row {
  std::string name;   // letters, digits and dashes: also of files
  std::string about;  // one phrase: what it is, or what differs from which row
  graphnet::TrainOptions train;
  graphnet::BodyOptions body;
  int bodies = 0;  // to train on (graphnet::ChooseBodies()); 0: all
};

// Returns all rows. run: what they share; their loss is that of the networks that ship, but where a row is about it.
// bodies: how many there are to train on. counts: how many of them the rows with fewer bodies have; empty: a third and
// two thirds, as 25 and 50 of the paper's 75. Throws UsageError for a count that is not below `bodies`.
std::vector<Row> MakeRows(const layers::RunOptions& run, int bodies, const std::vector<int>& counts = {});

// Returns the rows with these names, in the order of `rows`; all of them without names. Throws UsageError for a name
// that none has.
std::vector<Row> ChooseRows(const std::vector<Row>& rows, const std::vector<std::string>& names);

// Returns the options of `sinew learn train` that train a row.
std::vector<std::string> TrainWords(const Row& row, double rate);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_ROWS_H_
