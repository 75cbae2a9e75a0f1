// What SkinWeights promises of every vertex.
#ifndef SINEW_TESTS_SUPPORT_SOUND_WEIGHTS_H_
#define SINEW_TESTS_SUPPORT_SOUND_WEIGHTS_H_

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/character/character.h"

namespace sinew::testing {

// Of every part that is skinned: l slots a vertex, finite, none negative, strongest first, sum 1, joints that exist.
inline void ExpectSoundWeights(const Character& character, int l) {
  for (const Part& part : character.parts) {
    if (part.skin < 0 || character.skins[part.skin].attached) continue;
    ASSERT_EQ(part.weights.influences, l);
    ASSERT_EQ(part.weights.weights.size(), static_cast<size_t>(part.mesh.vertex_count()) * l);
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      double sum = 0;
      for (int k = 0; k < l; ++k) {
        const float w = part.weights.weights[v * l + k];
        ASSERT_TRUE(std::isfinite(w) && w >= 0);
        ASSERT_TRUE(k == 0 || w <= part.weights.weights[v * l + k - 1]);
        ASSERT_LT(part.weights.joints[v * l + k], character.skeleton.joint_count());
        sum += w;
      }
      ASSERT_NEAR(sum, 1, 1e-6);
    }
  }
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SOUND_WEIGHTS_H_
