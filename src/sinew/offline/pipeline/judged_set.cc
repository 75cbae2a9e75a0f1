#include "sinew/offline/pipeline/judged_set.h"

#include "sinew/offline/evaluate/bundle_method.h"
#include "sinew/offline/pipeline/advice.h"

namespace sinew::pipeline {
namespace {

// Returns the indices in the dataset of frames that were left over of all that have a shape, in the same order.
std::vector<int> IndicesOf(const dataset::Dataset& dataset, const dataset::TrainingFrames& frames) {
  std::vector<int> indices;
  for (const int i : dataset.OkFrames()) {
    if (indices.size() < frames.hashes.size() && dataset.frame(i).hash == frames.hashes[indices.size()]) {
      indices.push_back(i);
    }
  }
  return indices;
}

}  // namespace

bool JudgedSet::Wins(int level) const { return Mm(kSinew, level) < kBetter * Mm(BestSkinning(level), level); }

JudgedSet JudgeSet(const std::string& name, const dataset::Dataset& dataset, const lod::Hierarchy& hierarchy,
                   const runtime::Bundle& bundle, const std::vector<evaluate::Method>& methods) {
  JudgedSet set;
  set.name = name;
  set.dataset = &dataset;
  set.frames = dataset::FramesOf(dataset, hierarchy);
  set.trained = evaluate::LeaveOutTrainedFrames(bundle, set.frames);
  set.indices = IndicesOf(dataset, set.frames);
  set.metres_per_unit = dataset.manifest().metres_per_unit;
  set.evaluation = evaluate::EvaluateMethods(hierarchy, set.frames, methods, {.metres_per_unit = set.metres_per_unit});
  set.layers = evaluate::TestLayers(hierarchy, set.frames, methods);
  return set;
}

}  // namespace sinew::pipeline
