// A bundle, and evaluations of all that it can give. Checksums are set right first, so that what they guard is reached.
#include <algorithm>
#include <cstring>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/checksum.h"
#include "sinew/runtime/frame/evaluate.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace sinew;

void Seal(std::span<std::byte> file) {
  using runtime::format::FileHeader;
  using runtime::format::SectionEntry;
  if (file.size() < sizeof(FileHeader)) return;
  auto& header = *reinterpret_cast<FileHeader*>(file.data());
  header.bytes = file.size();
  const size_t most = (file.size() - sizeof(FileHeader)) / sizeof(SectionEntry);
  const std::span<SectionEntry> entries(reinterpret_cast<SectionEntry*>(file.data() + sizeof(FileHeader)),
                                        std::min<size_t>(header.section_count, most));
  for (SectionEntry& entry : entries) {
    if (entry.offset > file.size() || entry.bytes > file.size() - entry.offset) continue;
    entry.checksum = runtime::Checksum(file.subspan(entry.offset, entry.bytes));
  }
  header.table_checksum = runtime::Checksum(std::as_bytes(entries));
}

// Asks for everything that a bundle can give, of every level: what a section misleads about is then read.
void EvaluateAll(const runtime::Bundle& bundle) {
  const auto levels = static_cast<size_t>(bundle.level_count());
  std::vector<std::vector<runtime::Float3>> positions(levels), normals(levels), displacements(levels);
  std::vector<std::vector<runtime::Float4>> tangents(levels);
  std::vector<runtime::Bounds> boxes(levels);
  std::vector<runtime::LevelOutput> outputs(levels);
  for (size_t i = 0; i < levels; ++i) {
    const runtime::BundleLevel& level = bundle.level(static_cast<int>(i) + 1);
    const auto vertices = static_cast<size_t>(level.vertex_count);
    positions[i].resize(vertices);
    displacements[i].resize(vertices);
    if (!level.rest_normals.empty()) normals[i].resize(vertices);
    if (!level.rest_normals.empty() && !level.rest_tangents.empty()) tangents[i].resize(vertices);
    outputs[i] = {.positions = positions[i],
                  .normals = normals[i],
                  .tangents = tangents[i],
                  .displacements = displacements[i],
                  .bounds = &boxes[i],
                  .toward_coarser = i == 0 ? 0.0f : 0.25f};
  }
  std::vector<float> coefficients(bundle.coefficient_count(bundle.level_count()));
  std::vector<std::byte> scratch(runtime::ScratchBytes(bundle));
  runtime::EvaluateJob job;
  job.bundle = &bundle;
  job.pose = bundle.rest_pose();
  job.coefficients = coefficients;
  job.coefficient_level = bundle.level_count();
  job.scratch = scratch;
  job.levels = outputs;
  // A collider on the first vertex, of every field.
  runtime::Collider colliders[runtime::kMaxColliders];
  for (int c = 0; c < runtime::kMaxColliders; ++c) {
    const runtime::Float3& place = bundle.level(1).rest_positions[0];
    colliders[c].field = c;
    colliders[c].joint = c % 2 == 0 ? -1 : 0;
    colliders[c].pose.m[12] = place.x;
    colliders[c].pose.m[13] = place.y;
    colliders[c].pose.m[14] = place.z;
  }
  job.colliders = colliders;
  // Straight into the outputs and by way of the coarser level, with normals that are skinned and recomputed.
  for (const auto source :
       {runtime::NormalSource::kAuto, runtime::NormalSource::kSkinned, runtime::NormalSource::kTriangles}) {
    for (runtime::LevelOutput& output : outputs) output.normals_from = source;
    job.Run();
    for (runtime::LevelOutput& output : outputs) output.toward_coarser = 0;
  }
  // What a player asks for besides.
  for (int i = 1; i <= bundle.level_count(); ++i) {
    const runtime::BundleLevel& level = bundle.level(i);
    uint32_t corners[3];
    float uv[2];
    for (int t = 0; t < level.triangle_count; ++t) level.Triangle(t, corners);
    for (int v = 0; level.texcoords != nullptr && v < level.vertex_count; ++v) level.Texcoord(v, uv);
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// Makes an entry of the section table say that its section is of another entry's type and level, one time in eight, so
// that sections repeat and stand for each other; otherwise changes bytes as libFuzzer does.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  using runtime::format::FileHeader;
  using runtime::format::SectionEntry;
  const size_t entries = size < sizeof(FileHeader) ? 0 : (size - sizeof(FileHeader)) / sizeof(SectionEntry);
  if (seed % 8 != 0 || entries < 2) return LLVMFuzzerMutate(data, size, max_size);
  FileHeader header;
  std::memcpy(&header, data, sizeof(header));
  const size_t count = std::min<size_t>(header.section_count, entries);
  if (count < 2) return LLVMFuzzerMutate(data, size, max_size);
  uint8_t* from = data + sizeof(FileHeader) + sizeof(SectionEntry) * (seed / 8 % count);
  uint8_t* to = data + sizeof(FileHeader) + sizeof(SectionEntry) * (seed / 8 / count % count);
  SectionEntry source, target;
  std::memcpy(&source, from, sizeof(source));
  std::memcpy(&target, to, sizeof(target));
  target.type = source.type;
  target.level = source.level;
  std::memcpy(to, &target, sizeof(target));
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Block file(bytes.size());
    std::copy(bytes.begin(), bytes.end(), file.bytes().begin());
    Seal(file.bytes());
    runtime::Bundle bundle;
    if (runtime::Bundle::Open(file.bytes(), &bundle) == runtime::Status::kOk) EvaluateAll(bundle);
  });
}
