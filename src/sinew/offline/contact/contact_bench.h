// Tables of the paper: how well fields that were trained on some states of an object predict contacts in states that
// they have not seen.
#ifndef SINEW_OFFLINE_CONTACT_CONTACT_BENCH_H_
#define SINEW_OFFLINE_CONTACT_CONTACT_BENCH_H_

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/contact/draw_contact.h"
#include "sinew/offline/contact/make_samples.h"
#include "sinew/offline/contact/object_centric.h"
#include "sinew/offline/contact/train_field.h"

namespace sinew::contact {

// Names of the methods, in the order of the table: "sparse", "dense", "object-centric", and the option "literal".
struct BenchOptions {
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

struct BenchRow {
  std::string method;
  int states = 0, samples = 0;
  double error = 0;                  // relative error over all nodes of the test samples
  double paper = -1;                 // the paper's figure; negative: it has none
  std::vector<double> regions = {};  // the same error over the nodes of each region; empty if the scene has none
  int64_t steps = 0;
  double seconds = 0;  // of this run's training
};

struct BenchResult {
  std::vector<BenchRow> rows;
  std::vector<std::string> regions;            // names
  int nodes = 0, elements = 0;                 // of the object; elements are its triangles or tetrahedra
  int training_samples = 0, test_samples = 0;  // with and without contact; with contact
  int failed = 0, attempted = 0;               // of all samples with contact
  std::vector<std::string> failures;           // one line each
  double seconds_per_sample = 0;               // of one core, over the samples of this run; 0 if none was made
};

// Relative error of predictions r of the samples: root of summed |prediction - full|^2 over summed |linear - full|^2,
// over all nodes. predict(ref): returns r as ContactField::Predict() does.
double RelativeError(const std::vector<SampleRef>& refs,
                     const std::function<learn::RowMatrix(const SampleRef&)>& predict);

// That error of all nodes, and of each region's nodes alone. A region that nothing moves has 0.
struct RegionErrors {
  double total = 0;
  std::vector<double> regions;
};
// region_of: per node, below count; may be empty if count is 0.
RegionErrors MeasureRegions(const std::vector<SampleRef>& refs,
                            const std::function<learn::RowMatrix(const SampleRef&)>& predict,
                            const std::vector<int>& region_of, int count);

// Largest error of a region over the mean of all; 0 without regions.
double WorstOverMean(const std::vector<double>& regions);

// Facts about a scene that its object does not hold.
struct BenchScene {
  const ContactObject* object = nullptr;
  int elements = 0;                                          // triangles or tetrahedra
  std::string title;                                         // of the plot, such as "Worm"
  std::string table;                                         // name of the table's files, such as "table3"
  std::map<std::pair<std::string, int>, double> paper = {};  // figures of the paper, by method and number of states
  // Regions of the object that the table also tells the errors of, and which one each node belongs to; may be empty.
  std::vector<std::string> regions = {};
  std::vector<int> region_of = {};
  // Returns a picture of one contact, as SVG.
  std::function<std::string(const SampleRef&, const std::vector<ContactPanel>&)> draw = {};
  // Keeps a sparse field that was trained on so many states; may be empty.
  std::function<void(const ContactField& field, int states)> keep = {};
};

// Makes samples, trains and measures. folder: is created; holds samples/, the states of the trainings, the table as
// .csv and .svg, failures.txt, and contact.svg, a picture of one test contact: full, linear and each method. A run that
// was stopped goes on from there. Throws FailedError if sample_minutes were over before all samples were made, and if
// more than 2% of the samples failed. The folder must be locked (core/folder_lock.h).
BenchResult RunContactBench(const BenchScene& scene, const BenchOptions& options, const std::filesystem::path& folder);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_CONTACT_BENCH_H_
