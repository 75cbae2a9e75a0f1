// Contact fields of the small worm (soft_objects.h) that nobody has trained: random, and large enough to be seen.
#ifndef SINEW_TESTS_SUPPORT_SMALL_DENTS_H_
#define SINEW_TESTS_SUPPORT_SMALL_DENTS_H_

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/core/random.h"

namespace sinew::testing {

inline const contact::PlaneObject& DentedWorm() {
  static const contact::PlaneObject worm = contact::MakeWorm({.triangles = 200});
  return worm;
}

// A field of one or two hidden layers.
inline contact::ContactField SmallField(int layers) {
  std::vector<float> scales(static_cast<size_t>(contact::FieldInputs::Width(DentedWorm())), 0.7f);
  scales[0] = scales[1] = 0.25f;
  contact::ContactField field(DentedWorm(), {.hidden_layers = layers, .width = 13}, scales, 0.2f);
  Random random(static_cast<uint64_t>(layers));
  std::vector<float> parameters = field.network().InitialParameters(random);
  for (float& number : parameters) number += 0.1f * static_cast<float>(random.Normal());
  field.set_parameters(parameters);
  return field;
}

inline contact::LoadedDent SmallDent(int layers) {
  return contact::OpenDent(contact::MakeDent(DentedWorm(), SmallField(layers), {}), "small.dent");
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_DENTS_H_
