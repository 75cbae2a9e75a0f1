// lod_bench [CHARACTER.glb ...]: the hierarchy against what users have, on the same mesh, in the same run: geometric
// error against meshoptimizer's simplifier at the same number of triangles, skinning error against the weights of the
// nearest vertices, and how long building takes on one thread. Without an argument: the embedded biped of 75,000
// vertices. See docs/benchmarks.md.
#include <fmt/format.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/lod/hierarchy_measures.h"
#include "sinew/offline/mesh/weld.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew {
namespace {

constexpr int kSamples = 200'000, kFitPoses = 16, kPoses = 24, kPoseSamples = 10'000;

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// meshoptimizer keeps a subset of the vertices; seams are left out of the comparison by welding.
TriMesh SimplifyWithMeshoptimizer(const TriMesh& fine, int triangles) {
  std::vector<unsigned> indices(fine.triangles.data(), fine.triangles.data() + fine.triangles.size());
  std::vector<unsigned> result(indices.size());
  const size_t count = meshopt_simplify(result.data(), indices.data(), indices.size(), fine.positions.data(),
                                        static_cast<size_t>(fine.vertex_count()), 3 * sizeof(float),
                                        3 * static_cast<size_t>(triangles), 1e6f);
  TriMesh mesh;
  std::map<unsigned, int> number;
  mesh.triangles.resize(static_cast<Eigen::Index>(count / 3), 3);
  for (size_t i = 0; i < count; ++i) {
    const auto [at, unused] = number.try_emplace(result[i], static_cast<int>(number.size()));
    mesh.triangles(static_cast<Eigen::Index>(i / 3), static_cast<Eigen::Index>(i % 3)) = at->second;
  }
  mesh.positions.resize(static_cast<Eigen::Index>(number.size()), 3);
  for (const auto& [vertex, row] : number) mesh.positions.row(row) = fine.positions.row(vertex);
  return mesh;
}

// Levels of a quarter of the points each, as `sinew lod` makes them by default.
lod::HierarchyOptions DefaultOptions(const Character& character, const std::string& name) {
  lod::HierarchyOptions options;
  options.points = lod::PointsByRatio(lod::CountPoints(character, name), 4, 0.25);
  options.regions = std::min(100, options.points.back());
  return options;
}

void Compare(const Character& character, const std::string& name) {
  lod::HierarchyOptions options = DefaultOptions(character, name);
  const Articulation articulation(character.skeleton);
  const JointLimits limits = FindLimits(character, name);
  options.fit_poses = poses::SamplePoses(articulation, limits, {.count = kFitPoses, .seed = 1});
  SetThreads(1);
  const auto start = std::chrono::steady_clock::now();
  const lod::Hierarchy hierarchy = lod::BuildHierarchy(character, name, options);
  const double seconds = SecondsSince(start);
  SetThreads(0);
  lod::HierarchyOptions even = options;
  even.joint_density = 0;
  const lod::Hierarchy without = lod::BuildHierarchy(character, name, even);
  const std::vector<Pose> poses =
      poses::SamplePoses(Articulation(character.skeleton), FindLimits(character, name), {.count = kPoses, .seed = 7});
  const TriMesh rest = lod::WholeMesh(character, character.skeleton.RestPose());
  const TriMesh fine = Weld(rest, WeldEqual(rest.positions));
  const double diagonal = BoundingBox(fine.positions).diagonal().norm();
  const auto percent = [&](double distance) { return 100 * distance / diagonal; };
  fmt::print("{}: {} points, 4 levels and {} regions in {:.2f} s on one thread\n", name, hierarchy.level(4).point_count,
             hierarchy.region_count(), seconds);
  fmt::print("errors in % of the diagonal, root mean square\n{:>5} {:>7} {:>9} {:>13} {:>6} {:>9} {:>9} {:>6} {:>13}\n",
             "level", "points", "geometric", "meshoptimizer", "ratio", "skinning", "nearest", "ratio", "even density");
  for (int i = 1; i < hierarchy.level_count(); ++i) {
    const Character& level = hierarchy.level(i).character;
    const TriMesh mesh = lod::WholeMesh(level, level.skeleton.RestPose());
    const double ours = TwoSidedDistance(mesh, fine, kSamples).rms;
    const double theirs = TwoSidedDistance(SimplifyWithMeshoptimizer(fine, mesh.triangle_count()), fine, kSamples).rms;
    const double skinning = lod::PosedDistance(level, character, poses, kPoseSamples).rms;
    const double nearest =
        lod::PosedDistance(lod::WithNearestWeights(level, character), character, poses, kPoseSamples).rms;
    const double plain = lod::PosedDistance(without.level(i).character, character, poses, kPoseSamples).rms;
    fmt::print("{:>5} {:>7} {:>9.4f} {:>13.4f} {:>6.2f} {:>9.4f} {:>9.4f} {:>6.2f} {:>13.4f}\n", i,
               hierarchy.level(i).point_count, percent(ours), percent(theirs), ours / theirs, percent(skinning),
               percent(nearest), skinning / nearest, percent(plain));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) try {
  using namespace sinew;
  if (argc < 2) {
    const embedded::Kind& biped = embedded::FindKind("biped");
    Compare(embedded::MakeCharacter(biped, embedded::Shape(biped.parameters), 75'000), "biped");
  }
  for (int i = 1; i < argc; ++i) Compare(ReadCharacter(argv[i]), argv[i]);
  return 0;
} catch (const sinew::Error& error) {
  fmt::print(stderr, "lod_bench: {}\n", error.what());
  return static_cast<int>(error.kind());
}
