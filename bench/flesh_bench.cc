// How long frames of flesh take, how many converge, and what becomes of the skin, beside linear blend skinning.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/posed_meshes.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/weld.h"
#include "sinew/offline/poses/sample_clear_poses.h"

namespace {

using namespace sinew;

struct Arguments {
  std::string character, quality = "quick", output;
  int poses = 20, seed = 1, threads = 1, tets = 0;
  double tighter = 0;
  double amount = 1, fat = 0.03, poisson = 0.47;
  bool crossed = false, intersections = false, no_contact = false, where = false, allow_overlap = false;
  std::vector<int> only;
};

// A frame is solved on one thread: its own time, which others on the machine change less than that of the clock.
double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Knees and elbows bent by 120 degrees, arms crossed before the chest: the embedded biped's joints, whose frames are
// the model's axes at rest.
Pose CrossedArms(const Skeleton& skeleton) {
  Pose pose = skeleton.RestPose();
  const auto turn = [&](const char* name, double degrees, const Eigen::Vector3f& axis) {
    const int joint = skeleton.Find(name);
    if (joint < 0) throw UsageError(fmt::format("there is no joint {}; give the embedded biped", name));
    const Eigen::Quaternionf turned(Eigen::AngleAxisf(static_cast<float>(degrees * EIGEN_PI / 180), axis));
    pose[joint].rotation = ToQuaternion(ToEigen(pose[joint].rotation) * turned);
  };
  const Eigen::Vector3f x = Eigen::Vector3f::UnitX(), y = Eigen::Vector3f::UnitY(), z = Eigen::Vector3f::UnitZ();
  turn("left_knee", 120, x);
  turn("right_knee", 120, x);
  turn("left_hip", -60, x);
  turn("right_hip", -60, x);
  turn("left_elbow", -120, y);
  turn("right_elbow", 120, y);
  turn("left_shoulder", -45, z);
  turn("right_shoulder", 25, z);
  turn("left_shoulder", -65, y);
  turn("right_shoulder", 75, y);
  return pose;
}

TriMesh Whole(const Character& character, const std::vector<Points>& parts) {
  int vertices = 0, triangles = 0;
  for (const Part& part : character.parts) {
    vertices += part.mesh.vertex_count();
    triangles += part.mesh.triangle_count();
  }
  TriMesh mesh{Points(vertices, 3), Triangles(triangles, 3)};
  vertices = triangles = 0;
  for (size_t p = 0; p < parts.size(); ++p) {
    const TriMesh& part = character.parts[p].mesh;
    mesh.positions.middleRows(vertices, part.vertex_count()) = parts[p];
    mesh.triangles.middleRows(triangles, part.triangle_count()) = part.triangles.array() + vertices;
    vertices += part.vertex_count();
    triangles += part.triangle_count();
  }
  return mesh;
}

// Which joints' skin meets which.
void PrintWhere(const Character& character, const TriMesh& welded, const Welding& welding) {
  std::vector<int> joint_of;
  for (const Part& part : character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      joint_of.push_back(part.weights.empty() ? 0
                                              : part.weights.joints[static_cast<size_t>(v) * part.weights.influences]);
    }
  }
  std::map<std::pair<int, int>, int> counts;
  for (const auto& [s, t] : SelfIntersections(welded)) {
    const auto joint = [&](int triangle) { return joint_of[welding.first_of[welded.triangles(triangle, 0)]]; };
    ++counts[std::minmax(joint(s), joint(t))];
  }
  for (const auto& [joints, count] : counts) {
    if (count > 5) {
      fmt::print("     {} {} {}\n", character.skeleton.joints[joints.first].name,
                 character.skeleton.joints[joints.second].name, count);
    }
  }
}

void PrintDistance(const flesh::FrameResult& result, const flesh::FrameResult& tight, double size) {
  double farthest = 0;
  for (size_t p = 0; p < result.parts.size(); ++p) {
    farthest = std::max<double>(farthest, (result.parts[p] - tight.parts[p]).rowwise().norm().maxCoeff());
  }
  fmt::print("     from a tighter solution: {:.2e} of the size at most; that took {} Newton steps {}\n",
             farthest / size, tight.newton_steps, tight.reason);
}

