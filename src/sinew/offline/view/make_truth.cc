#include "sinew/offline/view/make_truth.h"

#include <algorithm>
#include <utility>

#include "sinew/offline/character/clip.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::view {
namespace {

// Chooses at most `most` frames, those of motions first. Returns indices into `ok`, increasing.
std::vector<int> ChosenFrames(const dataset::Dataset& dataset, const std::vector<int>& ok, int most) {
  std::vector<int> timed, others;
  for (size_t j = 0; j < ok.size(); ++j) {
    const bool motion = dataset.manifest().motions[dataset.frame(ok[j]).motion].timed;
    (motion ? timed : others).push_back(static_cast<int>(j));
  }
  std::vector<int> chosen(timed.begin(), timed.begin() + std::min<std::ptrdiff_t>(most, std::ssize(timed)));
  const auto count = static_cast<int>(others.size());
  const int room = std::min(most - static_cast<int>(chosen.size()), count);
  for (int k = 0; k < room; ++k) chosen.push_back(others[static_cast<int64_t>(k) * count / room]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Adds the names of frames to the head, and those clips that they are from.
void NameFrames(const dataset::Dataset& dataset, const std::vector<int>& frames, TruthHead& head) {
  std::vector<int> clip_of(dataset.manifest().motions.size(), -1);
  for (const int i : frames) {
    const dataset::DatasetFrame& frame = dataset.frame(i);
    int& clip = clip_of[frame.motion];
    if (clip < 0) {
      const dataset::DatasetMotion& motion = dataset.manifest().motions[frame.motion];
      clip = static_cast<int>(head.clips.size());
      head.clips.push_back({.name = motion.name, .motion = motion.timed, .rate = motion.rate});
    }
    head.frames.push_back({clip, frame.motion_frame});
  }
}

// Adds at most `most` frames of a dataset to the head and the records of a file.
void AddFrames(const dataset::Dataset& dataset, const lod::Hierarchy& hierarchy, const multires::TruthLevels& truths,
               int most, TruthHead& head, std::vector<Bytes>& records) {
  const dataset::TrainingFrames all = dataset::FramesOf(dataset, hierarchy);
  const std::vector<int> ok = dataset.OkFrames(), chosen = ChosenFrames(dataset, ok, most);
  std::vector<int> named;
  named.reserve(chosen.size());
  for (const int j : chosen) named.push_back(ok[j]);
  NameFrames(dataset, named, head);
  const size_t first = records.size();
  records.resize(first + chosen.size());
  Progress progress("coarsening truths", static_cast<int>(chosen.size()), "frames");
  ParallelFor(static_cast<int>(chosen.size()), 1, [&](int k) {
    const int j = chosen[k];
    TruthFrame frame{all.poses[j], {}};
    const std::vector<Points> coarsened = truths.Coarsened(truths.ToPoints(all.truth(j)));
    for (int i = 1; i <= hierarchy.level_count(); ++i) {
      frame.levels.push_back(lod::OnVertices(hierarchy.level(i), truths.Truth(i, frame.pose, coarsened[i - 1])));
    }
    records[first + k] = FormatTruthFrame(frame);
    progress.Advance();
  });
}

}  // namespace

Bytes MakeTruth(std::span<const dataset::Dataset> datasets, const lod::Hierarchy& hierarchy, int max_frames) {
  TruthHead head;
  head.joints = JointNames(hierarchy.levels.back().character.skeleton);
  for (const lod::Level& level : hierarchy.levels) head.vertices.push_back(level.vertex_count());
  const multires::TruthLevels truths(hierarchy);
  std::vector<Bytes> records;
  for (size_t d = 0; d < datasets.size(); ++d) {
    // Frames that a dataset does not use go to those after it.
    const auto left = static_cast<int>(datasets.size() - d);
    const int share = std::max(1, (max_frames - static_cast<int>(records.size())) / left);
    AddFrames(datasets[d], hierarchy, truths, share, head, records);
  }
  return FormatTruth(head, records);
}

}  // namespace sinew::view
