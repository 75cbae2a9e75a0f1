// Networks: the kernels against double precision, half floats, and what a table refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/network_builder.h"
#include "sinew/runtime/base/half.h"
#include "sinew/runtime/net/network.h"
#include "tests/runtime/skin/meshes.h"
#include "tests/runtime/targets.h"

namespace sinew {
namespace {

using runtime::NetworkTable;
using runtime::Precision;
using runtime::Status;
using testing::Generator;

constexpr Precision kPrecisions[] = {Precision::kF32, Precision::kF16, Precision::kI8};

tables::RawLayer MakeLayer(Generator& generator, int rows, int columns) {
  tables::RawLayer layer{.rows = rows, .columns = columns, .weights = {}, .biases = {}};
  const double scale = 2 / std::sqrt(static_cast<double>(columns));
  for (int i = 0; i < rows * columns; ++i)
    layer.weights.push_back(static_cast<float>(generator.Uniform(-scale, scale)));
  for (int i = 0; i < rows; ++i) layer.biases.push_back(static_cast<float>(generator.Uniform(-0.5, 0.5)));
  return layer;
}

tables::RawNetwork MakeNetwork(Generator& generator, int inputs, int width, int outputs, Precision precision) {
  tables::RawNetwork network;
  network.layers[0] = MakeLayer(generator, width, inputs);
  network.layers[1] = MakeLayer(generator, width, width);
  network.layers[2] = MakeLayer(generator, outputs, width);
  network.joints = {3, 5};
  network.ranges = {1};
  network.precision = precision;
  return network;
}

std::vector<double> Multiply(const tables::RawLayer& layer, const std::vector<double>& x) {
  std::vector<double> y(layer.rows);
  for (int r = 0; r < layer.rows; ++r) {
    y[r] = layer.biases[r];
    for (int c = 0; c < layer.columns; ++c) y[r] += static_cast<double>(layer.weights[r * layer.columns + c]) * x[c];
  }
  return y;
}

// In double precision, less its value at zero.
std::vector<double> Truth(const tables::RawNetwork& network, const std::vector<float>& inputs) {
  const auto forward = [&](std::vector<double> x) {
    for (int l = 0; l < 3; ++l) {
      x = Multiply(network.layers[l], x);
      for (double& v : x) v = l < 2 ? std::tanh(v) : v;
    }
    return x;
  };
  std::vector<double> z = forward({inputs.begin(), inputs.end()});
  const std::vector<double> rest = forward(std::vector<double>(inputs.size(), 0.0));
  for (size_t i = 0; i < z.size(); ++i) z[i] -= rest[i];
  return z;
}

TEST(Half, ConvertsThereAndBackAndRoundsToTheNearest) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const float value = runtime::HalfToFloat(static_cast<uint16_t>(half));
    if (std::isnan(value)) {
      EXPECT_GT(half & 0x7fffu, 0x7c00u);
      EXPECT_TRUE(std::isnan(runtime::HalfToFloat(runtime::FloatToHalf(value))));
      continue;
    }
    ASSERT_EQ(runtime::FloatToHalf(value), half) << value;
    const float next = runtime::HalfToFloat(static_cast<uint16_t>(half + 1));
    if ((half & 0x7fffu) >= 0x7bffu) continue;
    const float middle = value + (next - value) / 2;
    ASSERT_EQ(runtime::FloatToHalf(middle), half + (half & 1)) << "ties go to the even one, " << value;
    ASSERT_EQ(runtime::FloatToHalf(std::nextafter(middle, value)), half);
    ASSERT_EQ(runtime::FloatToHalf(std::nextafter(middle, next)), half + 1);
  }
  EXPECT_EQ(runtime::HalfToFloat(runtime::FloatToHalf(1e6f)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(runtime::HalfToFloat(0x3555), 0.333251953125f);
}

TEST(Network, TanhIsRightEverywhere) {
  for (double x = -20; x < 20; x += 0.00037) {
    ASSERT_NEAR(runtime::Tanh(static_cast<float>(x)), std::tanh(static_cast<double>(static_cast<float>(x))), 3e-7) << x;
  }
  EXPECT_EQ(runtime::Tanh(0), 0);
  EXPECT_EQ(runtime::Tanh(1e30f), 1);
  EXPECT_EQ(runtime::Tanh(-1e30f), -1);
}

// Sizes around the width of vectors and of blocks of rows.
TEST(Network, VectorsAndScalarsAgreeWithDoublePrecision) {
  for (const Precision precision : kPrecisions) {
    for (const int width : {1, 3, 15, 16, 17, 33, 64, 65, 130}) {
      Generator generator(width);
      std::vector<tables::RawNetwork> raw;
      for (const int outputs : {1, 13, 16, 18})
        raw.push_back(MakeNetwork(generator, 2 + width / 4, width, outputs, precision));
      const tables::BuiltNetworks built = tables::BuildNetworks(raw, "networks");
      ASSERT_EQ(built.table.network_count(), 4);
      for (int n = 0; n < 4; ++n) {
        std::vector<float> inputs;
        for (int i = 0; i < raw[n].layers[0].columns; ++i)
          inputs.push_back(static_cast<float>(generator.Uniform(-1, 1)));
        const std::vector<double> truth = Truth(raw[n], inputs);
        std::vector<float> scalar(truth.size());
        runtime::EvaluateNetworkReference(built.table, n, inputs.data(), scalar.data());
        const double tolerance = precision == Precision::kF32 ? 1e-5 : precision == Precision::kF16 ? 2e-3 : 6e-2;
        for (size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(scalar[i], truth[i], tolerance);
        testing::ForEachTarget([&] {
          std::vector<float> outputs(truth.size());
          runtime::EvaluateNetwork(built.table, n, inputs.data(), outputs.data());
          for (size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(outputs[i], scalar[i], 1e-5);
        });
      }
    }
  }
}

TEST(Network, IsExactlyZeroAtRest) {
  for (const Precision precision : kPrecisions) {
    Generator generator(5);
    const tables::BuiltNetworks built =
        tables::BuildNetworks({MakeNetwork(generator, 9, 50, 7, precision)}, "networks");
    const std::vector<float> zeros(9, 0.0f);
    std::vector<float> outputs(7, 1.0f);
    runtime::EvaluateNetwork(built.table, 0, zeros.data(), outputs.data());
    for (const float output : outputs) EXPECT_EQ(output, 0);
  }
}

TEST(Network, IsWhatItShouldBeAtRest) {
  for (const Precision precision : kPrecisions) {
    Generator generator(5);
    tables::RawNetwork raw = MakeNetwork(generator, 9, 50, 7, precision);
    raw.at_rest = {1, -2, 0.5f, 0, 30, -0.01f, 4};
    const tables::BuiltNetworks built = tables::BuildNetworks({raw}, "networks");
    const std::vector<float> zeros(9, 0.0f);
    std::vector<float> outputs(7);
    runtime::EvaluateNetwork(built.table, 0, zeros.data(), outputs.data());
    for (size_t i = 0; i < outputs.size(); ++i) EXPECT_NEAR(outputs[i], raw.at_rest[i], 1e-5) << i;
  }
}

TEST(Network, TableRefusesWhatDoesNotFit) {
  Generator generator(6);
  tables::BuiltNetworks built = tables::BuildNetworks(
      {MakeNetwork(generator, 4, 20, 3, Precision::kI8), MakeNetwork(generator, 6, 20, 2, Precision::kF16)},
      "networks");
  EXPECT_EQ(built.table.joint_bound(), 6);
  EXPECT_EQ(built.table.range_bound(), 2);
  EXPECT_EQ(built.table.output_count(), 5);
  NetworkTable table;
  for (size_t size = 0; size < built.block.bytes().size(); size += 8) {
    EXPECT_EQ(NetworkTable::Open(built.block.bytes().first(size), &table), Status::kInvalidArgument) << size;
  }
  auto* header = reinterpret_cast<NetworkTable::Header*>(built.block.bytes().data());
  auto* networks = reinterpret_cast<NetworkTable::Network*>(built.block.bytes().data() + header->networks_offset);
  const auto refused = [&](uint32_t& field, uint32_t value) {
    const uint32_t before = field;
    field = value;
    EXPECT_EQ(NetworkTable::Open(built.block.bytes(), &table), Status::kInvalidArgument) << value;
    field = before;
  };
  refused(header->magic, 1);
  refused(header->output_count, 6);
  refused(header->network_count, 100);
  for (int n = 0; n < 2; ++n) {
    refused(networks[n].inputs, 0);
    refused(networks[n].width, 1025);
    refused(networks[n].width, 900);
    refused(networks[n].outputs, 4);
    refused(networks[n].precision, 3);
    refused(networks[n].first_joint, 5);
    refused(networks[n].range_count, 4);
    networks[n].offset += 32;
    EXPECT_EQ(NetworkTable::Open(built.block.bytes(), &table), Status::kInvalidArgument);
    networks[n].offset -= 32;
  }
  EXPECT_EQ(NetworkTable::Open(built.block.bytes(), &table), Status::kOk);
}

TEST(Network, BuilderRefusesWhatCannotBeEvaluated) {
  Generator generator(7);
  const tables::RawNetwork good = MakeNetwork(generator, 4, 20, 3, Precision::kF16);
  tables::RawNetwork wrong = good;
  wrong.layers[1].columns = 19;
  EXPECT_THROW(tables::BuildNetworks({wrong}, "networks"), InputError);
  wrong = good;
  wrong.layers[2].weights[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(tables::BuildNetworks({good, wrong}, "networks"), InputError);
  wrong = good;
  wrong.layers[0].biases[1] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(tables::BuildNetworks({good, wrong}, "networks"), InputError);
}

TEST(Network, AWeightTooLargeForAHalfFloatMakesItsNetworkAloneFloats) {
  Generator generator(7);
  const tables::RawNetwork good = MakeNetwork(generator, 4, 20, 3, Precision::kF16);
  tables::RawNetwork large = good;
  large.layers[2].weights[5] = 70000;
  tables::RawNetwork floats = large;
  floats.precision = Precision::kF32;
  const tables::BuiltNetworks built = tables::BuildNetworks({good, large, floats}, "networks");
  const auto precision = [&](int n) { return static_cast<Precision>(built.table.network(n).precision); };
  EXPECT_EQ(precision(0), Precision::kF16);
  EXPECT_EQ(precision(1), Precision::kF32);
  const float inputs[] = {0.3f, -0.2f, 0.1f, 0.4f};
  float stored[3], exact[3];
  runtime::EvaluateNetwork(built.table, 1, inputs, stored);
  runtime::EvaluateNetwork(built.table, 2, inputs, exact);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(stored[i], exact[i]);
  // Bytes have a scale per row, and biases are floats in every precision.
  large.precision = Precision::kI8;
  EXPECT_NO_THROW(tables::BuildNetworks({large}, "networks"));
  tables::RawNetwork biased = good;
  biased.layers[0].biases[1] = 70000;
  const tables::BuiltNetworks half = tables::BuildNetworks({biased}, "networks");
  EXPECT_EQ(static_cast<Precision>(half.table.network(0).precision), Precision::kF16);
}

}  // namespace
}  // namespace sinew
