#include "sinew/offline/learn/model_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/random.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"

namespace sinew::learn {
namespace {

using testing::SmallModel;

TEST(ModelFile, ComesBack) {
  const Model model = RoundToFile(SmallModel());
  const testing::TemporaryFolder folder;
  WriteModel(model, folder / "a.model");
  EXPECT_EQ(ReadModel(folder / "a.model"), model);
  EXPECT_EQ(model.Find("out.bias")->values.size(), 2u);
  EXPECT_EQ(model.Find("none"), nullptr);
  EXPECT_EQ(model.entry_count(), 3u * 4 + 4 + 4 * 2 + 2);
}

TEST(ModelFile, HalvesTakeHalfAndAreRounded) {
  Model model = SmallModel();
  const size_t floats = EncodeModel(model).size();
  size_t entries = 0;
  for (Tensor& tensor : model.tensors) {
    if (tensor.precision == TensorPrecision::kHalf) continue;
    tensor.precision = TensorPrecision::kHalf;
    entries += tensor.values.size();
  }
  EXPECT_EQ(EncodeModel(model).size(), floats - 2 * entries);
  const Model back = DecodeModel(EncodeModel(model), "a.model");
  EXPECT_EQ(back, RoundToFile(model));
  for (size_t t = 0; t < model.tensors.size(); ++t) {
    for (size_t k = 0; k < model.tensors[t].values.size(); ++k) {
      const float value = model.tensors[t].values[k];
      EXPECT_NEAR(back.tensors[t].values[k], value, std::abs(value) / 2048 + 1e-7);
    }
  }
}

TEST(StoreMatricesAsHalves, LeavesVectorsAndWhatHalvesCannotHold) {
  Model model = SmallModel();
  model.tensors = {{"weight", {2, 2}, {0.1f, 1, 2, 3}}, {"bias", {2}, {0.1f, 1}}, {"large", {1, 2}, {1e6f, 0.1f}}};
  const std::vector<Tensor> before = model.tensors;
  StoreMatricesAsHalves(model);
  EXPECT_EQ(model.tensors[0].precision, TensorPrecision::kHalf);
  EXPECT_NE(model.tensors[0].values[0], 0.1f);
  EXPECT_NEAR(model.tensors[0].values[0], 0.1, 1e-4);
  EXPECT_EQ(model.tensors[1], before[1]);
  EXPECT_EQ(model.tensors[2], before[2]);
  EXPECT_EQ(DecodeModel(EncodeModel(model), "a.model"), model);
}

TEST(ModelFile, EveryTruncationIsAnError) {
  const Bytes whole = EncodeModel(SmallModel());
  for (size_t size = 0; size < whole.size(); ++size) {
    Bytes part(whole.begin(), whole.begin() + static_cast<long>(size));
    EXPECT_THROW(DecodeModel(part, "a.model"), InputError) << size;
    SealFile(part);
    EXPECT_THROW(DecodeModel(part, "a.model"), InputError) << size;
  }
  Bytes longer = whole;
  longer.push_back(std::byte{0});
  SealFile(longer);
  EXPECT_THROW(DecodeModel(longer, "a.model"), InputError);
}

TEST(ModelFile, EveryChangedByteIsNoticed) {
  const Bytes whole = EncodeModel(SmallModel());
  for (size_t i = 0; i < whole.size(); ++i) {
    Bytes changed = whole;
    changed[i] ^= std::byte{0x10};
    EXPECT_THROW(DecodeModel(changed, "a.model"), InputError) << i;
  }
}

// Random damage behind a right checksum: a model that can be written again, or an error.
TEST(ModelFile, DamageBehindTheChecksumIsAModelOrAnError) {
  const Bytes whole = EncodeModel(SmallModel());
  Random random(4);
  int sound = 0;
  for (int i = 0; i < 3000; ++i) {
    Bytes changed = whole;
    for (int k = 0; k < 2; ++k) {
      changed[random.Below(static_cast<uint32_t>(changed.size()))] = static_cast<std::byte>(random.Bits());
    }
    SealFile(changed);
    try {
      const Model model = DecodeModel(changed, "a.model");
      EXPECT_EQ(DecodeModel(EncodeModel(model), "a.model"), model);
      ++sound;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(sound, 0);
}

TEST(ModelFile, ErrorsNameFilePlaceAndRemedy) {
  try {
    DecodeModel(std::as_bytes(std::span("SINEWMDL")), "skin.model");
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("skin.model: header"), std::string::npos) << text;
    EXPECT_NE(text.find("write the model again"), std::string::npos) << text;
  }
}

TEST(ModelFile, WhatBreaksARuleIsNotWritten) {
  const auto refused = [](const std::function<void(Model&)>& change) {
    Model model = SmallModel();
    change(model);
    EXPECT_THROW(EncodeModel(model), UsageError);
  };
  refused([](Model& m) { m.licence = ""; });
  refused([](Model& m) { m.licence = "two\nlines"; });
  refused([](Model& m) { m.corpus_hash = "abc"; });
  refused([](Model& m) { m.recipe_hash = std::string(32, 'G'); });
  refused([](Model& m) { m.settings = Json::array(); });
  refused([](Model& m) { m.architecture = Json(); });
  refused([](Model& m) { m.figures = Json(3); });
  refused([](Model& m) { m.tensors[0].name = m.tensors[1].name; });
  refused([](Model& m) { m.tensors[0].name = ""; });
  refused([](Model& m) { m.tensors[0].values.pop_back(); });
  refused([](Model& m) { m.tensors[0].shape = {}; });
  refused([](Model& m) { m.tensors[0].shape[0] = 0; });
  refused([](Model& m) { m.tensors[0].values[0] = NAN; });
  refused([](Model& m) {
    m.tensors[0].values[0] = 1e6f;
    m.tensors[0].precision = TensorPrecision::kHalf;
  });
}

TEST(ModelFile, AFailedWriteLeavesWhatIsThere) {
  const testing::TemporaryFolder folder;
  WriteModel(SmallModel(), folder / "a.model");
  const Bytes before = ReadFile(folder / "a.model");
  EXPECT_THROW(WriteModel(SmallModel(), folder / "none" / "a.model"), Error);
  EXPECT_EQ(ReadFile(folder / "a.model"), before);
}

TEST(ModelFile, Version1IsStillRead) {
  const std::string path = SINEW_SOURCE_DIR "/tests/golden/model_v1.model";
  const Model model = ReadModel(path);
  EXPECT_EQ(model.licence, "CC0-1.0");
  EXPECT_EQ(model.corpus_hash, "00112233445566778899aabbccddeeff");
  EXPECT_EQ((*model.architecture)["inputs"], 3);
  EXPECT_EQ(model.tensors.size(), 4u);
  EXPECT_EQ(model.Find("hidden.bias")->precision, TensorPrecision::kHalf);
  EXPECT_EQ(model.Find("out.bias")->values, (std::vector<float>{0.25f, -0.5f}));
  EXPECT_EQ(EncodeModel(model), ReadFile(path));
}

}  // namespace
}  // namespace sinew::learn
