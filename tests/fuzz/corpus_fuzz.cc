// corpus.json, pack.json, rig.json and recipes: what could be read must come back from what we write, and leaks are
// found without harm.
#include <cstdlib>
#include <string_view>

#include "sinew/offline/core/error.h"
#include "sinew/offline/corpus/leaks.h"
#include "sinew/offline/corpus/load_pack.h"
#include "sinew/offline/corpus/recipe.h"
#include "sinew/offline/corpus/rig_pack.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    corpus::ParseRecipe({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.toml");
  });
  fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const std::string text = corpus::FormatPackManifest(
        corpus::ParsePackManifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "pack.json"));
    if (corpus::FormatPackManifest(corpus::ParsePackManifest(text, "pack.json")) != text) std::abort();
  });
  fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const std::string text = corpus::FormatRigPackManifest(
        corpus::ParseRigPackManifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "rig.json"));
    if (corpus::FormatRigPackManifest(corpus::ParseRigPackManifest(text, "rig.json")) != text) std::abort();
  });
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    const corpus::CorpusManifest manifest =
        corpus::ParseCorpusManifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "corpus.json");
    corpus::FindLeaks(manifest);
    const std::string text = corpus::FormatCorpusManifest(manifest);
    if (corpus::FormatCorpusManifest(corpus::ParseCorpusManifest(text, "corpus.json")) != text) std::abort();
  });
}
