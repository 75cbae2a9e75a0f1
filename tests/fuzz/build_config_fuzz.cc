// Settings of a build: what is accepted prints as a file that says the same.
#include <cstdlib>
#include <string_view>

#include "sinew/offline/pipeline/config.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    pipeline::Config config;
    config.Apply({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.toml");
    pipeline::Config again;
    again.Apply(config.Text(), "again.toml");
    if (again.Text() != config.Text()) std::abort();
  });
}
