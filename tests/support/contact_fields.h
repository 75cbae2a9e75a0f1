// Contact fields with random layers around a sphere, for tests of the runtime: no library beyond the standard one.
#ifndef SINEW_TESTS_SUPPORT_CONTACT_FIELDS_H_
#define SINEW_TESTS_SUPPORT_CONTACT_FIELDS_H_

#include <cmath>
#include <random>
#include <string>

#include "sinew/offline/tables/contact_builder.h"

namespace sinew::testing {

struct SphereFieldOptions {
  std::string name = "ball";
  int joints = 1;       // all of them are handles
  int width = 32;       // of the hidden layer
  float radius = 0.2f;  // of the sphere, which is the field's unit; the window is as wide
  float output = 0.02f;
  float bend = 1;  // factor on what joints add
  uint32_t seed = 1;
};

inline tables::RawContactField SphereField(const SphereFieldOptions& options) {
  std::mt19937 engine(options.seed);
  const auto uniform = [&](float most) {
    return most * (static_cast<float>(engine() >> 8) / static_cast<float>(1 << 23) - 1);
  };
  const auto fill = [&](std::vector<float>& to, int count, float most) {
    for (int i = 0; i < count; ++i) to.push_back(uniform(most));
  };
  tables::RawContactField field;
  field.name = options.name;
  field.width = options.width;
  field.unit = options.radius;
  field.output = options.output;
  field.window = 1;
  field.depth = 1;
  field.largest = 100;
  field.least.fill(-6);
  field.most.fill(6);
  field.touch_least.fill(-6);
  field.touch_most.fill(6);
  fill(field.A, static_cast<int>(field.least.size()) * options.width, 0.5f);
  fill(field.C, static_cast<int>(field.touch_least.size()) * options.width, 0.3f);
  fill(field.b, options.width, 0.5f);
  fill(field.W, 3 * options.width, 1.0f / std::sqrt(static_cast<float>(options.width)));
  field.c = {uniform(0.2f), uniform(0.2f), uniform(0.2f)};
  for (int j = 0; j < options.joints; ++j) {
    tables::RawContactHandle handle;
    handle.joint = j;
    handle.least.fill(-100);
    handle.most.fill(100);
    fill(handle.B, 12 * options.width, 0.1f * options.bend);
    field.handles.push_back(std::move(handle));
  }
  constexpr int kSamples = 24;
  constexpr float kHalf = 2.3f;
  field.counts = {kSamples, kSamples, kSamples};
  for (size_t k = 0; k < 3; ++k) {
    field.origin[k] = -kHalf;
    field.spacing[k] = 2 * kHalf / (kSamples - 1);
  }
  const auto at = [&](int i) { return -kHalf + static_cast<float>(i) * 2 * kHalf / (kSamples - 1); };
  for (int x = 0; x < kSamples; ++x) {
    for (int y = 0; y < kSamples; ++y) {
      for (int z = 0; z < kSamples; ++z) {
        field.distances.push_back(std::sqrt(at(x) * at(x) + at(y) * at(y) + at(z) * at(z)) - 1);
      }
    }
  }
  return field;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_CONTACT_FIELDS_H_
