// Contact samples: read; what could be read comes back from what we write.
#include <cstdlib>

#include "sinew/offline/contact/sample_file.h"
#include "sinew/offline/core/binary.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/small_contact_shard.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Bytes file(bytes.begin(), bytes.end());
    SealFile(file);
    const char* inputs = testing::kSmallShardInputs;
    const contact::ContactShard shard = contact::DecodeShard(file, inputs, "fuzz.contacts");
    // Files of the first version come back as ones of the newest.
    const Bytes again = contact::EncodeShard(shard, inputs);
    if (contact::DecodeShard(again, inputs, "again.contacts") != shard) std::abort();
  });
}
