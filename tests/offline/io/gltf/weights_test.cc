// Weights that are NaN: nothing where a vertex has no other weight, and an error everywhere else.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/same_character.h"

namespace sinew::gltf {
namespace {

using testing::Differences;
using ::testing::ElementsAre;
using testing::SmallRig;

constexpr int kVertices = 4;  // of SmallRig()

// Weights of a vertex, for all sets of influences one after another.
using Row = std::vector<float>;

bool HasNan(const Row& row) {
  return std::any_of(row.begin(), row.end(), [](float weight) { return std::isnan(weight); });
}
bool HasWeight(const Row& row) {
  return std::any_of(row.begin(), row.end(), [](float weight) { return weight != 0 && !std::isnan(weight); });
}

struct WeightedFile {
  Bytes bytes;
  std::vector<int> accessors;  // of WEIGHTS_n
};

// SmallRig() with the weights of `rows`, whose joints take turns.
WeightedFile FileOf(const std::vector<Row>& rows) {
  testing::GltfBuilder builder = SmallRig();
  Json& attributes = builder.json["meshes"][0]["primitives"][0]["attributes"];
  WeightedFile file;
  for (size_t set = 0; 4 * set < rows[0].size(); ++set) {
    std::vector<float> weights, joints;
    for (const Row& row : rows) {
      for (size_t k = 4 * set; k < 4 * set + 4; ++k) {
        weights.push_back(row[k]);
        joints.push_back(static_cast<float>(k % 2));
      }
    }
    file.accessors.push_back(builder.Accessor(weights, 4));
    // JSON has no NaN for the bounds, which are optional.
    for (const char* bound : {"min", "max"}) builder.json["accessors"][file.accessors.back()].erase(bound);
    attributes[fmt::format("WEIGHTS_{}", set)] = file.accessors.back();
    attributes[fmt::format("JOINTS_{}", set)] = builder.Accessor(joints, 4, {.component_type = 5121});
  }
  file.bytes = builder.Glb();
  return file;
}

Character Read(const Bytes& bytes) { return ReadGltf(bytes, "x.glb", "", {.skin = "", .quiet = true}); }

std::string ErrorOf(const Bytes& bytes) {
  try {
    Read(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Rows of one to three sets. With `mixed`, NaN may stand beside weights.
std::vector<Row> RandomRows(uint64_t seed, bool mixed) {
  Random random(seed);
  const size_t slots = 4 * (1 + random.Below(3));
  std::vector<Row> rows(kVertices, Row(slots, 0.0f));
  for (Row& row : rows) {
    const bool may_nan = random.Below(2) == 0;
    const bool may_weigh = mixed || !may_nan;
    for (float& weight : row) {
      const uint32_t kind = random.Below(4);
      if (kind == 0 && may_nan) weight = random.Below(2) == 0 ? NAN : -NAN;
      if (kind == 1 && may_weigh) weight = static_cast<float>(1 + random.Below(5)) / 4;
      if (kind == 2 && may_weigh && random.Below(4) == 0) weight = -0.5f;
    }
  }
  return rows;
}

TEST(NanWeights, AreReadAsZerosWhereAVertexHasNoOthers) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    const std::vector<Row> rows = RandomRows(seed, false);
    std::vector<Row> zeros = rows;
    for (Row& row : zeros)
      std::replace_if(
          row.begin(), row.end(), [](float w) { return std::isnan(w); }, 0.0f);
    const Character character = Read(FileOf(rows).bytes), expected = Read(FileOf(zeros).bytes);
    RC_ASSERT(Differences(character, expected) == std::vector<std::string>());
    const WeightRepairs &got = character.parts[0].weight_repairs, &wanted = expected.parts[0].weight_repairs;
    RC_ASSERT(got.unweighted == wanted.unweighted);
    RC_ASSERT(got.rescaled == wanted.rescaled);
    RC_ASSERT(Differences(character, Read(EncodeGlb(character))) == std::vector<std::string>());
  }));
}

TEST(NanWeights, AreRefusedBesideAWeight) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    const std::vector<Row> rows = RandomRows(seed, true);
    const WeightedFile file = FileOf(rows);
    const std::string error = ErrorOf(file.bytes);
    const auto bad = std::find_if(rows.begin(), rows.end(), [](const Row& r) { return HasNan(r) && HasWeight(r); });
    if (bad == rows.end()) {
      RC_ASSERT(error == "no error");
      return;
    }
    const auto nan = std::find_if(bad->begin(), bad->end(), [](float weight) { return std::isnan(weight); });
    RC_ASSERT(error == fmt::format("x.glb: accessor {}: element {} is {}; repair the model and export it again",
                                   file.accessors[(nan - bad->begin()) / 4], bad - rows.begin(), *nan));
  }));
}

