#include "sinew/offline/tables/range_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/quantize.h"

namespace sinew::tables {
namespace {

using runtime::Precision;
using runtime::RangeTable;

constexpr float kLargest = 60000;  // bound for half floats, whose largest number is 65504

void Check(const RawRangeTest& test, size_t index, const std::string& name) {
  const auto refuse = [&](const char* problem) {
    throw InputError(name, "range test " + std::to_string(index), problem, "train it again");
  };
  if (test.features < 1 || test.features > static_cast<int>(RangeTable::kMaxFeatures) || test.rows < 1 ||
      test.rows > static_cast<int>(RangeTable::kMaxRows) || test.centre_count < 1 || test.centre_count > 65536 ||
      test.L.size() != static_cast<size_t>(test.features) * test.rows ||
      test.centres.size() != static_cast<size_t>(test.centre_count) * test.rows) {
    refuse("has matrices of a size that is not allowed");
  }
  bool finite = test.inner >= 0 && test.inner < test.outer && std::isfinite(test.outer);
  for (const float number : test.L) finite = finite && std::isfinite(number);
  for (const float number : test.centres) finite = finite && std::isfinite(number);
  if (!finite) refuse("has bounds or numbers that are not allowed");
}

// Returns L times `scale`, column by column, each padded with zeros.
std::vector<float> PaddedL(const RawRangeTest& test, float scale) {
  const uint32_t padded = RangeTable::Padded(test.rows);
  std::vector<float> L(static_cast<size_t>(test.features) * padded, 0.0f);
  for (int f = 0; f < test.features; ++f) {
    for (int r = 0; r < test.rows; ++r) L[static_cast<size_t>(f) * padded + r] = scale * test.L[f * test.rows + r];
  }
  return L;
}

// Returns the centres times `scale`, in the groups that RangeTable::Test describes.
std::vector<float> GroupedCentres(const RawRangeTest& test, float scale) {
  if (test.centre_count == 1) {
    std::vector<float> centre(RangeTable::Padded(test.rows), 0.0f);
    for (int r = 0; r < test.rows; ++r) centre[r] = scale * test.centres[r];
    return centre;
  }
  std::vector<float> grouped;
  const int group = RangeTable::kGroup, padded = static_cast<int>(RangeTable::Padded(test.centre_count));
  for (int first = 0; first < padded; first += group) {
    for (int r = 0; r < test.rows; ++r) {
      for (int k = 0; k < group; ++k) {
        const int centre = std::min(first + k, test.centre_count - 1);
        grouped.push_back(scale * test.centres[static_cast<size_t>(centre) * test.rows + r]);
      }
    }
  }
  return grouped;
}

void Write(const std::vector<float>& numbers, Precision precision, std::byte* to) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    const float number = precision == Precision::kF16 ? std::clamp(numbers[i], -kLargest, kLargest) : numbers[i];
    Quantize(number, 0, precision, i, to);
  }
}

}  // namespace

BuiltRanges BuildRanges(const std::vector<RawRangeTest>& raw, Precision precision, const std::string& name) {
  // Check, scale and describe the tests, and reserve memory for their numbers.
  std::vector<RangeTable::Test> tests;
  std::vector<uint16_t> joints;
  BlockLayout layout;
  RangeTable::Header header{};
  layout.Reserve(sizeof(header));
  std::vector<std::vector<float>> Ls, centres;
  const uint32_t element = runtime::BytesOf(precision);
  for (size_t t = 0; t < raw.size(); ++t) {
    Check(raw[t], t, name);
    const float scale = 1 / raw[t].outer;
    Ls.push_back(PaddedL(raw[t], scale));
    centres.push_back(GroupedCentres(raw[t], scale));
    RangeTable::Test test{};
    test.L_offset = layout.Reserve(Ls.back().size() * element);
    test.centres_offset = layout.Reserve(centres.back().size() * element);
    test.first_joint = static_cast<uint32_t>(joints.size());
    test.joint_count = static_cast<uint32_t>(raw[t].joints.size());
    test.features = static_cast<uint32_t>(raw[t].features);
    test.rows = static_cast<uint32_t>(raw[t].rows);
    test.centre_count = static_cast<uint32_t>(raw[t].centre_count);
    test.inner = std::min(raw[t].inner * scale, 0.999999f);
    test.outer = 1;
    joints.insert(joints.end(), raw[t].joints.begin(), raw[t].joints.end());
    tests.push_back(test);
  }
  // Lay out the block.
  header.magic = RangeTable::Header::kMagic;
  header.test_count = static_cast<uint32_t>(tests.size());
  header.joint_entries = static_cast<uint32_t>(joints.size());
  header.precision = static_cast<uint32_t>(precision);
  header.tests_offset = layout.Add(tests);
  header.joints_offset = layout.Add(joints);
  header.bytes = layout.bytes();
  BuiltRanges built{layout.Write(header), {}};
  // Write the numbers in the chosen precision.
  for (size_t t = 0; t < tests.size(); ++t) {
    Write(Ls[t], precision, built.block.bytes().data() + tests[t].L_offset);
    Write(centres[t], precision, built.block.bytes().data() + tests[t].centres_offset);
  }
  if (RangeTable::Open(built.block.bytes(), &built.table) != runtime::Status::kOk) {
    throw FailedError(name + ": its range table does not open");
  }
  return built;
}

}  // namespace sinew::tables
