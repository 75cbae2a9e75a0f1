// A bundle, and one evaluation of it. Checksums are set right first, so that what they guard is reached.
#include <algorithm>
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Block file(bytes.size());
    std::copy(bytes.begin(), bytes.end(), file.bytes().begin());
    Seal(file.bytes());
    runtime::Bundle bundle;
    if (runtime::Bundle::Open(file.bytes(), &bundle) != runtime::Status::kOk) return;
    const int finest = bundle.level_count();
    std::vector<runtime::Float3> positions(bundle.level(finest).vertex_count);
    std::vector<runtime::LevelOutput> levels(finest);
    levels[finest - 1].positions = positions;
    std::vector<std::byte> scratch(runtime::ScratchBytes(bundle));
    runtime::EvaluateJob job;
    job.bundle = &bundle;
    job.pose = bundle.rest_pose();
    job.levels = levels;
    job.scratch = scratch;
    job.Run();
  });
}
