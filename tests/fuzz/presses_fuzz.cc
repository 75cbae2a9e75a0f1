// Contacts of a character: read; what could be read comes back from what we write.
#include <cstdlib>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/core/binary.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/small_presses.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Bytes file(bytes.begin(), bytes.end());
    SealFile(file);
    const char* inputs = testing::kSmallPressesInputs;
    const contact::PressShard shard = contact::DecodePresses(file, inputs, "fuzz.presses");
    if (contact::EncodePresses(shard, inputs) != file) std::abort();
  });
}
