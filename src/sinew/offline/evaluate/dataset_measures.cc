#include "sinew/offline/evaluate/dataset_measures.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/lod/upsampling.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::evaluate {
namespace {

// Skinning of a dataset's characters, each read when it is first used.
class Posers {
 public:
  explicit Posers(const dataset::Dataset& dataset) : dataset_(dataset) {}

  Points Shape(int i) {
    std::unique_ptr<Entry>& entry = entries_[dataset_.frame(i).character];
    if (!entry) entry = std::make_unique<Entry>(dataset_.ReadCharacter(dataset_.frame(i).character));
    return JoinParts(entry->poser.Evaluate(dataset_.pose(i)));
  }

 private:
  struct Entry {
    explicit Entry(Character read) : character(std::move(read)), poser(character) {}
    Character character;
    Poser poser;
  };
  const dataset::Dataset& dataset_;
  std::map<int, std::unique_ptr<Entry>> entries_;
};

void CheckVertices(const dataset::Dataset& dataset, const std::vector<int>& frames, const lod::Hierarchy& hierarchy) {
  const int finest = hierarchy.level(hierarchy.level_count()).vertex_count();
  for (const int i : frames) {
    const dataset::DatasetCharacter& character = dataset.manifest().characters[dataset.frame(i).character];
    if (character.vertices == finest) continue;
    throw InputError(
        dataset.path().string(), fmt::format("character \"{}\"", character.name),
        fmt::format("has {} vertices where the hierarchy's finest level has {}", character.vertices, finest),
        "make the hierarchy from the dataset's own character");
  }
}

}  // namespace

std::vector<SkinningDistance> MeasureAgainstSkinning(const dataset::Dataset& dataset, const std::vector<int>& frames) {
  std::vector<SkinningDistance> distances;
  Posers posers(dataset);
  Progress progress("measuring", static_cast<int64_t>(frames.size()), "frames");
  for (const int i : frames) {
    const Eigen::VectorXd squares = (dataset.Shape(i) - posers.Shape(i)).cast<double>().rowwise().squaredNorm();
    distances.push_back({i, std::sqrt(squares.mean()), std::sqrt(squares.maxCoeff())});
    progress.Advance();
  }
  return distances;
}

std::vector<LevelEnergy> MeasureLevels(const dataset::Dataset& dataset, const std::vector<int>& frames,
                                       const lod::Hierarchy& hierarchy) {
  CheckVertices(dataset, frames, hierarchy);
  const multires::TruthLevels truths(hierarchy);
  std::vector<LevelEnergy> levels(truths.level_count());
  Progress progress("measuring levels", static_cast<int64_t>(frames.size()), "frames");
  for (const int f : frames) {
    const std::vector<Points> coarsened = truths.Coarsened(truths.ToPoints(dataset.Shape(f)));
    Eigen::MatrixXd coarser;
    for (int i = 1; i <= truths.level_count(); ++i) {
      const Eigen::MatrixXd X = truths.Displacements(i, dataset.pose(f), coarsened[i - 1]).cast<double>();
      const Eigen::MatrixXd Y = i == 1 ? X : X - lod::Upsample(hierarchy.U[i - 1], coarser);
      levels[i - 1].points = static_cast<int>(X.rows());
      levels[i - 1].displacement += X.squaredNorm() / static_cast<double>(X.rows() * frames.size());
      levels[i - 1].detail += Y.squaredNorm() / static_cast<double>(X.rows() * frames.size());
      coarser = X;
    }
    progress.Advance();
  }
  for (LevelEnergy& level : levels) {
    level.displacement = std::sqrt(level.displacement), level.detail = std::sqrt(level.detail);
  }
  return levels;
}

std::vector<int> Spread(const std::vector<int>& frames, int count) {
  const auto all = static_cast<int64_t>(frames.size());
  if (all <= count) return frames;
  std::vector<int> some;
  for (int64_t k = 0; k < count; ++k) some.push_back(frames[(2 * k + 1) * all / (2 * count)]);
  return some;
}

}  // namespace sinew::evaluate
