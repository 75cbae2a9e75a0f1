#include "sinew/offline/evaluate/recorded_method.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/shape_source.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::evaluate {
namespace {

void CheckSource(const dataset::ShapeSource& source, const dataset::Dataset& dataset, int vertices) {
  if (dataset.manifest().characters.size() > 1) {
    throw InputError(dataset.path().string(), "characters", "has several, and shapes of one file are of one",
                     "judge shapes on a dataset of one character");
  }
  if (source.frames != dataset.frame_count()) {
    throw InputError(
        source.name, "",
        fmt::format("has {} frames where {} has {}", source.frames, dataset.path().string(), dataset.frame_count()),
        "write one shape per frame of the dataset, in its order, those that failed included");
  }
  if (source.vertices != vertices) {
    throw InputError(source.name, "",
                     fmt::format("has {} vertices where the character has {}", source.vertices, vertices),
                     "write the vertices of the character's file, in its order");
  }
}

dataset::ShapeSource Open(const std::filesystem::path& file) {
  const std::string extension = LowerExtension(file);
  if (extension == ".npy" || extension == ".pc2" || extension == ".mdd") return dataset::OpenShapes({file}, {}, {});
  throw InputError(file.string(), "", "is no file of shapes", "give an array (.npy) or a point cache (.pc2, .mdd)");
}

// Shapes of a file, and what brings them to the points of all levels.
class Recording {
 public:
  Recording(const std::filesystem::path& file, const dataset::Dataset& dataset, const lod::Hierarchy& hierarchy,
            const std::vector<int>& chosen)
      : source_(Open(file)), frames_(chosen), truths_(hierarchy) {
    CheckSource(source_, dataset, hierarchy.levels.back().vertex_count());
    for (const int i : frames_) poses_.push_back(dataset.pose(i));
  }

  std::vector<Points> Shapes(int j) {
    std::vector<Points> levels = truths_.Coarsened(truths_.ToPoints(Read(frames_[j])));
    for (int i = 1; i <= truths_.level_count(); ++i) levels[i - 1] = truths_.Truth(i, poses_[j], levels[i - 1]);
    return levels;
  }

 private:
  Points Read(int frame) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Points shape = source_.shape(frame);
    if (shape.allFinite()) return shape;
    throw InputError(source_.name, fmt::format("frame {}", frame), "has a position that is not finite",
                     "write numbers for every frame that has a truth");
  }

  dataset::ShapeSource source_;
  std::mutex mutex_;  // a source is read by one thread at a time
  std::vector<int> frames_;
  std::vector<Pose> poses_;
  multires::TruthLevels truths_;
};

}  // namespace

Method RecordedMethod(const std::string& name, const std::filesystem::path& file, const dataset::Dataset& dataset,
                      const lod::Hierarchy& hierarchy) {
  return RecordedMethod(name, file, dataset, hierarchy, dataset.OkFrames());
}

Method RecordedMethod(const std::string& name, const std::filesystem::path& file, const dataset::Dataset& dataset,
                      const lod::Hierarchy& hierarchy, const std::vector<int>& chosen) {
  const auto recording = std::make_shared<Recording>(file, dataset, hierarchy, chosen);
  return {name, {}, [recording](int j) { return recording->Shapes(j); }};
}

}  // namespace sinew::evaluate
