#include "sinew/offline/deformer/deformer_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/lod/hierarchy_file.h"

namespace sinew::deformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "deformer.bin";
constexpr const char* kSummary = "training.json";
constexpr std::string_view kMagic = "SINEWDEF";
constexpr uint32_t kVersion = 2;
constexpr uint32_t kMaxLevels = 16, kMaxRegions = 100'000, kMaxJoints = 4096, kMaxPoints = 100'000'000;
constexpr uint32_t kMaxModes = 4096, kMaxWidth = 65'536, kMaxTests = 1'000'000, kMaxFrames = 100'000'000;
constexpr uint32_t kLongestText = 1 << 24, kHashDigits = 32;

void PutIndices(BinaryWriter& out, const std::vector<int>& indices) {
  out.PutCount(indices.size());
  out.Put(indices.data(), indices.size());
}

// Writes a matrix column by column, Eigen's storage order.
template <typename Matrix>
void PutMatrix(BinaryWriter& out, const Matrix& matrix) {
  out.Put(matrix.data(), static_cast<size_t>(matrix.size()));
}

Eigen::MatrixXf TakeMatrix(BinaryReader& in, size_t rows, size_t columns, const std::string& place) {
  const std::vector<float> values = in.TakeFloats(rows * columns, place);
  return Eigen::Map<const Eigen::MatrixXf>(values.data(), static_cast<Eigen::Index>(rows),
                                           static_cast<Eigen::Index>(columns));
}

// Reads indices that must be strictly increasing, so that none occurs twice.
std::vector<int> TakeIncreasing(BinaryReader& in, uint32_t least, uint32_t most, int below, const std::string& place) {
  std::vector<int> indices = in.TakeIndices(in.TakeCount(least, most, place), below, place);
  if (!std::is_sorted(indices.begin(), indices.end(), std::less_equal<>())) in.Fail(place, "are not in rising order");
  return indices;
}

void PutTest(BinaryWriter& out, const RangeTest& test) {
  PutIndices(out, test.joints);
  out.PutCount(test.L.rows());
  out.PutCount(test.centres.cols());
  PutMatrix(out, test.L);
  PutMatrix(out, test.centres);
  out.Put(test.inner);
  out.Put(test.outer);
}

RangeTest TakeTest(BinaryReader& in, int per_joint, const std::string& place) {
  RangeTest test;
  test.joints = TakeIncreasing(in, 1, kMaxJoints, kMaxJoints, place);
  const uint32_t rows = in.TakeCount(1, kMaxModes, place), centres = in.TakeCount(1, kMaxModes, place);
  test.L = TakeMatrix(in, rows, per_joint * test.joints.size(), place);
  test.centres = TakeMatrix(in, rows, centres, place);
  const std::vector<float> reach = in.TakeFloats(2, place);
  test.inner = reach[0];
  test.outer = reach[1];
  if (!(test.inner >= 0 && test.outer > test.inner))
    in.Fail(place, "has an outer distance that is not beyond the inner");
  return test;
}

void PutRegion(BinaryWriter& out, const RegionCorrective& region) {
  out.PutCount(region.region);
  PutIndices(out, region.joints);
  PutIndices(out, region.points);
  PutIndices(out, region.ranges);
  out.PutCount(region.V.cols());
  out.PutCount(region.own.cols());
  out.PutCount(region.network.width());
  PutMatrix(out, region.V);
  PutMatrix(out, region.own);
  PutMatrix(out, region.spread);
  const learn::Network& n = region.network;
  PutMatrix(out, n.W1);
  PutMatrix(out, n.b1);
  PutMatrix(out, n.W2);
  PutMatrix(out, n.b2);
  PutMatrix(out, n.W3);
  PutMatrix(out, n.b3);
}

RegionCorrective TakeRegion(BinaryReader& in, int per_joint, int tests, const std::string& place) {
  RegionCorrective region;
  region.region = static_cast<int>(in.TakeCount(0, kMaxRegions, place));
  region.joints = TakeIncreasing(in, 1, kMaxJoints, kMaxJoints, place + ", joints");
  region.points = TakeIncreasing(in, 1, kMaxPoints, kMaxPoints, place + ", points");
  region.ranges = in.TakeIndices(in.TakeCount(0, kMaxTests, place), tests, place + ", range tests");
  const uint32_t handed_on = in.TakeCount(0, kMaxModes, place + ", modes");
  const uint32_t own = in.TakeCount(0, kMaxModes, place + ", own modes");
  const uint32_t modes = handed_on + own;
  if (modes == 0) in.Fail(place, "has no modes");
  const uint32_t width = in.TakeCount(1, kMaxWidth, place + ", width");
  region.V = TakeMatrix(in, 3 * region.points.size(), handed_on, place + ", V");
  region.own = TakeMatrix(in, 3 * region.points.size(), own, place + ", own modes");
  region.spread = TakeMatrix(in, modes, 1, place + ", spread");
  learn::Network& n = region.network;
  n.W1 = TakeMatrix(in, width, per_joint * region.joints.size(), place + ", W1");
  n.b1 = TakeMatrix(in, width, 1, place + ", b1");
  n.W2 = TakeMatrix(in, width, width, place + ", W2");
  n.b2 = TakeMatrix(in, width, 1, place + ", b2");
  n.W3 = TakeMatrix(in, modes, width, place + ", W3");
  n.b3 = TakeMatrix(in, modes, 1, place + ", b3");
  return region;
}

