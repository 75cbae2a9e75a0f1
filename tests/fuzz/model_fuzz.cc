// .model: read; what could be read comes back from what we write, and a network that it describes can be evaluated.
#include <cstdlib>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    // Fuzzers do not guess checksums: it is made right, so that what lies behind it is reached.
    Bytes file(bytes.begin(), bytes.end());
    SealFile(file);
    const learn::Model model = learn::DecodeModel(file, "fuzz.model");
    const Bytes again = learn::EncodeModel(model);
    if (learn::EncodeModel(learn::DecodeModel(again, "fuzz.model")) != again) std::abort();
    const layers::DescribedNetwork network(*model.architecture, "fuzz.model");
    const std::vector<float> parameters = network.ParametersOf(model, "fuzz.model");
    const std::array<int, 2> edge = {0, 1};
    const layers::Graph graph = layers::MakeGraph(2, {&edge, 1}, true);
    const layers::EdgeRings rings = layers::MakeEdgeRings({{1, -1, -1, -1}, {0, -1, 1, -1}});
    const layers::RowMatrix x = layers::RowMatrix::Constant(2, network.inputs(), 0.5f);
    if (network.Evaluate(parameters, x, {&graph, &rings}).cols() != network.outputs()) std::abort();
  });
}
