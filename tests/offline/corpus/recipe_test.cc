#include "sinew/offline/corpus/recipe.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/support/small_recipes.h"

namespace sinew::corpus {
namespace {

// The sentence that a recipe is refused with.
std::string Refused(const std::string& text) {
  try {
    ParseRecipe(text, "folder/my.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted: " << text;
  return "";
}

void ExpectIn(const std::string& sentence, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(sentence.find(part), std::string::npos) << sentence << " | " << part;
}

const std::string kStart = "[corpus]\nname = \"x\"\n[[bodies]]\nname = \"a\"\nembedded = \"biped\"\ncount = 4\n";

TEST(Recipe, ReadsAllItsSections) {
  const Recipe recipe = ParseRecipe(
      "[corpus]\nname = \"people\" # comment\nseed = 7\nskeleton = \"any\"\n"
      "[[bodies]]\nname = \"adults\"\nfiles = \"bodies\"\nfamily = \"makehuman\"\ntopology = \"mh\"\nidentity = \"p\"\n"
      "[[bodies]]\nname = \"mixed\"\nmix_of = [\"adults\"]\ncount = 9\nbone_scale = [0.7, 1.4]\nremesh = [2000, 9000]\n"
      "[poses]\nwide = 1\nhuman = 2\nrare = 3\nclips = \"motions\"\nclip_frames = 4\npeople = [\"walk=07\"]\n"
      "[truth]\nquality = \"good\"\n"
      "[splits]\nvalidation = 0.2\ntest = 0.3\ntest_families = [\"makehuman\"]\ntest_people = [\"07\"]\n",
      "folder/my.toml");
  EXPECT_EQ(recipe.name, "people");
  EXPECT_EQ(recipe.seed, 7u);
  EXPECT_EQ(recipe.skeleton, "");
  ASSERT_EQ(recipe.bodies.size(), 2u);
  EXPECT_EQ(recipe.bodies[0].files, "folder/bodies");
  EXPECT_EQ(recipe.bodies[1].family, "makehuman") << "a mix is of its parents' family";
  EXPECT_EQ(recipe.bodies[1].topology, "mh");
  EXPECT_EQ(recipe.bodies[1].bone_scale, (std::array<double, 2>{0.7, 1.4}));
  EXPECT_EQ(recipe.bodies[1].remesh, (std::array<int, 2>{2000, 9000}));
  EXPECT_EQ(recipe.poses.clips, "folder/motions");
  EXPECT_EQ(recipe.poses.people.at("walk"), "07");
  EXPECT_EQ(recipe.truth.quality, "good");
  EXPECT_EQ(recipe.splits.test, 0.3);
}

TEST(Recipe, SaysWhereItIsWrongAndWhatIsNearest) {
  ExpectIn(Refused("[corpus]\nnam = \"x\"\n"), {"my.toml", "line 1", "'name'"});
  ExpectIn(Refused(kStart + "verticse = 3"), {"line 7", "'verticse'", "'vertices'"});
  ExpectIn(Refused("[corpse]\n"), {"line 1", "[corpse]", "[corpus]"});
  ExpectIn(Refused("[[corpus]]\n"), {"write [corpus]"});
  ExpectIn(Refused("[bodies]\n"), {"write [[bodies]]"});
  ExpectIn(Refused("[corpus]\nname = \"x\"\n"), {"no [[bodies]]"});
  ExpectIn(Refused(kStart + "[corpus]\nname = \"y\"\n"), {"second time"});
  ExpectIn(Refused(kStart + "count = 5\n"), {"line 7", "'count' a second time"});
  ExpectIn(Refused(kStart + "files = \"b\"\n"), {"exactly one"});
  ExpectIn(Refused(kStart + "split = \"testing\"\n"), {"line 7", "train, validation, test"});
  ExpectIn(Refused(kStart + "vertices = 5\n"), {"line 7", "from 1000 to"});
  ExpectIn(Refused(kStart + "vertices = 2e3.5\n"), {"line 7"});
  ExpectIn(Refused("[corpus]\nname=\"x\"\n[[bodies]]\nname = \"a\"\nembedded = \"robot\"\ncount = 1\n"),
           {"line 5", "\"robot\"", "biped"});
  ExpectIn(Refused("[corpus]\nname=\"x\"\n[[bodies]]\nname = \"../a\"\nembedded = \"biped\"\n"), {"line 4", "folders"});
  ExpectIn(Refused("[corpus]\nname=\"x\"\n[[bodies]]\nname = \"a\"\nfiles = \"b\"\n"), {"'family' is missing"});
  ExpectIn(Refused(kStart + kStart.substr(kStart.find("[[bodies]]"))), {"\"a\"", "two groups"});
  ExpectIn(Refused(kStart + "[poses]\nclip_frames = 3"), {"'clips'"});
  ExpectIn(Refused(kStart + "[poses]\nwhole_clips = 3"), {"'clips'"});
  ExpectIn(Refused(kStart + "[splits]\ntest_dresses = 0"), {"line 8", "from 1 to"});
  ExpectIn(Refused(kStart + "garment_share = 2"), {"line 7"});
  ExpectIn(Refused(kStart + "[poses]\nwide = 0\nhuman = 0\nrare = 0"), {"no pose at all"});
  ExpectIn(Refused(kStart + "[poses]\npeople = [\"walk\"]"), {"CLIP=PERSON"});
  ExpectIn(Refused(kStart + "[truth]\nkind = \"guessed\""), {"simulated, procedural"});
  ExpectIn(Refused(kStart + "[splits]\ntest = 0.7\nvalidation = 0.7"), {"more than all"});
}

TEST(Recipe, RefusesMixesThatCannotBe) {
  const std::string mix = "[[bodies]]\nname = \"m\"\ncount = 3\nmix_of = ";
  ExpectIn(Refused(kStart + mix + "[\"b\"]\n"), {"\"m\"", "\"b\"", "no group above"});
  ExpectIn(Refused(kStart + mix + "[\"a\"]\nsplit = \"test\"\n"), {"never test bodies"});
  ExpectIn(Refused(kStart + mix + "[\"a\"]\n[[bodies]]\nname = \"n\"\ncount = 1\nmix_of = [\"m\"]\n"),
           {"mixes themselves"});
  const std::string other = "[[bodies]]\nname = \"b\"\nembedded = \"biped\"\nvertices = 2000\ncount = 4\n";
  ExpectIn(Refused(kStart + other + mix + "[\"a\", \"b\"]\n"), {"\"a\" and \"b\"", "topology"});
}

TEST(Recipe, EveryTruncationIsReadOrRefused) {
  const std::string text = SmallRecipe(3, "[splits]\ntest = 0.2\n");
  for (size_t size = 0; size < text.size(); ++size) {
    try {
      ParseRecipe(text.substr(0, size), "cut.toml");
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace sinew::corpus
