// bundle_bench HIERARCHY [--rounds N] [--write FOLDER]: bundles of a synthetic deformer (tests/support) on a hierarchy
// that `sinew lod` made, in all precisions: their sizes, times against the memory floor, what precision costs, and with
// --write how long opening the files takes.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/measure/bundle_timing.h"
#include "tests/support/synthetic_deformer.h"

namespace {

using namespace sinew;
using runtime::Precision;

std::vector<Pose> SomePoses(const Skeleton& skeleton) {
  std::vector<Pose> poses;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    Pose pose = skeleton.RestPose();
    for (Transform& joint : pose) {
      const Eigen::Vector3f axis =
          Eigen::Vector3f{static_cast<float>(random.Normal()), static_cast<float>(random.Normal()),
                          static_cast<float>(random.Normal())}
              .normalized();
      const Eigen::Quaternionf turn(Eigen::AngleAxisf(static_cast<float>(0.5 * random.Uniform()), axis));
      joint.rotation = ToQuaternion(ToEigen(joint.rotation) * turn);
    }
    poses.push_back(pose);
  }
  return poses;
}

void Print(const char* name, const bake::BakedBundle& baked, const bake::BakedBundle& exact,
           const measure::BundleTimings& t, const std::vector<Pose>& poses) {
  fmt::print("\n{}: {:.2f} MB, a frame reads {:.2f} MB and writes {:.2f} MB\n", name,
             static_cast<double>(baked.file.bytes().size()) / 1e6, static_cast<double>(t.read_bytes) / 1e6,
             static_cast<double>(t.written_bytes) / 1e6);
  const auto kilobytes = [](size_t bytes) { return static_cast<double>(bytes) / 1e3; };
  for (const measure::BundleMemory& m : t.memory) {
    fmt::print(
        "  level {}: networks {:7.1f} KB, bases {:7.1f}, upsampling {:6.1f}, skin {:6.1f}, rest {:6.1f}, normals "
        "{:6.1f}, others {:6.1f}\n",
        m.level, kilobytes(m.networks), kilobytes(m.bases), kilobytes(m.upsampling), kilobytes(m.skin),
        kilobytes(m.rest), kilobytes(m.normals), kilobytes(m.others));
  }
  for (const bake::PrecisionError& error : bake::ComparePrecision(baked.bundle, exact.bundle, poses)) {
    fmt::print("  precision: rms {:.2e}, largest {:.2e}\n", error.rms, error.largest);
  }
  for (const measure::Timing& timing : t.timings) {
    fmt::print(
        "  {:14} level {} threads {}: hot {:7.1f} us (fastest {:7.1f}, p99 {:7.1f}), cold {:7.1f} (fastest {:7.1f}, "
        "p99 {:7.1f})\n",
        timing.stage, timing.level, timing.threads, timing.hot.median, timing.hot.fastest, timing.hot.p99,
        timing.cold.median, timing.cold.fastest, timing.cold.p99);
  }
  for (const int threads : {1, 2}) {
    const measure::Timing *floor = t.Find("floor", 0, threads), *frame = t.Find("frame", 0, threads);
    fmt::print("  {} threads: {:.2f} x floor hot, {:.2f} x floor cold\n", threads,
               frame->hot.median / floor->hot.median, frame->cold.median / floor->cold.median,
               frame->hot.fastest / floor->hot.fastest, frame->cold.fastest / floor->cold.fastest);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 31;
  std::string write;
  for (int i = 2; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--write") == 0) write = argv[i + 1];
  }
  if (argc < 2 || rounds < 1) {
    fmt::print(stderr, "usage: bundle_bench HIERARCHY [--rounds N] [--write FOLDER]\n");
    return 2;
  }
  const lod::Hierarchy hierarchy = lod::ReadHierarchy(argv[1]);
  const deformer::Deformer deformer = testing::SyntheticDeformer(hierarchy);
  const std::vector<Pose> poses = SomePoses(hierarchy.levels.back().character.skeleton);
  const bake::BakedBundle exact = bake::BuildBundle(hierarchy, deformer, {}, {.precision = Precision::kF32});
  for (const auto& [name, precision] :
       {std::pair{"f32", Precision::kF32}, {"f16", Precision::kF16}, {"i8", Precision::kI8}}) {
    const bake::BakedBundle baked = bake::BuildBundle(hierarchy, deformer, {}, {.precision = precision});
    Print(name, baked, exact, measure::TimeBundle(baked.bundle, poses, {.threads = {1, 2}, .rounds = rounds}), poses);
    if (write.empty()) continue;
    const std::string file = fmt::format("{}/synthetic_{}.sinew", write, name);
    WriteFileAtomic(file, baked.file.bytes());
    const measure::Microseconds opening = measure::TimeOpening(file, rounds);
    fmt::print("  opened and checked in {:.0f} us (fastest {:.0f}, p99 {:.0f})\n", opening.median, opening.fastest,
               opening.p99);
  }
  return 0;
}
