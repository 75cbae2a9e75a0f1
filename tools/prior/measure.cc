#include "tools/prior/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numbers>
#include <numeric>

#include "sinew/offline/anatomy/anatomy.h"
#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/retarget/bend_hinges.h"
#include "sinew/offline/retarget/retarget.h"

namespace sinew::prior {
namespace {

namespace fs = std::filesystem;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double kDegree = std::numbers::pi / 180;

std::string OtherSide(const std::string& name) {
  if (name.starts_with("left_")) return "right_" + name.substr(5);
  if (name.starts_with("right_")) return "left_" + name.substr(6);
  return name;
}

// Frames at the wanted rate, thinned further where there are too many.
std::vector<int> FramesOf(const Clip& clip, const MeasureOptions& options) {
  const double rate = clip.motion.frames_per_second, first = options.seconds_left_out * rate;
  const double seconds = (clip.motion.frame_count() - first) / rate;
  const double count = std::clamp(seconds * options.poses_per_second, 0.0, 1.0 * options.poses_per_clip);
  std::vector<int> frames;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    frames.push_back(static_cast<int>(first + (i + 0.5) / count * seconds * rate));
  }
  return frames;
}

VectorXd AnglesOf(const Subject& subject, const std::vector<Eigen::Quaterniond>& deltas) {
  VectorXd angles(3 * subject.skeleton.joint_count());
  for (int j = 0; j < subject.skeleton.joint_count(); ++j) {
    const SwingTwist turn = ToSwingTwist(subject.limits[j], deltas[j]);
    angles.segment<3>(3 * j) = Eigen::Vector3d(turn.bend, turn.side, turn.twist) / kDegree;
  }
  return angles;
}

// Angles of the mirror image: left and right change places, and with them the signs of side and twist.
VectorXd Mirrored(const Subject& subject, const VectorXd& angles) {
  VectorXd mirrored(angles.size());
  for (int j = 0; j < subject.skeleton.joint_count(); ++j) {
    const Eigen::Vector3d other = angles.segment<3>(3 * subject.mirror[j]);
    mirrored.segment<3>(3 * j) << other[0], -other[1], -other[2];
  }
  return mirrored;
}

std::vector<VectorXd> MeasureFile(const Subject& subject, const Articulation& articulation, const fs::path& file,
                                  const MeasureOptions& options) {
  std::vector<VectorXd> measured;
  for (const Clip& clip : ReadClips(file.string(), 30)) {
    const std::vector<int> frames = FramesOf(clip, options);
    if (frames.empty()) continue;
    const Clip carried =
        retarget::Retarget(Select(clip, frames), subject.skeleton, retarget::GuessMap(clip.skeleton, subject.skeleton));
    for (const Pose& pose : carried.motion.frames) {
      const Pose hinged = retarget::BendHinges(articulation, subject.limits, pose);
      measured.push_back(AnglesOf(subject, articulation.Deltas(hinged)));
      measured.push_back(Mirrored(subject, measured.back()));
    }
  }
  return measured;
}

}  // namespace

Subject EmbeddedBiped() {
  const embedded::Kind& kind = embedded::FindKind("biped");
  Subject subject;
  subject.skeleton = embedded::SkeletonOf(kind.build(embedded::Shape(kind.parameters)).joints);
  const RestBody body = MeasureRest(subject.skeleton);
  for (int j = 0; j < subject.skeleton.joint_count(); ++j) {
    subject.limits.push_back(AnatomicalLimit(body, j, RangeSource::kTable).value());
  }
  for (const Joint& joint : subject.skeleton.joints) {
    subject.mirror.push_back(subject.skeleton.Find(OtherSide(joint.name)));
  }
  return subject;
}

std::vector<fs::path> FindMotions(const fs::path& folder, const std::vector<std::string>& people_left_out) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    const std::string person = name.substr(0, name.find('_'));
    const bool left_out = std::find(people_left_out.begin(), people_left_out.end(), person) != people_left_out.end();
    if (entry.path().extension() == ".bvh" && !left_out) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

MatrixXd MeasureAngles(const Subject& subject, const std::vector<fs::path>& files, const MeasureOptions& options) {
  const Articulation articulation(subject.skeleton);
  std::vector<std::vector<VectorXd>> measured(files.size());
  ParallelFor(static_cast<int>(files.size()), 1, [&](int i) {
    try {
      measured[i] = MeasureFile(subject, articulation, files[i], options);
    } catch (const Error& error) {
      fmt::print(stderr, "left out: {}\n", error.what());
    }
  });
  Index poses = 0;
  for (const auto& of_file : measured) poses += static_cast<Index>(of_file.size());
  MatrixXd angles(3 * subject.skeleton.joint_count(), poses);
  Index column = 0;
  for (const auto& of_file : measured) {
    for (const VectorXd& pose : of_file) angles.col(column++) = pose;
  }
  return angles;
}

MatrixXd WithoutOutliers(const Subject& subject, const MatrixXd& angles) {
  constexpr double kFar = 60 * kDegree;
  std::vector<Index> kept;
  for (Index p = 0; p < angles.cols(); ++p) {
    bool far = false;
    for (int j = 0; j < subject.skeleton.joint_count(); ++j) {
      const Eigen::Vector3d turn = angles.block<3, 1>(3 * j, p) * kDegree;
      far = far || Outside(subject.limits[j], {turn[0], turn[1], turn[2]}) > kFar;
    }
    if (!far) kept.push_back(p);
  }
  return angles(Eigen::all, kept);
}

Percentiles PercentilesOf(const VectorXd& values, double share) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto at = [&](double where) {
    const auto index = static_cast<std::ptrdiff_t>(where * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), sorted.begin() + index, sorted.end());
    return sorted[index];
  };
  return {at(share), at(1 - share)};
}

}  // namespace sinew::prior
