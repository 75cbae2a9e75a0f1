// A packed body. The checksum is set right first, so that what it guards is reached.
#include <cstdlib>
#include <cstring>

#include "sinew/offline/core/hash.h"
#include "sinew/offline/corpus/packed_body.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    constexpr size_t kHash = 12, kDigits = 32;
    Bytes file(bytes.begin(), bytes.end());
    if (file.size() >= kHash + kDigits) {
      const std::string hash = HashHex(std::span(file).subspan(kHash + kDigits));
      std::memcpy(file.data() + kHash, hash.data(), kDigits);
    }
    const corpus::PackedBody body = corpus::ParsePackedBody(file, "body.packed");
    if (!body.rest.allFinite() || body.Residual(0).rows() != body.rest.rows()) std::abort();
    for (const Pose& pose : body.poses) {
      if (!IsFinite(pose)) std::abort();
    }
    corpus::ParsePackedBody(corpus::FormatPackedBody(body), "again.packed");
  });
}
