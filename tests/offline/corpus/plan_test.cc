#include "sinew/offline/corpus/plan.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/corpus/plan_dress.h"
#include "tests/support/small_recipes.h"
#include "tests/support/temporary_folder.h"

namespace sinew::corpus {
namespace {

CorpusManifest Plan(const std::string& text, const std::filesystem::path& file = "my.toml") {
  return PlanCorpus(ParseRecipe(text, file), file.string());
}

std::array<int, 3> CountSides(const CorpusManifest& manifest) {
  std::array<int, 3> count{};
  for (const CorpusBody& body : manifest.bodies) ++count[static_cast<size_t>(body.side)];
  return count;
}

TEST(Plan, DealsTheSharesOfEveryFamily) {
  EXPECT_EQ(CountSides(Plan(BipedRecipe(40))), (std::array<int, 3>{32, 4, 4}));
  EXPECT_EQ(CountSides(Plan(BipedRecipe(4))), (std::array<int, 3>{2, 1, 1})) << "at least one of each";
  EXPECT_EQ(CountSides(Plan(BipedRecipe(4, "[splits]\ntest = 0\nvalidation = 0\n"))), (std::array<int, 3>{4, 0, 0}));
  EXPECT_EQ(CountSides(Plan(BipedRecipe(4, "[splits]\ntest_families = [\"biped\"]\n"))), (std::array<int, 3>{0, 0, 4}));
  EXPECT_THROW(Plan(BipedRecipe(4, "[splits]\ntest_families = [\"robot\"]\n")), InputError);
}

TEST(Plan, KeepsSeedsAndSidesWhenGroupsAreAdded) {
  const CorpusManifest few = Plan(BipedRecipe(12));
  const CorpusManifest more =
      Plan(BipedRecipe(12, "[[bodies]]\nname = \"others\"\nembedded = \"quadruped\"\ncount = 6\n"));
  for (size_t b = 0; b < few.bodies.size(); ++b) EXPECT_EQ(few.bodies[b], more.bodies[b]);
}

TEST(Plan, MixesHaveParentsOfTheirOwnSide) {
  const CorpusManifest manifest =
      Plan(BipedRecipe(20, "[[bodies]]\nname = \"mixed\"\nmix_of = [\"bipeds\"]\ncount = 30\n"));
  int mixes = 0;
  for (const CorpusBody& body : manifest.bodies) {
    if (body.parents.empty()) continue;
    ++mixes;
    EXPECT_GE(body.parents.size(), 2u);
    EXPECT_EQ(body.parents.size(), body.shares.size());
    EXPECT_LE(body.parents.size(), 6u);
    for (const std::string& parent : body.parents) {
      EXPECT_EQ(manifest.bodies[manifest.FindBody(parent)].side, Side::kTrain);
    }
  }
  EXPECT_EQ(mixes, 30);
  EXPECT_THROW(Plan(BipedRecipe(3, "[[bodies]]\nname = \"mixed\"\nmix_of = [\"bipeds\"]\ncount = 3\n")), InputError)
      << "one training body is too few to mix";
}

TEST(Plan, ABodyAndItsGarmentAreOneIdentity) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"plain", "dressed"}) {
    std::filesystem::create_directories(folder / name);
    for (int i = 0; i < 10; ++i) {
      WriteFileAtomic(folder / name / (std::string(name) + "_00" + std::to_string(i) + ".glb"), std::string("x"));
    }
  }
  const std::string text =
      "[corpus]\nname = \"x\"\n[[bodies]]\nname = \"a\"\nfiles = \"plain\"\nfamily = \"f\"\nidentity = \"p\"\n"
      "[[bodies]]\nname = \"b\"\nfiles = \"dressed\"\nfamily = \"f\"\nidentity = \"p\"\n";
  const CorpusManifest manifest = Plan(text, folder / "my.toml");
  ASSERT_EQ(manifest.bodies.size(), 20u);
  EXPECT_EQ(manifest.bodies[3].identity, "p_003");
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(manifest.bodies[i].identity, manifest.bodies[10 + i].identity);
    EXPECT_EQ(manifest.bodies[i].side, manifest.bodies[10 + i].side);
  }
  // To force them apart is a leak.
  const std::string apart = text + "split = \"test\"\n";
  EXPECT_THROW(
      Plan("[corpus]\nname = \"x\"\n[[bodies]]\nname = \"a\"\nfiles = \"plain\"\nfamily = \"f\"\nidentity = \"p\"\n"
           "split = \"train\"\n" +
               apart.substr(apart.find("[[bodies]]\nname = \"b\"")),
           folder / "my.toml"),
      InputError);
  EXPECT_THROW(Plan("[corpus]\nname = \"x\"\n[[bodies]]\nname = \"a\"\nfiles = \"nowhere\"\nfamily = \"f\"\n"),
               InputError);
}

