// Results of an ablation as JSON: what is accepted is written and read again as it is.
#include <cstdlib>
#include <string_view>

#include "sinew/offline/ablation/results.h"
#include "sinew/offline/core/json_text.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  const auto text = [](std::span<const std::byte> bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  fuzz::Run(data, size, [&](std::span<const std::byte> bytes) {
    const Json json = JsonOf(ablation::ParseSkinningResult(text(bytes), "fuzz.json"));
    if (JsonOf(ablation::ParseSkinningResult(JsonText(json), "again.json")) != json) std::abort();
  });
  return fuzz::Run(data, size, [&](std::span<const std::byte> bytes) {
    const Json json = JsonOf(ablation::ParseRowResult(text(bytes), "fuzz.json"));
    if (JsonOf(ablation::ParseRowResult(JsonText(json), "again.json")) != json) std::abort();
  });
}
