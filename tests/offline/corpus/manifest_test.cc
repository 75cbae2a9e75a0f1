#include "sinew/offline/corpus/manifest.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "tests/offline/corpus/manifests.h"

namespace sinew::corpus {
namespace {

TEST(CorpusManifest, ComesBackAsItWasWritten) {
  CorpusManifest manifest = SmallManifest();
  manifest.bodies[0].dress = 24;
  manifest.bodies[1].garment = "skirt.glb";
  manifest.bodies[1].garment_build = TestHash('9');
  const std::string text = FormatCorpusManifest(manifest);
  const CorpusManifest again = ParseCorpusManifest(text, "corpus.json");
  EXPECT_EQ(again.bodies, manifest.bodies);
  EXPECT_EQ(again.clips, manifest.clips);
  EXPECT_EQ(again.recipe, manifest.recipe);
  EXPECT_EQ(again.test_families, manifest.test_families);
  EXPECT_EQ(FormatCorpusManifest(again), text);
}

TEST(CorpusManifest, RefusesWhatTheFormatDoesNotAllow) {
  const Json good = Json::parse(FormatCorpusManifest(SmallManifest()));
  const auto refused = [&](const std::string& pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    try {
      ParseCorpusManifest(JsonText(bad), "corpus.json");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    ADD_FAILURE() << pointer << " was accepted";
    return std::string();
  };
  EXPECT_NE(refused("/format", "other").find("not the manifest"), std::string::npos);
  EXPECT_NE(refused("/version", 2).find("version"), std::string::npos);
  EXPECT_NE(refused("/bodies/1/name", "../../etc").find("body 1"), std::string::npos);
  EXPECT_NE(refused("/bodies/1/name", "a_000").find("two bodies"), std::string::npos);
  EXPECT_NE(refused("/bodies/0/split", "testing").find("train, validation or test"), std::string::npos);
  EXPECT_NE(refused("/bodies/0/dataset", "12").find("hash"), std::string::npos);
  EXPECT_NE(refused("/bodies/0/frames", -1).find("frames"), std::string::npos);
  EXPECT_NE(refused("/bodies/0/failed", 1000).find("failed"), std::string::npos);
  EXPECT_NE(refused("/bodies/0/seed", -4).find("seed"), std::string::npos);
  EXPECT_NE(refused("/bodies/0/dress", -1).find("dress"), std::string::npos);
  EXPECT_NE(refused("/bodies/0/garment", "skirt.glb").find("garment_build"), std::string::npos);
  EXPECT_NE(refused("/clips/0/hash", "zz").find("clip 0"), std::string::npos);
  EXPECT_NE(refused("/bodies", 3).find("bodies"), std::string::npos);
}

TEST(CorpusManifest, EveryTruncationIsRefused) {
  const std::string text = FormatCorpusManifest(SmallManifest());
  for (size_t size = 0; size + 2 < text.size(); ++size) {
    EXPECT_THROW(ParseCorpusManifest(text.substr(0, size), "corpus.json"), InputError) << size;
  }
}

}  // namespace
}  // namespace sinew::corpus
