#include "sinew/offline/bake/bundle_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/bake/level_sections.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/tables/bundle_writer.h"
#include "sinew/offline/tables/names.h"
#include "sinew/offline/tables/range_builder.h"

namespace sinew::bake {
namespace {

namespace format = runtime::format;
using format::SectionType;
using runtime::Precision;

Block SkeletonSection(const Skeleton& skeleton, const SkinSlots& slots, const deformer::Deformer& deformer) {
  format::SkeletonHeader header{};
  std::vector<int16_t> parents;
  std::vector<Transform> rests;
  std::vector<uint32_t> names{0};
  std::vector<char> text;
  for (const Joint& joint : skeleton.joints) {
    parents.push_back(static_cast<int16_t>(joint.parent));
    rests.push_back(joint.rest);
    text.insert(text.end(), joint.name.begin(), joint.name.end());
    names.push_back(static_cast<uint32_t>(text.size()));
  }
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.joint_count = static_cast<uint32_t>(skeleton.joint_count());
  header.slot_count = static_cast<uint32_t>(slots.joints.size());
  header.features = static_cast<uint32_t>(deformer.features);
  header.height = static_cast<float>(deformer.height);
  header.incremental = deformer.incremental ? 1 : 0;
  header.parents_offset = layout.Add(parents);
  header.rests_offset = layout.Add(rests);
  header.names_offset = layout.Add(names);
  header.text_bytes = text.size();
  header.text_offset = layout.Add(text);
  header.slot_joints_offset = layout.Add(slots.joints);
  header.inverse_binds_offset = layout.Add(slots.inverse_binds);
  return layout.Write(header);
}

Json PartsOf(const Character& character) {
  Json parts = Json::array();
  int vertices = 0, triangles = 0;
  for (const Part& part : character.parts) {
    parts.push_back({{"name", part.name},
                     {"first_vertex", vertices},
                     {"vertices", part.mesh.vertex_count()},
                     {"first_triangle", triangles},
                     {"triangles", part.mesh.triangle_count()}});
    vertices += part.mesh.vertex_count();
    triangles += part.mesh.triangle_count();
  }
  return parts;
}

std::string InfoText(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer, const JointLimits& limits,
                     const BakeOptions& options) {
  const Character& finest = hierarchy.levels.back().character;
  Json info = {
      {"name", finest.name}, {"precision", tables::NameOf(options.precision)}, {"settings", deformer.settings}};
  if (!limits.empty()) info["limits"] = LimitsToJson(finest.skeleton, limits);
  info["levels"] = Json::array();
  for (const lod::Level& level : hierarchy.levels) info["levels"].push_back({{"parts", PartsOf(level.character)}});
  return JsonText(info);
}

tables::RawRangeTest RangeOf(const deformer::RangeTest& test) {
  tables::RawRangeTest raw;
  raw.joints.assign(test.joints.begin(), test.joints.end());
  raw.features = static_cast<int>(test.L.cols());
  raw.rows = static_cast<int>(test.L.rows());
  raw.centre_count = static_cast<int>(test.centres.cols());
  raw.L.assign(test.L.data(), test.L.data() + test.L.size());
  raw.centres.assign(test.centres.data(), test.centres.data() + test.centres.size());
  raw.inner = test.inner;
  raw.outer = test.outer;
  return raw;
}

void AddRanges(const deformer::Deformer& deformer, Precision precision, tables::BundleWriter& writer) {
  if (deformer.ranges.empty()) return;
  std::vector<tables::RawRangeTest> tests;
  for (const deformer::RangeTest& test : deformer.ranges) tests.push_back(RangeOf(test));
  const Precision kept = precision == Precision::kF32 ? Precision::kF32 : Precision::kF16;
  writer.Add(SectionType::kRanges, 0, tables::BuildRanges(tests, kept, "the deformer").block);
}

void AddReferences(const Skeleton& skeleton, tables::BundleWriter& writer) {
  const JointView view(skeleton);
  const std::vector<int16_t>& references = view.references();
  if (references.empty()) return;
  writer.Add(SectionType::kReferences, 0, std::as_bytes(std::span(references)));
}

// Adds the hashes of the trained frames, 16 bytes each: those of 32 hexadecimal digits as they are, any other text by
// the hash of that text.
void AddTrainedFrames(const std::vector<std::string>& hashes, tables::BundleWriter& writer) {
  if (hashes.empty()) return;
  std::vector<std::byte> bytes;
  for (const std::string& hash : hashes) {
    const auto digit = [](char c) { return std::string_view("0123456789abcdef").find(c); };
    const bool plain =
        hash.size() == 32 && std::all_of(hash.begin(), hash.end(), [&](char c) { return digit(c) < 16; });
    const std::string digits = plain ? hash : HashHex(std::as_bytes(std::span(hash)));
    for (size_t i = 0; i < 32; i += 2) {
      bytes.push_back(static_cast<std::byte>(16 * digit(digits[i]) + digit(digits[i + 1])));
    }
  }
  writer.Add(SectionType::kTrainedFrames, 0, bytes, false);
}

void Check(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer) {
  const int joints = hierarchy.levels.back().character.skeleton.joint_count();
  if (deformer.levels.size() > hierarchy.levels.size()) {
    throw InputError("the deformer", "", "has more levels than the hierarchy",
                     "bake with the hierarchy that it was trained on");
  }
  const auto known = [&](const std::vector<int>& numbers, size_t count) {
    return std::all_of(numbers.begin(), numbers.end(), [&](int n) { return n >= 0 && n < static_cast<int>(count); });
  };
  bool fits = true;
  for (const deformer::RangeTest& test : deformer.ranges) fits = fits && known(test.joints, joints);
  for (const deformer::LevelCorrectives& level : deformer.levels) {
    for (const deformer::RegionCorrective& region : level.regions) {
      fits = fits && known(region.joints, joints) && known(region.ranges, deformer.ranges.size());
    }
  }
  if (!fits) {
    throw InputError("the deformer", "", "names joints or range tests that do not exist",
                     "bake with the hierarchy that it was trained on");
  }
}

}  // namespace

BakedBundle BuildBundle(const lod::Hierarchy& hierarchy, const deformer::Deformer& deformer, const JointLimits& limits,
                        const BakeOptions& options) {
  Check(hierarchy, deformer);
  const SkinSlots slots = SkinSlots::Of(hierarchy);
  tables::BundleWriter writer;
  writer.Add(SectionType::kSkeleton, 0, SkeletonSection(hierarchy.levels.back().character.skeleton, slots, deformer));
  AddReferences(hierarchy.levels.back().character.skeleton, writer);
  AddRanges(deformer, options.precision, writer);
  std::optional<LevelBake> coarser;
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    const deformer::LevelCorrectives* correctives =
        i <= static_cast<int>(deformer.levels.size()) ? &deformer.levels[i - 1] : nullptr;
    coarser = AddLevel(hierarchy, i, slots, coarser ? &*coarser : nullptr, correctives, options, writer);
  }
  const std::string info = InfoText(hierarchy, deformer, limits, options);
  writer.Add(SectionType::kInfo, 0, std::as_bytes(std::span(info)), false);
  AddTrainedFrames(deformer.trained_frames, writer);
  BakedBundle baked{writer.Write(hierarchy.level_count()), {}};
  const char* problem = nullptr;
  if (runtime::Bundle::Open(baked.file.bytes(), &baked.bundle, &problem) != runtime::Status::kOk) {
    throw FailedError(std::string("the bundle that was made does not open: ") + problem);
  }
  return baked;
}

std::vector<PrecisionError> ComparePrecision(const runtime::Bundle& bundle, const runtime::Bundle& exact,
                                             const std::vector<Pose>& poses) {
  std::vector<PrecisionError> errors;
  for (int i = 1; i <= bundle.level_count(); ++i) {
    PrecisionError error;
    for (const Pose& pose : poses) {
      const Points off = Displacements(bundle, pose, i) - Displacements(exact, pose, i);
      error.rms += off.cast<double>().squaredNorm() / static_cast<double>(off.rows());
      error.largest = std::max(error.largest, static_cast<double>(off.rowwise().norm().maxCoeff()));
    }
    error.rms = std::sqrt(error.rms / static_cast<double>(std::max<size_t>(1, poses.size())));
    errors.push_back(error);
  }
  return errors;
}

}  // namespace sinew::bake