TEST(Plan, DressRecipesAreOnOneSideOnly) {
  const std::string text = BipedRecipe(200, "dressed = 0.7\n[splits]\nvalidation = 0.2\ntest = 0.2\n");
  const CorpusManifest manifest = Plan(text);
  std::map<int, std::set<Side>> sides;
  int naked = 0;
  for (const CorpusBody& body : manifest.bodies) {
    if (body.dress < 0) {
      ++naked;
    } else {
      sides[body.dress].insert(body.side);
    }
  }
  EXPECT_NEAR(naked, 60, 20);
  for (const auto& [number, worn_on] : sides) {
    EXPECT_EQ(worn_on.size(), 1u) << number;
    EXPECT_EQ(*worn_on.begin(), number < 16 ? Side::kTest : number < 24 ? Side::kValidation : Side::kTrain);
    EXPECT_LT(number, 16 + 8 + 80);
  }
  // More recipes to train with change none of the others.
  const CorpusManifest more = Plan(text + "train_dresses = 1000\n");
  for (size_t b = 0; b < manifest.bodies.size(); ++b) {
    if (manifest.bodies[b].side == Side::kTrain) continue;
    EXPECT_EQ(more.bodies[b].dress, manifest.bodies[b].dress);
  }
  const Recipe recipe = ParseRecipe(text, "my.toml");
  EXPECT_EQ(DressOf(recipe, 3).garments[0].thickness, DressOf(recipe, 3).garments[0].thickness);
  EXPECT_NE(DressOf(recipe, 3).garments[0].thickness, DressOf(recipe, 4).garments[0].thickness);
}

TEST(Plan, GarmentsGoToTheBodiesThatTheyWereMadeFor) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "bodies");
  std::filesystem::create_directories(folder / "garments");
  const auto write = [&](const char* name) { WriteFileAtomic(folder / name, std::string(name)); };
  for (const char* name : {"bodies/b_000.glb", "bodies/b_001.glb", "bodies/b_002.glb", "garments/skirt_000.glb",
                           "garments/suit_000.glb", "garments/skirt_001.glb", "any.glb"}) {
    write(name);
  }
  const std::string start = "[corpus]\nname = \"x\"\n[[bodies]]\nname = \"b\"\nfiles = \"bodies\"\nfamily = \"f\"\n";
  const auto plan = [&](const std::string& more) { return Plan(start + more, folder / "my.toml"); };
  const CorpusManifest manifest = plan("garments = [\"garments\", \"any.glb\"]\ndressed = 1\n");
  EXPECT_TRUE(manifest.bodies[0].garment == "skirt_000.glb" || manifest.bodies[0].garment == "suit_000.glb");
  EXPECT_EQ(manifest.bodies[1].garment, "skirt_001.glb");
  EXPECT_EQ(manifest.bodies[2].garment, "any.glb") << "those with numbers were made for others";
  for (const CorpusBody& body : manifest.bodies) EXPECT_EQ(body.dress, -1) << "one or the other";
  const Recipe recipe = ParseRecipe(start + "garments = [\"garments\", \"any.glb\"]\n", folder / "my.toml");
  EXPECT_EQ(GarmentFile(recipe, manifest.bodies[1]), folder / "garments" / "skirt_001.glb");
  EXPECT_EQ(GarmentFile(recipe, manifest.bodies[2]), folder / "any.glb");
  for (const CorpusBody& body : plan("garments = [\"any.glb\"]\ngarment_share = 0\ndressed = 1\n").bodies) {
    EXPECT_EQ(body.garment, "");
    EXPECT_GE(body.dress, 0);
  }
  EXPECT_THROW(plan("garments = [\"garments\"]\n"), InputError) << "none for body 2";
  EXPECT_THROW(plan("garments = [\"nothing.glb\"]\n"), InputError);
  EXPECT_THROW(plan("garments = [\"nowhere\"]\n"), InputError);
  EXPECT_THROW(plan("garments = [\"any.glb\", \"any.glb\"]\n"), InputError);
}

TEST(Plan, ClipsFollowTheirPeople) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "clips");
  for (const char* name : {"02_01", "02_02", "07_01", "walk"}) {
    WriteFileAtomic(folder / "clips" / (std::string(name) + ".bvh"), std::string(name));
  }
  const std::string start =
      "[corpus]\nname = \"x\"\n[[bodies]]\nname = \"a\"\nembedded = \"biped\"\ncount = 5\n"
      "[poses]\nclips = \"clips\"\npeople = [\"walk=09\"]\n[splits]\n";
  const CorpusManifest manifest =
      Plan(start + "validation_people = [\"02\"]\ntest_people = [\"09\"]\n", folder / "r.toml");
  std::map<std::string, Side> sides;
  for (const CorpusClip& clip : manifest.clips) sides[clip.name] = clip.side;
  EXPECT_EQ(sides.at("02_01.bvh"), Side::kValidation);
  EXPECT_EQ(sides.at("02_02.bvh"), Side::kValidation);
  EXPECT_EQ(sides.at("07_01.bvh"), Side::kTrain);
  EXPECT_EQ(sides.at("walk.bvh"), Side::kTest);
  EXPECT_THROW(Plan(start + "test_people = [\"07\"]\n", folder / "r.toml"), InputError) << "07 made the statistics";
  EXPECT_THROW(Plan(start + "test_people = [\"99\"]\n", folder / "r.toml"), InputError) << "no clip of 99";
}

}  // namespace
}  // namespace sinew::corpus