TEST(NanWeights, InfiniteOnesAreRefusedWhereverTheyAre) {
  for (const float other : {0.0f, 1.0f, NAN}) {
    const WeightedFile file = FileOf({{1, 0, 0, 0}, {other, -INFINITY, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}});
    EXPECT_EQ(ErrorOf(file.bytes), fmt::format("x.glb: accessor {}: element 1 is -inf; repair the model and export it "
                                               "again",
                                               file.accessors[0]));
  }
}

// The joints beside NaN are as meaningless as the weights: exporters leave anything there.
TEST(NanWeights, MayStandBesideAnyJoint) {
  testing::GltfBuilder builder = SmallRig();
  Json& attributes = builder.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] =
      builder.Accessor({0, 0, 0, 0, 200, 0, 7, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4, {.component_type = 5121});
  attributes["WEIGHTS_0"] = builder.Accessor({1, 0, 0, 0, NAN, NAN, NAN, NAN, 1, 0, 0, 0, 1, 0, 0, 0}, 4);
  EXPECT_THAT(Read(builder.Glb()).parts[0].weights.joints, ElementsAre(0, 0, 1, 1));
}

TEST(NanWeights, AreCountedInTheWarning) {
  const auto warning = [](const std::vector<Row>& rows) {
    const CollectWarnings warnings;
    ReadGltf(FileOf(rows).bytes, "x.glb", "");
    return warnings.messages().empty() ? "none" : warnings.messages()[0];
  };
  const Row one{1, 0, 0, 0}, zero(4, 0.0f), nan(4, NAN), some{0, NAN, 0, 0};
  EXPECT_EQ(warning({one, one, one, one}), "none");
  EXPECT_EQ(warning({one, zero, one, one}),
            "x.glb: mesh 0, primitive 0: 1 vertices had no weights and were given to the skin's first joint");
  EXPECT_EQ(warning({one, nan, some, one}),
            "x.glb: mesh 0, primitive 0: 2 vertices had no weights (NaN instead of 0) and were given to the skin's "
            "first joint");
  EXPECT_EQ(warning({one, zero, nan, some}),
            "x.glb: mesh 0, primitive 0: 3 vertices had no weights (NaN instead of 0 at 2 of them) and were given to "
            "the skin's first joint");
}

// A write that changes nothing loses nothing; one that changes the weights writes none that are NaN.
TEST(NanWeights, AreWrittenOnlyUntilWeightsChange) {
  const WeightedFile file = FileOf({{1, 0, 0, 0}, {NAN, NAN, NAN, NAN}, {0.5f, 0.5f, 0, 0}, {1, 0, 0, 0}});
  Character character = Read(file.bytes);
  EXPECT_EQ(Read(EncodeGlb(character)).parts[0].weight_repairs.unweighted, 1);
  character.parts[0].weights.joints[6] = 1;
  character.parts[0].weights.weights[6] = 1;
  const Character again = Read(EncodeGlb(character));
  EXPECT_EQ(again.parts[0].weight_repairs.unweighted, 0);
  EXPECT_EQ(Differences(character, again), std::vector<std::string>());
}

}  // namespace
}  // namespace sinew::gltf
