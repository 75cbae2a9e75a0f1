#include "sinew/offline/teach/teach_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/write_error.h"
#include "sinew/offline/dataset/begin_dataset.h"
#include "sinew/offline/teach/teach_frames.h"

namespace sinew::teach {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScore = "score";
constexpr const char* kWeight = "weight";
constexpr const char* kSpread = "spread";

// known: the true shape, where that is known and no network has to answer; may be null.
dataset::FrameTruth ToTruth(Lesson lesson, const Points* known, bool keep_all) {
  dataset::FrameTruth truth;
  const Score& score = lesson.score;
  const bool finite = lesson.shape.allFinite();
  if (known != nullptr) {
    lesson.shape = *known;
  } else if (!finite) {
    truth.failure = "the networks did not answer with finite numbers";
  } else if (score.beyond() && !keep_all) {
    truth.failure = fmt::format("is too different from what was learned: score {:.2f}", score.value);
  }
  // Numbers that are not finite are never stored.
  if (known != nullptr || !finite) std::fill(lesson.spread.begin(), lesson.spread.end(), 0.0f);
  const std::vector<float> values = {static_cast<float>(score.value), static_cast<float>(score.distance),
                                     static_cast<float>(finite ? score.disagreement : 0),
                                     static_cast<float>(finite ? score.expected_error : 0)};
  truth.arrays[kScore] = MakeNpy(values, {4});
  const double weight = known != nullptr ? 1 : score.weight();
  truth.arrays[kWeight] = MakeNpy(std::vector<float>{static_cast<float>(weight)}, {});
  if (!lesson.spread.empty()) {
    truth.arrays[kSpread] = MakeNpy(lesson.spread, {static_cast<int64_t>(lesson.spread.size())});
  }
  truth.shape = std::move(lesson.shape);
  return truth;
}

// Reads true shapes of a character from a dataset, which must be of that character.
std::vector<graphnet::Example> ReadExamples(const fs::path& path, const Character& character) {
  const dataset::Dataset dataset(path);
  std::vector<graphnet::Example> examples;
  const auto vertices = [](const Character& one) {
    int64_t sum = 0;
    for (const Part& part : one.parts) sum += part.mesh.vertex_count();
    return sum;
  };
  std::set<int> known;
  for (const int i : dataset.OkFrames()) {
    examples.push_back({dataset.pose(i), dataset.Shape(i)});
    if (!known.insert(dataset.frame(i).character).second) continue;
    const Character other = dataset.ReadCharacter(dataset.frame(i).character);
    if (other.skeleton.joint_count() != character.skeleton.joint_count() || vertices(other) != vertices(character)) {
      throw InputError(path.string(), "", "has another character, with other joints or vertices",
                       "simulate the character that is to be taught");
    }
  }
  if (examples.size() >= 2) return examples;
  throw InputError(path.string(), "", "has fewer than two frames with a shape", "simulate more poses");
}

// True shapes by their poses. A pose that is an example itself has its true shape, however strange it is.
class KnownShapes {
 public:
  explicit KnownShapes(const std::vector<graphnet::Example>& examples) {
    for (const graphnet::Example& example : examples)
      shapes_.emplace(dataset::HashPoses({example.pose}), example.truth);
  }

  // Returns null if the pose is no example.
  const Points* Find(const Pose& pose) const {
    const auto found = shapes_.empty() ? shapes_.end() : shapes_.find(dataset::HashPoses({pose}));
    return found == shapes_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Points> shapes_;
};

// Fills in what the dataset says about the frames of the range, those of earlier runs included.
void ReadScores(const dataset::Dataset& dataset, const dataset::FrameRange& range, TeachSummary& summary) {
  std::vector<double> values;
  for (int i = 0; i < dataset.frame_count(); ++i) {
    const dataset::DatasetFrame& frame = dataset.frame(i);
    if (frame.index < range.begin || frame.index >= range.end) continue;
    ++summary.there;
    if (!frame.ok()) summary.dropped[frame.failure].push_back(frame.index);
    const std::vector<double> score = dataset.Array(i, kScore).ToDoubles();
    summary.scores.push_back(
        {frame.index, score[0], score[1], score[2], score[3], dataset.Array(i, kWeight).ToDoubles()[0]});
    summary.beyond += score[0] > 1 ? 1 : 0;
    values.push_back(score[0]);
  }
  summary.character_score = MedianScore(std::move(values));
}

}  // namespace

TeachSummary TeachDataset(const fs::path& path, const dataset::StoredCharacter& character,
                          const std::string& character_file, const dataset::PoseSequence& sequence,
                          const dataset::FrameRange& range, const Teacher& teacher, const TeachOptions& options) {
  TaughtBody body(teacher, character.character, character_file, options.roles);
  TeachSummary summary;
  if (!options.keep_all) {
    RequireKnown(body, character_file, std::span(sequence.poses).subspan(range.begin, range.end - range.begin));
  }
  Json settings = teacher.Description();
  settings["maker"] = "teach";
  settings["keep_all"] = options.keep_all;
  settings["parts"] = TextOf(options.roles);
  std::vector<graphnet::Example> examples;
  if (!options.examples.empty()) {
    examples = ReadExamples(options.examples, character.character);
    summary.examples = static_cast<int>(examples.size());
    summary.tuned = body.Tune(examples);
    settings["examples"] = {{"frames", examples.size()},
                            {"error_before", summary.tuned.error_before},
                            {"error_after", summary.tuned.error_after},
                            {"faded", summary.tuned.faded}};
  }
  settings["sinew"] = SINEW_VERSION;
  dataset::DatasetManifest start = dataset::StartManifest(character, sequence, std::move(settings));
  start.metres_per_unit = options.metres_per_unit;
  dataset::BeginDataset(path, start, character, options.resume);

  const KnownShapes known(examples);
  // Teach the missing frames; finished chunks stay if that fails.
  summary.frames = range.end - range.begin;
  std::atomic<int> taught = 0;
  std::atomic<double> seconds = 0;
  dataset::DatasetWriter writer(path);
  const auto make = [&](int i) {
    const auto begin = std::chrono::steady_clock::now();
    dataset::FrameTruth truth = ToTruth(body.Teach(sequence.poses[i]), known.Find(sequence.poses[i]), options.keep_all);
    ++taught;
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return truth;
  };
  try {
    dataset::MakeFrames(writer, sequence, range, {.label = "teaching", .stop = options.stop}, make);
  } catch (const WriteError& error) {
    throw FailedError(fmt::format("{}; {} frames are kept in {}, so make room and go on with --resume", error.what(),
                                  writer.manifest().frames.size(), path.string()));
  }
  summary.taught = taught;
  summary.seconds = seconds;
  ReadScores(dataset::Dataset(path), range, summary);
  if (!options.keep_all && 2 * summary.beyond > summary.there) {
    RefuseStranger(character_file, summary.beyond, summary.there);
  }
  return summary;
}

}  // namespace sinew::teach
