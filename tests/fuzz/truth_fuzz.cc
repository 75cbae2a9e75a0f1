// Truth files: what could be read must come back from what we write, as far as 16 bits go.
#include <cstdlib>

#include "sinew/offline/view/truth_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const view::TruthFile truth = view::ParseTruth(bytes, "a.truth");
    std::vector<Bytes> records;
    for (size_t f = 0; f < truth.head.frames.size(); ++f) {
      const view::TruthFrame frame = view::ReadTruthFrame(truth, static_cast<int>(f));
      for (size_t i = 0; i < frame.levels.size(); ++i) {
        if (frame.levels[i].rows() != truth.head.vertices[i]) std::abort();
        if (!frame.levels[i].allFinite()) return;  // a box at the edge of what floats can hold
      }
      records.push_back(view::FormatTruthFrame(frame));
      if (records.back().size() != view::TruthRecordBytes(truth.head)) std::abort();
    }
    const Bytes written = view::FormatTruth(truth.head, records);
    if (view::ParseTruth(written, "a.truth").head.frames != truth.head.frames) std::abort();
  });
}
