#include "sinew/offline/evaluate/bundle_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/core/error.h"

namespace sinew::evaluate {
namespace {

constexpr size_t kHashBytes = 16;

std::string ToHex(std::span<const std::byte> bytes) {
  std::string digits;
  for (const std::byte byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return digits;
}

}  // namespace

Method BundleMethod(const std::string& name, const runtime::Bundle& bundle, const lod::Hierarchy& hierarchy,
                    const std::string& file) {
  bool same = bundle.level_count() == hierarchy.level_count() &&
              bundle.joint_count() == hierarchy.levels.back().character.skeleton.joint_count();
  for (int i = 1; same && i <= hierarchy.level_count(); ++i) {
    same = bundle.level(i).vertex_count == hierarchy.level(i).vertex_count();
  }
  if (!same) {
    throw InputError(file, "levels", "are not those of the hierarchy",
                     "give the hierarchy that the bundle was made of");
  }
  return {name, [&bundle, &hierarchy](const Pose& pose) {
            std::vector<Points> shapes;
            for (int i = 1; i <= hierarchy.level_count(); ++i) {
              const lod::Level& level = hierarchy.level(i);
              const Points vertices = bake::Deform(bundle, pose, i).positions;
              Points& points = shapes.emplace_back(level.point_count, 3);
              for (int v = 0; v < level.vertex_count(); ++v) points.row(level.point_of_vertex[v]) = vertices.row(v);
            }
            return shapes;
          }};
}

std::vector<int> FindTrainedFrames(const runtime::Bundle& bundle, const dataset::TrainingFrames& frames) {
  std::unordered_set<std::string> trained;
  const std::span<const std::byte> hashes = bundle.trained_frames();
  for (size_t at = 0; at + kHashBytes <= hashes.size(); at += kHashBytes) {
    trained.insert(ToHex(hashes.subspan(at, kHashBytes)));
  }
  std::vector<int> found;
  for (size_t j = 0; j < frames.hashes.size(); ++j) {
    if (trained.contains(frames.hashes[j])) found.push_back(static_cast<int>(j));
  }
  return found;
}

int LeaveOutTrainedFrames(const runtime::Bundle& bundle, dataset::TrainingFrames& frames) {
  const std::vector<int> trained = FindTrainedFrames(bundle, frames);
  if (trained.empty() || trained.size() == frames.poses.size()) return static_cast<int>(trained.size());
  dataset::TrainingFrames kept;
  kept.name = frames.name;
  kept.roles = frames.roles;
  std::vector<int> indices;
  for (int j = 0; j < frames.count(); ++j) {
    if (std::binary_search(trained.begin(), trained.end(), j)) continue;
    indices.push_back(j);
    kept.poses.push_back(frames.poses[j]);
    kept.hashes.push_back(frames.hashes[j]);
    if (!frames.motions.empty()) kept.motions.push_back(frames.motions[j]);
    if (!frames.motion_frames.empty()) kept.motion_frames.push_back(frames.motion_frames[j]);
  }
  kept.truth = [truth = frames.truth, indices](int j) { return truth(indices[j]); };
  frames = std::move(kept);
  return 0;
}

void RefuseTrainedFrames(const runtime::Bundle& bundle, const dataset::TrainingFrames& frames) {
  const std::vector<int> trained = FindTrainedFrames(bundle, frames);
  if (trained.empty()) return;
  throw InputError(frames.name, fmt::format("frame {}", trained[0]),
                   "was trained on, so that its error would prove nothing",
                   "evaluate with frames that were kept apart: see `sinew dataset split`");
}

int CountFaded(const runtime::Bundle& bundle, const std::vector<Pose>& poses) {
  int count = 0;
  for (const Pose& pose : poses) {
    runtime::Evaluation evaluation;
    bake::Displacements(bundle, pose, 1, &evaluation);
    if (evaluation.out_of_range > 0) ++count;
  }
  return count;
}

}  // namespace sinew::evaluate
