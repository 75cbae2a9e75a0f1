// Training of a network on rows that are made step by step: Adam with a learning rate that falls along half a cosine.
#ifndef SINEW_OFFLINE_CONTACT_TRAIN_NETWORK_H_
#define SINEW_OFFLINE_CONTACT_TRAIN_NETWORK_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/training_state.h"

namespace sinew::contact {

// Rows of one step. The loss is that of section 4.1: the squared error of rows, and the squared error of differences
// between the two rows of an edge, both divided by the variance of what they predict.
//   sum_i weight_i |y_i - t_i|^2 + edge_share sum_e weight_e |(y_a - y_b) - (t_a - t_b)|^2
struct RowBatch {
  learn::RowMatrix inputs, targets;
  std::vector<float> weights;              // one per row, 0 for rows that only edges use
  std::vector<std::pair<int, int>> edges;  // pairs of rows
  std::vector<float> edge_weights;         // one per edge
};

// Returns the loss and, if `gradient` is not null, adds its gradient, one number per parameter.
double BatchLoss(const layers::DescribedNetwork& network, std::span<const float> parameters, const RowBatch& batch,
                 std::vector<float>* gradient);

struct TrainOptions {
  int64_t steps = 0;    // 0: as many as `minutes` are for, by the time of the first ones
  double minutes = 15;  // used if steps is 0
  double rate = 4e-3;   // learning rate at the start; the last one is a hundredth of it
  uint64_t seed = 1;
  std::filesystem::path checkpoint = {};  // where the state is kept every minute, to go on after a kill; empty: nowhere
  std::string inputs = {};                // hash of what is trained, for the checkpoint
  std::string label = {};                 // of the progress bar
};

struct Trained {
  std::vector<float> parameters;  // those of the look with the smallest validation loss
  int64_t steps = 0;
  double seconds = 0;  // of this run
  std::vector<learn::LossPoint> history;
};

// make(random, batch): fills a batch; the same random numbers give the same batch. validation: not trained on. The same
// options with the same number of steps give the same bits whatever the number of threads, and whether the training was
// stopped in between.
Trained TrainNetwork(const layers::DescribedNetwork& network, const std::function<void(Random&, RowBatch&)>& make,
                     const RowBatch& validation, const TrainOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_TRAIN_NETWORK_H_