Json TakeSettings(BinaryReader& in) {
  Json settings = Json::parse(in.TakeText(kLongestText, "settings"), nullptr, false);
  if (settings.is_discarded()) in.Fail("settings", "are not JSON");
  return settings;
}

}  // namespace

bool IsDeformer(const fs::path& path) { return fs::is_regular_file(path / kFile); }

Bytes FormatDeformer(const Deformer& deformer) {
  BinaryWriter out;
  out.PutCount(static_cast<size_t>(deformer.features));
  out.PutCount(deformer.incremental ? 1 : 0);
  out.Put(deformer.height);
  out.PutText(JsonText(deformer.settings));
  out.PutCount(deformer.trained_frames.size());
  for (const std::string& hash : deformer.trained_frames) out.PutText(hash);
  out.PutCount(deformer.ranges.size());
  for (const RangeTest& test : deformer.ranges) PutTest(out, test);
  out.PutCount(deformer.levels.size());
  for (const LevelCorrectives& level : deformer.levels) {
    out.PutCount(level.regions.size());
    for (const RegionCorrective& region : level.regions) PutRegion(out, region);
  }
  return out.File(kMagic, kVersion);
}

Deformer ParseDeformer(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader in(bytes, file, kMagic, kVersion, "a deformer", "train it again");
  Deformer deformer;
  constexpr auto kLastKind = static_cast<uint32_t>(runtime::PoseFeatures::kColumns);
  deformer.features = static_cast<runtime::PoseFeatures>(in.TakeCount(0, kLastKind, "kind of features"));
  deformer.incremental = in.TakeCount(0, 1, "incremental") == 1;
  deformer.height = in.Take<double>("height");
  if (!(deformer.height > 0) || !std::isfinite(deformer.height)) in.Fail("height", "is not a positive number");
  deformer.settings = TakeSettings(in);
  const uint32_t frames = in.TakeCount(0, kMaxFrames, "trained frames");
  for (uint32_t i = 0; i < frames; ++i) deformer.trained_frames.push_back(in.TakeText(kHashDigits, "trained frames"));
  const int per_joint = runtime::FeatureCount(deformer.features);
  const uint32_t tests = in.TakeCount(0, kMaxTests, "range tests");
  for (uint32_t i = 0; i < tests; ++i) {
    deformer.ranges.push_back(TakeTest(in, per_joint, fmt::format("range test {}", i)));
  }
  const uint32_t levels = in.TakeCount(0, kMaxLevels, "levels");
  for (uint32_t i = 1; i <= levels; ++i) {
    const uint32_t regions = in.TakeCount(0, kMaxRegions, fmt::format("level {}, regions", i));
    LevelCorrectives& level = deformer.levels.emplace_back();
    for (uint32_t k = 0; k < regions; ++k) {
      level.regions.push_back(
          TakeRegion(in, per_joint, static_cast<int>(tests), fmt::format("level {}, corrective {}", i, k)));
    }
  }
  in.End();
  return deformer;
}

void CheckFits(const Deformer& deformer, const lod::Hierarchy& hierarchy, const std::string& file) {
  const auto fail = [&](const std::string& place, const std::string& problem) {
    throw InputError(file, place, problem, "it belongs to another hierarchy: train it again");
  };
  if (static_cast<int>(deformer.levels.size()) != hierarchy.level_count()) {
    fail("levels", fmt::format("are {}, and the hierarchy has {}", deformer.levels.size(), hierarchy.level_count()));
  }
  const int joints = hierarchy.levels.back().character.skeleton.joint_count();
  const bool of_joints = deformer.settings.is_object() && deformer.settings.value("method", Json()) == kBlendShapes;
  const int regions = of_joints ? joints : hierarchy.region_count();
  for (const RangeTest& test : deformer.ranges) {
    if (test.joints.back() >= joints)
      fail("range tests", fmt::format("name joint {} of {}", test.joints.back(), joints));
  }
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    const int points = hierarchy.level(i).point_count;
    for (const RegionCorrective& region : deformer.levels[i - 1].regions) {
      const std::string place = fmt::format("level {}, region {}", i, region.region);
      if (region.region >= regions) fail(place, "is not a region of the hierarchy");
      if (region.joints.back() >= joints)
        fail(place, fmt::format("names joint {} of {}", region.joints.back(), joints));
      if (region.points.back() >= points)
        fail(place, fmt::format("names point {} of {}", region.points.back(), points));
    }
  }
}

void WriteDeformer(const fs::path& path, const lod::Hierarchy& hierarchy, const Deformer& deformer,
                   const Json& summary) {
  lod::WriteHierarchy(path, hierarchy, [&](const fs::path& folder) {
    WriteFileAtomic(folder / kFile, FormatDeformer(deformer));
    WriteFileAtomic(folder / kSummary, JsonText(summary, 2));
  });
}

TrainedCharacter ReadDeformer(const fs::path& path) {
  if (!IsDeformer(path)) {
    throw InputError(path.string(), "", fmt::format("is not a folder with a {} in it", kFile),
                     "give a folder that `sinew train` wrote");
  }
  TrainedCharacter trained{lod::ReadHierarchy(path), ParseDeformer(ReadFile(path / kFile), (path / kFile).string())};
  CheckFits(trained.deformer, trained.hierarchy, (path / kFile).string());
  return trained;
}

}  // namespace sinew::deformer
