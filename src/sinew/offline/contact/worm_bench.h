// Table 3 of the paper: how well fields that were trained on 1, 3 or 7 states of the worm predict contacts in states
// that they have not seen.
#ifndef SINEW_OFFLINE_CONTACT_WORM_BENCH_H_
#define SINEW_OFFLINE_CONTACT_WORM_BENCH_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/contact/make_samples.h"
#include "sinew/offline/contact/object_centric.h"
#include "sinew/offline/contact/train_field.h"

namespace sinew::contact {

// Names of the methods, in the order of the table: "sparse", "dense", "object-centric", and the option "literal".
struct WormBenchOptions {
  WormOptions worm;
  PlanOptions plan;  // its states are ignored: the largest of `states` counts
  std::vector<int> states = {1, 3, 7};
  std::vector<std::string> methods = {"sparse", "dense", "object-centric"};
  int test_chains = 50;
  int hidden_layers = 2, width = 300;
  ObjectCentricOptions object_centric;
  FieldRowOptions rows;
  double sample_minutes = 0;  // no shard is begun after so much time; 0: no limit
  double minutes = 15;        // of each training, unless steps is set
  int64_t steps = 0;
  double rate = 4e-3;  // learning rate at the start
  uint64_t seed = 1;
};

struct WormBenchRow {
  std::string method;
  int states = 0, samples = 0;
  double error = 0;   // relative error over all nodes of the test samples
  double paper = -1;  // the paper's figure; negative: it has none
  int64_t steps = 0;
  double seconds = 0;  // of this run's training
};

struct WormBenchResult {
  std::vector<WormBenchRow> rows;
  int nodes = 0, triangles = 0;
  int training_samples = 0, test_samples = 0;  // with and without contact; with contact
  int failed = 0, attempted = 0;               // of all samples with contact
  std::vector<std::string> failures;           // one line each
  double seconds_per_sample = 0;               // of one core, over the samples of this run; 0 if none was made
};

// Relative error of predictions r of the samples: root of summed |prediction - full|^2 over summed |linear - full|^2,
// over all nodes. predict(ref): returns r as ContactField::Predict() does.
double RelativeError(const std::vector<SampleRef>& refs,
                     const std::function<learn::RowMatrix(const SampleRef&)>& predict);

// Makes samples, trains and measures. folder: is created; holds samples/, the states of the trainings, table3.csv,
// table3.svg, failures.txt, contact.svg, a picture of one test contact: full, linear and each method, and each sparse
// field of N states as sparse_N.dent (dent_file.h). A run that was stopped goes on from there. Throws FailedError if
// sample_minutes were over before all samples were made, and if more than 2% of the samples failed.
WormBenchResult RunWormBench(const WormBenchOptions& options, const std::filesystem::path& folder);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_WORM_BENCH_H_
