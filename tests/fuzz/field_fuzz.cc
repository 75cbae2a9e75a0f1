// .field: read; what could be read must evaluate to sound weights and come back from what we write.
#include <cmath>
#include <cstdlib>

#include "sinew/offline/skincells/field_file.h"
#include "tests/fuzz/fuzz.h"

namespace {

// Fuzzers do not guess checksums: they are made right, so that what lies behind them is reached.
sinew::Bytes Repaired(std::span<const std::byte> bytes) {
  sinew::Bytes whole(bytes.begin(), bytes.end());
  if (whole.size() > 48) sinew::skincells::SealField(whole);
  return whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const skincells::SkinField field = skincells::DecodeField(Repaired(bytes), "fuzz.field");
    Points points(2, 3);
    points << 0, 0, 0, 1e20f, -1, 3;
    const SkinWeights weights = skincells::EvaluateField(field, points);
    for (const float w : weights.weights) {
      if (!std::isfinite(w) || w < 0) std::abort();
    }
    const Bytes again = skincells::EncodeField(field);
    if (skincells::EncodeField(skincells::DecodeField(again, "fuzz.field")) != again) std::abort();
  });
}
