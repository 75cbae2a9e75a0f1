#include "sinew/offline/pipeline/compare_build.h"

#include <fmt/format.h>

#include <numbers>
#include <utility>

#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/dataset/sequence.h"
#include "sinew/offline/evaluate/dataset_measures.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/pipeline/build.h"
#include "sinew/offline/pipeline/everyday.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/poses/named_pose.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// A pose with its ground truth.
struct Truth {
  std::string name;
  Pose pose;
  Points shape;
};

void CheckBuild(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw InputError(folder.string(), "", "is no folder", "name one of `sinew build`");
  for (const char* file : {kConfigFile, kInputFacts, kCharacter, kBundle, kTestTruths, kMotionTruths}) {
    if (fs::exists(folder / file)) continue;
    throw InputError(folder.string(), "", fmt::format("has no {}, so it is no finished build", file),
                     fmt::format("`sinew build -o {}` finishes it", folder.string()));
  }
}

// Frames of a dataset, by index: the one that is asked for, or all that have a shape.
std::vector<int> Chosen(const dataset::Dataset& dataset, int frame) {
  if (frame < 0) return dataset.OkFrames();
  if (frame >= dataset.frame_count()) {
    throw UsageError(fmt::format("--frame {}: {} has {} frames; choose one from 0 to {}", frame,
                                 dataset.path().string(), dataset.frame_count(), dataset.frame_count() - 1));
  }
  if (!dataset.frame(frame).ok()) {
    throw UsageError(fmt::format("--frame {}: has no true shape in {}: {}", frame, dataset.path().string(),
                                 dataset.frame(frame).failure));
  }
  return {frame};
}

std::vector<Truth> ReadTruths(const dataset::Dataset& dataset, const std::vector<int>& frames,
                              const std::string& name) {
  std::vector<Truth> truths;
  truths.reserve(frames.size());
  for (const int f : frames)
    truths.push_back({fmt::format("{}, frame {}", name, f), dataset.pose(f), dataset.Shape(f)});
  return truths;
}

// Everyday poses by what people call them.
std::vector<Truth> ReadEveryday(const fs::path& folder, int frame) {
  if (!dataset::IsDataset(folder / kEverydayTruths)) {
    throw UsageError(fmt::format(
        "--everyday: {} has no everyday poses, which only bipeds have; give --test or --motion", folder.string()));
  }
  const dataset::Dataset dataset(folder / kEverydayTruths);
  std::vector<Truth> truths;
  for (const int f : Chosen(dataset, frame)) truths.push_back({LabelOf(dataset, f), dataset.pose(f), dataset.Shape(f)});
  return truths;
}

constexpr const char* kMotionName = "unseen motion";
constexpr const char* kTestName = "unseen poses";

// Returns the one frame of all in which ground truth and skinning differ most.
std::vector<Truth> ReadMostDifferent(const fs::path& folder) {
  std::vector<Truth> truths;
  double most = -1;
  for (const auto& [file, name] : {std::pair{kMotionTruths, kMotionName}, std::pair{kTestTruths, kTestName}}) {
    const dataset::Dataset dataset(folder / file);
    for (const evaluate::SkinningDistance& d : evaluate::MeasureAgainstSkinning(dataset, dataset.OkFrames())) {
      if (d.rms <= most) continue;
      most = d.rms;
      truths = ReadTruths(dataset, {d.frame}, name);
    }
  }
  return truths;
}

// Poses to simulate, with their names and their rate.
struct PosesToSimulate {
  std::vector<std::string> names;
  std::vector<Pose> poses;
  double frames_per_second = 0;
};

PosesToSimulate ParsePoses(const fs::path& folder, const Character& character, const CompareRequest& request) {
  const Articulation articulation(character.skeleton);
  const JointLimits limits = ReadLimits(folder, character);
  PosesToSimulate parsed;
  parsed.names = request.pose;
  for (const std::string& text : request.pose) {
    parsed.poses.push_back(poses::ParsePose(text, articulation, limits));
    constexpr double kDegree = std::numbers::pi / 180;
    const Articulation::Excess excess = articulation.Outside(limits, parsed.poses.back());
    if (excess.angle < kDegree) continue;
    Warn("--pose {}: {} is {:.0f} degrees beyond its limits", text, character.skeleton.joints[excess.joint].name,
         excess.angle / kDegree);
  }
  return parsed;
}