void Run(const Arguments& arguments) {
  SetThreads(arguments.threads);
  const Character character = ReadCharacter(arguments.character);
  const Articulation articulation(character.skeleton);
  std::vector<Pose> poses;
  if (arguments.crossed) {
    poses.push_back(CrossedArms(character.skeleton));
  } else {
    const JointLimits limits = FindLimits(character, arguments.character);
    const poses::SampleOptions sample{
        .count = arguments.poses, .seed = static_cast<uint64_t>(arguments.seed), .amount = arguments.amount};
    poses = arguments.allow_overlap
                ? poses::SamplePoses(articulation, limits, sample)
                : poses::SampleClearPoses(character, articulation, limits, {.sample = sample, .clear = {}}).poses;
  }
  flesh::FleshSettings settings{.quality = flesh::QualityNamed(arguments.quality),
                                .tets = arguments.tets,
                                .poisson = arguments.poisson,
                                .fat = arguments.fat};
  settings.contact = !arguments.no_contact;
  double start = Now();
  const flesh::FleshModel model(character, settings);
  const flesh::FleshReport& report = model.report();
  fmt::print(
      "built in {:.2f} s: {} tets, {} nodes, cell {:.4g}, size {:.3g}, {} core points, {} contact points, unit {} m\n",
      Now() - start, report.tets, report.nodes, report.cell_size, report.size, report.core_points,
      report.contact_points, report.unit);
  for (const std::string& warning : report.warnings) fmt::print("warning: {}\n", warning);
  for (const flesh::RoleOfPart& piece : report.pieces) {
    fmt::print("{}: {} {} ({})\n", NameOf(piece.role), piece.part, piece.vertices, piece.why);
  }
  std::unique_ptr<flesh::FleshModel> tight;
  if (arguments.tighter > 0) {
    settings.tolerance = flesh::QualityOf(settings.quality).tolerance / arguments.tighter;
    tight = std::make_unique<flesh::FleshModel>(character, settings);
  }
  const Poser poser(character);
  const TriMesh rest = Whole(character, [&] {
    std::vector<Points> parts;
    for (PosedPart& part : poser.Evaluate(character.skeleton.RestPose()).parts) parts.push_back(part.positions);
    return parts;
  }());
  const Welding welding = WeldEqual(rest.positions);
  std::vector<double> times;
  int converged = 0;
  for (size_t f = 0; f < poses.size(); ++f) {
    if (!arguments.only.empty() &&
        std::find(arguments.only.begin(), arguments.only.end(), static_cast<int>(f)) == arguments.only.end()) {
      continue;
    }
    start = ThreadSeconds();
    const flesh::FrameResult result = model.Solve(poses[f]);
    times.push_back(ThreadSeconds() - start);
    converged += result.converged;
    fmt::print(
        "{:4} {:.2f} s  path {} newton {} cg {} contacts {} inverted {} volume {:.4f} penetration {:.2e} inside out "
        "{:.1e} core {:.1e} {}\n",
        f, times.back(), result.path_steps, result.newton_steps, result.cg_iterations, result.contacts,
        result.inverted_tets, result.volume_ratio, result.worst_penetration, result.inside_out, result.inverted_core,
        result.converged ? "" : result.reason);
    if (tight) PrintDistance(result, tight->Solve(poses[f]), report.size);
    PosedCharacter posed = poser.Evaluate(poses[f]);
    std::vector<Points> skinned;
    for (const PosedPart& part : posed.parts) skinned.push_back(part.positions);
    if (arguments.intersections) {
      const auto pairs = [&](const std::vector<Points>& parts) {
        return SelfIntersections(Weld(Whole(character, parts), welding)).size();
      };
      fmt::print("     intersections: skinned {} flesh {}; skinned volume {:.4f}\n", pairs(skinned),
                 pairs(result.parts), SignedVolume(Whole(character, skinned)) / SignedVolume(rest));
    }
    if (arguments.where) PrintWhere(character, Weld(Whole(character, result.parts), welding), welding);
    std::fflush(stdout);
    if (arguments.output.empty()) continue;
    std::filesystem::create_directories(arguments.output);
    const auto write = [&](const std::vector<Points>& parts, const char* name) {
      PosedCharacter shape;
      for (size_t p = 0; p < parts.size(); ++p) {
        const TriMesh mesh{parts[p], character.parts[p].mesh.triangles};
        shape.parts.push_back({.positions = parts[p], .normals = VertexNormals(mesh), .tangents = {}});
      }
      WriteCharacter(PosedMesh(character, shape), fmt::format("{}/{:03}_{}.glb", arguments.output, f, name));
    };
    write(skinned, "lbs");
    write(result.parts, "flesh");
  }
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  fmt::print("{} of {} converged; seconds of a thread a frame: mean {:.3f}, median {:.3f}, worst {:.3f}\n", converged,
             times.size(), std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size()),
             times[times.size() / 2], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Frames of flesh: time, convergence, volume, self-intersections");
  Arguments arguments;
  app.add_option("character", arguments.character, "GLB")->required();
  app.add_option("--quality", arguments.quality);
  app.add_option("--tets", arguments.tets);
  app.add_option("--poses", arguments.poses, "sampled inside the limits");
  app.add_option("--seed", arguments.seed);
  app.add_option(
      "--tighter", arguments.tighter,
      "solve each frame once more, to a tolerance this many times finer, and say how far skin is from there");
  app.add_option("--amount", arguments.amount, "of the limits, in (0, 1]");
  app.add_option("--only", arguments.only, "of those poses");
  app.add_option("--threads", arguments.threads);
  app.add_option("--fat", arguments.fat);
  app.add_option("--poisson", arguments.poisson);
  app.add_flag("--crossed", arguments.crossed, "the embedded biped with crossed arms instead");
  app.add_flag("--allow-overlap", arguments.allow_overlap, "sample poses with limbs inside the body, too");
  app.add_flag("--no-contact", arguments.no_contact);
  app.add_flag("--intersections", arguments.intersections, "count them");
  app.add_flag("--where", arguments.where, "the joints whose skin meets");
  app.add_option("-o", arguments.output, "a folder for the shapes");
  CLI11_PARSE(app, argc, argv);
  try {
    Run(arguments);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind());
  }
  return 0;
}
