// A small manifest without leaks, for tests to put some in.
#ifndef SINEW_TESTS_OFFLINE_CORPUS_MANIFESTS_H_
#define SINEW_TESTS_OFFLINE_CORPUS_MANIFESTS_H_

#include <string>

#include "sinew/offline/corpus/manifest.h"

namespace sinew::corpus {

inline std::string TestHash(char digit) { return std::string(32, digit); }

inline CorpusBody TestBody(const std::string& name, Side side, char digit) {
  return {.name = name,
          .group = "a",
          .family = "biped",
          .identity = name,
          .topology = "t",
          .source = "biped",
          .parents = {},
          .shares = {},
          .side = side,
          .seed = 17,
          .dress = -1,
          .garment = "",
          .dataset = TestHash(digit),
          .character = TestHash(digit),
          .build = TestHash(digit),
          .garment_build = "",
          .vertices = 10,
          .frames = 6,
          .failed = 1};
}

// Two training bodies, one to validate with, one to test with, a mix of the first two, a test family, three clips.
inline CorpusManifest SmallManifest() {
  CorpusManifest manifest{
      .name = "small", .seed = 3, .recipe = "[corpus]\n", .test_families = {"cartoon"}, .bodies = {}, .clips = {}};
  manifest.bodies = {TestBody("a_000", Side::kTrain, '0'),      TestBody("a_001", Side::kTrain, '1'),
                     TestBody("a_002", Side::kValidation, '2'), TestBody("a_003", Side::kTest, '3'),
                     TestBody("mix_000", Side::kTrain, '4'),    TestBody("toon_000", Side::kTest, '5')};
  manifest.bodies[4].parents = {"a_000", "a_001"};
  manifest.bodies[4].shares = {0.25, 0.75};
  manifest.bodies[5].family = "cartoon";
  manifest.clips = {{.name = "07_01.bvh", .person = "07", .hash = TestHash('6'), .side = Side::kTrain},
                    {.name = "02_01.bvh", .person = "02", .hash = TestHash('7'), .side = Side::kValidation},
                    {.name = "09_01.bvh", .person = "09", .hash = TestHash('8'), .side = Side::kTest}};
  return manifest;
}

}  // namespace sinew::corpus

#endif  // SINEW_TESTS_OFFLINE_CORPUS_MANIFESTS_H_
