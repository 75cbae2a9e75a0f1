// How well poses are cleared of limbs inside the body: balls against the skinned skin itself, before and after, and how
// long it takes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/weld.h"
#include "sinew/offline/poses/pose_clearance.h"
#include "sinew/offline/poses/sample_clear_poses.h"
#include "sinew/offline/retarget/bend_hinges.h"
#include "sinew/offline/retarget/retarget.h"

namespace {

using namespace sinew;

struct Arguments {
  std::string character, from;
  int poses = 60, seed = 1;
  double amount = 1;
  bool each = false;
  poses::ClearOptions clear;
};

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Joints apart in the skeleton's tree.
int TreeDistance(const Skeleton& skeleton, int a, int b) {
  const auto depth = [&](int j) {
    int steps = 0;
    for (; j >= 0; j = skeleton.joints[j].parent) ++steps;
    return steps;
  };
  int distance = 0;
  for (; a != b && a >= 0 && b >= 0; ++distance) {
    int& deeper = depth(a) >= depth(b) ? a : b;
    deeper = skeleton.joints[deeper].parent;
  }
  if (a != b) return skeleton.joint_count();  // of two trees
  return distance;
}

// Pairs of skinned triangles that cross, of joints at least `apart` from each other: two (an upper arm and the chest
// beside it) and five (a hand and a thigh).
struct Crossings {
  int near = 0, far = 0;
};

class SkinOracle {
 public:
  explicit SkinOracle(const Character& character) : character_(character), poser_(character) {
    for (const Part& part : character.parts) {
      for (int v = 0; v < part.mesh.vertex_count(); ++v) {
        joint_of_.push_back(
            part.weights.empty() ? 0 : part.weights.joints[static_cast<size_t>(v) * part.weights.influences]);
      }
    }
  }

  Crossings Count(const Pose& pose) const {
    const PosedCharacter posed = poser_.Evaluate(pose);
    TriMesh mesh;
    for (size_t p = 0; p < posed.parts.size(); ++p) {
      const int first = mesh.vertex_count(), triangle = mesh.triangle_count();
      const TriMesh& part = character_.parts[p].mesh;
      mesh.positions.conservativeResize(first + part.vertex_count(), 3);
      mesh.positions.bottomRows(part.vertex_count()) = posed.parts[p].positions;
      mesh.triangles.conservativeResize(triangle + part.triangle_count(), 3);
      mesh.triangles.bottomRows(part.triangle_count()) = part.triangles.array() + first;
    }
    const Welding welding = WeldEqual(mesh.positions);
    const TriMesh welded = Weld(mesh, welding);
    Crossings crossings;
    for (const auto& [s, t] : SelfIntersections(welded)) {
      const int a = joint_of_[welding.first_of[welded.triangles(s, 0)]];
      const int b = joint_of_[welding.first_of[welded.triangles(t, 0)]];
      const int apart = TreeDistance(character_.skeleton, a, b);
      crossings.near += apart >= 2;
      crossings.far += apart >= 5;
    }
    return crossings;
  }

