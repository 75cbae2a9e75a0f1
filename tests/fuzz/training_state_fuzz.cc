// State of a training: read; what could be read comes back from what we write.
#include <cstdlib>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/learn/loss_curves.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/small_training_state.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Bytes file(bytes.begin(), bytes.end());
    SealFile(file);
    const char* inputs = testing::kSmallStateInputs;
    const learn::TrainingState state = learn::DecodeTrainingState(file, inputs, "fuzz.partial");
    const Bytes again = learn::EncodeTrainingState(state, inputs);
    if (learn::EncodeTrainingState(learn::DecodeTrainingState(again, inputs, "fuzz.partial"), inputs) != again) {
      std::abort();
    }
    if (learn::CurvesCsv(state.history).empty() || learn::CurvesSvg(state.history, "fuzz").empty()) std::abort();
  });
}