PosesToSimulate ReadPosesOf(const Character& character, const CompareRequest& request) {
  const dataset::PoseSequence sequence = dataset::ReadPoseSequence({request.poses}, character.skeleton);
  PosesToSimulate read;
  for (int f = 0; f < sequence.frame_count(); ++f) {
    const dataset::DatasetFrame& frame = sequence.frames[f];
    const dataset::DatasetMotion& motion = sequence.motions[frame.motion];
    read.names.push_back(motion.timed ? fmt::format("{}, frame {}", motion.name, f) : motion.name);
    read.frames_per_second = motion.rate;
  }
  read.poses = sequence.poses;
  return read;
}

void Choose(int frame, const std::string& source, PosesToSimulate& poses) {
  const int count = static_cast<int>(poses.poses.size());
  if (frame < 0) return;
  if (frame >= count) {
    throw UsageError(
        fmt::format("--frame {}: {} has {} frames; choose one from 0 to {}", frame, source, count, count - 1));
  }
  poses.names = {poses.names[frame]};
  poses.poses = {poses.poses[frame]};
}

// Solves poses with the settings of the build, each by itself.
std::vector<Truth> Simulate(const fs::path& folder, const Character& character, const PosesToSimulate& poses) {
  const Config config = StartingConfig(folder, Preset::kQuick, false, "");
  const dataset::SimulateOptions options = FleshOptions(config, folder);
  flesh::FleshSettings settings = options.flesh;
  settings.unit = options.metres_per_unit;
  const flesh::FleshModel model(character, settings);
  const int count = static_cast<int>(poses.poses.size());
  std::vector<flesh::FrameResult> results(count);
  Progress progress("simulating", count, "poses");
  ParallelFor(count, 1, [&](int i) {
    results[i] = model.Solve(poses.poses[i]);
    progress.Advance();
  });
  if (count == 1 && !results[0].converged) {
    throw FailedError(
        fmt::format("{} has no true shape: {}; try a pose that bends less", poses.names[0], results[0].reason));
  }
  std::vector<Truth> truths;
  for (int i = 0; i < count; ++i) {
    if (!results[i].converged) {
      Warn("{} has no true shape: {}", poses.names[i], results[i].reason);
      continue;
    }
    if (!results[i].in_contact)
      Warn("{}: flesh passes through flesh in the true shape, which has no room", poses.names[i]);
    truths.push_back({poses.names[i], poses.poses[i], JoinParts(results[i].parts)});
  }
  return truths;
}

}  // namespace

FramesToCompare ReadFramesToCompare(const fs::path& folder, const CompareRequest& request) {
  CheckBuild(folder);
  FramesToCompare compared;
  compared.character = ReadCharacter(folder / kCharacter, kQuietly);
  const dataset::Dataset motion(folder / kMotionTruths);
  compared.millimetres = 1000 * motion.manifest().metres_per_unit;
  // The poses and their ground truth.
  std::vector<Truth> truths;
  if (!request.pose.empty() || !request.poses.empty()) {
    PosesToSimulate poses = request.poses.empty() ? ParsePoses(folder, compared.character, request)
                                                  : ReadPosesOf(compared.character, request);
    Choose(request.frame, request.poses.empty() ? "--pose" : request.poses, poses);
    truths = Simulate(folder, compared.character, poses);
    compared.frames_per_second = poses.frames_per_second;
  } else if (request.motion) {
    truths = ReadTruths(motion, Chosen(motion, request.frame), kMotionName);
    if (!motion.manifest().motions.empty()) compared.frames_per_second = motion.manifest().motions[0].rate;
  } else if (request.test) {
    const dataset::Dataset test(folder / kTestTruths);
    truths = ReadTruths(test, Chosen(test, request.frame), kTestName);
  } else if (request.everyday) {
    truths = ReadEveryday(folder, request.frame);
  } else {
    truths = ReadMostDifferent(folder);
  }
  if (truths.empty()) {
    throw FailedError(fmt::format("{}: none of these poses has a true shape; try others", folder.string()));
  }
  // Evaluate skinning and the bundle in these poses.
  const bundle::LoadedBundle loaded = bundle::ReadBundle(folder / kBundle);
  compared.frames.resize(truths.size());
  ParallelFor(static_cast<int>(truths.size()), 1, [&](int i) {
    compared.frames[i] = evaluate::MakeComparedFrame(compared.character, loaded.bundle, (folder / kBundle).string(),
                                                     truths[i].name, truths[i].pose, truths[i].shape);
  });
  return compared;
}

}  // namespace sinew::pipeline