 private:
  const Character& character_;
  const Poser poser_;
  std::vector<int> joint_of_;
};

// Root mean square of second differences of joint rotations, radians a frame squared.
double Jitter(const Articulation& articulation, const std::vector<Pose>& frames) {
  double sum = 0;
  for (size_t f = 1; f + 1 < frames.size(); ++f) {
    const auto a = articulation.Deltas(frames[f - 1]), b = articulation.Deltas(frames[f]),
               c = articulation.Deltas(frames[f + 1]);
    for (size_t j = 0; j < a.size(); ++j) {
      const Eigen::Quaterniond on = b[j] * a[j].conjugate() * b[j];
      sum += std::pow(on.angularDistance(c[j]), 2);
    }
  }
  return frames.size() > 2 ? std::sqrt(sum / static_cast<double>((frames.size() - 2) * frames[0].size())) : 0;
}

void Show(const char* name, const std::vector<double>& depths, const std::vector<Crossings>& crossings) {
  int deep = 0, near = 0, far = 0, near_pairs = 0, far_pairs = 0;
  double worst = 0;
  for (size_t i = 0; i < depths.size(); ++i) {
    deep += depths[i] > 0.02, worst = std::max(worst, depths[i]);
    near += crossings[i].near > 0, far += crossings[i].far > 0;
    near_pairs += crossings[i].near, far_pairs += crossings[i].far;
  }
  fmt::print(
      "{:8} deepest {:.4f} of the size, {} deeper than 0.02; skin crosses in {} poses ({} pairs), far apart in {} "
      "({})\n",
      name, worst, deep, near, near_pairs, far, far_pairs);
}

int Run(const Arguments& arguments) {
  const Character character = ReadCharacter(arguments.character);
  const Articulation articulation(character.skeleton);
  const JointLimits limits = poses::ScaledLimits(FindLimits(character, arguments.character), arguments.amount);
  double start = Now();
  const poses::PoseClearance clearance(character, articulation, limits, arguments.clear);
  fmt::print("{} balls, found in {:.2f} s\n", clearance.sphere_count(), Now() - start);
  std::vector<Pose> poses;
  double rate = 0;
  if (arguments.from.empty()) {
    poses = poses::SamplePoses(articulation, limits,
                               {.count = arguments.poses, .seed = static_cast<uint64_t>(arguments.seed)});
  } else {
    const Clip clip = ReadClips(arguments.from, 30).at(0);
    const Clip own =
        retarget::Retarget(clip, character.skeleton, retarget::GuessMap(clip.skeleton, character.skeleton));
    poses = own.motion.frames, rate = own.motion.frames_per_second;
    for (Pose& pose : poses) pose = retarget::BendHinges(articulation, limits, pose);
  }
  start = Now();
  const poses::ClearedMotion cleared = clearance.Clear(poses, rate);
  const double seconds = Now() - start;
  const SkinOracle oracle(character);
  std::vector<double> depths[2];
  std::vector<Crossings> crossings[2];
  std::vector<Pose> after;
  for (size_t i = 0; i < poses.size(); ++i) {
    const poses::ClearedPose& pose = cleared.frames[i];
    depths[0].push_back(pose.depth_before), depths[1].push_back(pose.depth);
    after.push_back(pose.pose);
    if (rate == 0 || i % 10 == 0) {
      crossings[0].push_back(oracle.Count(poses[i])), crossings[1].push_back(oracle.Count(pose.pose));
    } else {
      crossings[0].emplace_back(), crossings[1].emplace_back();
    }
    if (arguments.each) {
      fmt::print("{:3} depth {:.4f} -> {:.4f}, turn {:3.0f} degrees, crossings near {} -> {}, far {} -> {}{}\n", i,
                 pose.depth_before, pose.depth, pose.turn * 57.3, crossings[0][i].near, crossings[1][i].near,
                 crossings[0][i].far, crossings[1][i].far, pose.clear ? "" : " NOT CLEAR");
    }
  }
  Show("before", depths[0], crossings[0]);
  Show("after", depths[1], crossings[1]);
  fmt::print("{} of {} corrected, {} left, {:.2f} ms a pose\n", cleared.corrected(), poses.size(), cleared.left(),
             1000 * seconds / static_cast<double>(poses.size()));
  if (rate > 0) fmt::print("jitter {:.5f} -> {:.5f}\n", Jitter(articulation, poses), Jitter(articulation, after));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Clearing poses of limbs inside the body");
  app.add_option("CHARACTER", arguments.character)->required();
  app.add_option("--from", arguments.from);
  app.add_option("--poses", arguments.poses);
  app.add_option("--seed", arguments.seed);
  app.add_option("--amount", arguments.amount);
  app.add_option("--tolerance", arguments.clear.tolerance);
  app.add_option("--smooth", arguments.clear.smooth_seconds);
  app.add_flag("--each", arguments.each);
  CLI11_PARSE(app, argc, argv);
  try {
    return Run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
