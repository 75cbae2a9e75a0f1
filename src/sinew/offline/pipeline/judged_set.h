// A dataset that a build is judged by, with what was measured on it.
#ifndef SINEW_OFFLINE_PIPELINE_JUDGED_SET_H_
#define SINEW_OFFLINE_PIPELINE_JUDGED_SET_H_

#include <string>
#include <vector>

#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/evaluate/layer_test.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::pipeline {

// Indices of the methods in an evaluation (linear blend, dual quaternion, Sinew, the one compared with), which are also
// the indices of their colours in every plot.
inline constexpr size_t kLinear = 0, kDual = 1, kSinew = 2, kSingle = 3;

struct JudgedSet {
  std::string name;  // on the page, such as "unseen poses"
  const dataset::Dataset* dataset = nullptr;
  dataset::TrainingFrames frames;  // those with a shape that were not trained on
  std::vector<int> indices;        // of these frames in the dataset
  int trained = 0;  // number of frames that were trained on and are measured nevertheless, having no others
  evaluate::Evaluation evaluation;
  evaluate::LayerTest layers;
  double metres_per_unit = 1;

  double to_mm() const { return 1e3 * metres_per_unit; }
  const evaluate::LevelError& Error(size_t method, int level) const {
    return evaluation.errors[method][static_cast<size_t>(level) - 1];
  }
  // Root mean square error of a method on a level, millimetres; the second one over what is soft.
  double Mm(size_t method, int level) const { return to_mm() * Error(method, level).rms; }
  double SoftMm(size_t method, int level) const { return to_mm() * Error(method, level).soft_rms; }
  // Root mean square error of a method in one frame on the finest level, in the character's unit.
  double FrameRms(size_t method, int frame) const { return evaluation.errors[method].back().frame_rms[frame]; }
  // By how much that of linear blend skinning is larger than Sinew's.
  double FrameGain(int frame) const { return FrameRms(kLinear, frame) - FrameRms(kSinew, frame); }
  bool IsExact(size_t method, int level) const { return Error(method, level).rms <= evaluation.exact(); }
  // Index of the better one of linear blend and dual quaternion skinning.
  size_t BestSkinning(int level) const { return Mm(kDual, level) < Mm(kLinear, level) ? kDual : kLinear; }
  // Whether Sinew is nearer to the ground truth than both skinnings.
  bool Wins(int level) const;
  // Whether neither wins, because both are exact.
  bool BothExact(int level) const { return IsExact(kLinear, level) && IsExact(kSinew, level); }
};

// Measures methods, which do not include linear blend skinning, on a dataset, which must outlive the result. Throws
// InputError if no frame has a shape, or if the dataset is of another character.
// bundle: says which frames were trained on.
JudgedSet JudgeSet(const std::string& name, const dataset::Dataset& dataset, const lod::Hierarchy& hierarchy,
                   const runtime::Bundle& bundle, const std::vector<evaluate::Method>& methods);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_JUDGED_SET_H_
