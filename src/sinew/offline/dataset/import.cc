#include "sinew/offline/dataset/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew::dataset {
namespace {

// Share of the body's size: shapes further than this from skinning are more likely in another unit, axis or order.
constexpr double kSuspicious = 0.1;
// Share of the body's size: largest distance between vertices that match.
constexpr double kSameVertex = 1e-3;

Points InOurAxes(const Points& shape, const ImportOptions& options) {
  Points out = shape * static_cast<float>(options.scale);
  if (!options.z_up) return out;
  const Eigen::VectorXf y = out.col(1);
  out.col(1) = out.col(2);
  out.col(2) = -y;
  return out;
}

// Index, per vertex of the character, of the matching vertex of the shapes.
std::vector<int> MatchVertices(const StoredCharacter& character, const ShapeSource& shapes,
                               const ImportOptions& options, ImportSummary& summary) {
  const int count = character.entry.vertices;
  std::vector<int> match(count);
  std::iota(match.begin(), match.end(), 0);
  if (!options.rest) {
    if (shapes.vertices == count) return match;
    throw InputError(shapes.name, "",
                     fmt::format("has {} vertices where {} has {}", shapes.vertices, character.entry.name, count),
                     "export the shapes with the character's vertices, or give their undeformed mesh with --rest");
  }
  if (options.rest->rows() != shapes.vertices) {
    throw InputError(
        shapes.name, "",
        fmt::format("has {} vertices where its undeformed mesh has {}", shapes.vertices, options.rest->rows()),
        "give the mesh that the shapes were made of");
  }
  // Find the nearest vertex of the undeformed mesh for each vertex of the character at rest.
  const Points rest = InOurAxes(*options.rest, options);
  std::vector<Eigen::Vector3d> points;
  points.reserve(rest.rows());
  for (int v = 0; v < rest.rows(); ++v) points.emplace_back(rest.row(v).transpose().cast<double>());
  const NearestPoint nearest(points);
  const Points own = SkinnedShape(character.character, character.character.skeleton.RestPose());
  const double size = BoundingBox(own).diagonal().maxCoeff();
  for (int v = 0; v < count; ++v) {
    const NearestPoint::Found found = nearest.Find(own.row(v).transpose().cast<double>());
    match[v] = found.index;
    summary.furthest_match = std::max(summary.furthest_match, found.distance);
    if (found.distance <= kSameVertex * size) continue;
    throw InputError(shapes.name, fmt::format("vertex {} of {}", v, character.entry.name),
                     fmt::format("is {:.4g} away from the nearest vertex of the undeformed mesh", found.distance),
                     "check --scale and --up, and that the mesh is undeformed where the character is at rest");
  }
  return match;
}

void CheckCounts(const PoseSequence& sequence, const ShapeSource& shapes) {
  if (shapes.frames == sequence.frame_count()) return;
  throw InputError(shapes.name, "",
                   fmt::format("holds {} shapes where {} holds {} poses", shapes.frames, sequence.entry.name,
                               sequence.frame_count()),
                   "give one pose for each shape");
}

Points ShapeOf(const ShapeSource& shapes, int i, const std::vector<int>& match, const ImportOptions& options) {
  const Points all = InOurAxes(shapes.shape(i), options);
  Points shape(static_cast<Eigen::Index>(match.size()), 3);
  for (Eigen::Index v = 0; v < shape.rows(); ++v) shape.row(v) = all.row(match[v]);
  if (!shape.allFinite()) {
    throw InputError(shapes.name, fmt::format("frame {}", i), "holds a number that is not finite", "export it again");
  }
  return shape;
}

}  // namespace

ImportSummary ImportDataset(const std::filesystem::path& path, const StoredCharacter& character,
                            const PoseSequence& sequence, const ShapeSource& shapes, const ImportOptions& options) {
  ImportSummary summary;
  CheckCounts(sequence, shapes);
  const std::vector<int> match = MatchVertices(character, shapes, options, summary);
  DatasetManifest start = StartManifest(character, sequence, {{"maker", "import"}});
  start.metres_per_unit = options.metres_per_unit;
  // Write all frames, and measure every few of them against skinning.
  double squares = 0;
  int measured = 0;
  const int every = std::max(1, shapes.frames / 8);
  WriteFolderAtomic(path, IsDataset, [&](const std::filesystem::path& folder) {
    DatasetWriter writer(folder, start, {{character.entry.file, character.file}});
    MakeFrames(writer, sequence, {0, shapes.frames}, {.label = "importing", .parallel = false}, [&](int i) {
      FrameTruth truth{.shape = ShapeOf(shapes, i, match, options), .failure = "", .arrays = {}};
      if (i % every == 0) {
        const Points skinned = SkinnedShape(character.character, sequence.poses[i]);
        squares += (truth.shape - skinned).cast<double>().rowwise().squaredNorm().mean();
        ++measured;
      }
      return truth;
    });
  });
  // Warn if the shapes are suspiciously far from skinning.
  summary.frames = shapes.frames;
  summary.rms = std::sqrt(squares / measured);
  const Points own = SkinnedShape(character.character, character.character.skeleton.RestPose());
  if (summary.rms > kSuspicious * BoundingBox(own).diagonal().maxCoeff()) {
    Warn(
        "{}: shapes are {:.3g} from where skinning puts the character (root mean square): is the unit, the up axis, "
        "the "
        "order of vertices or of frames another one?",
        shapes.name, summary.rms);
  }
  return summary;
}

}  // namespace sinew::dataset
