#include "sinew/offline/pipeline/summary.h"

#include <gtest/gtest.h>

#include <array>

namespace sinew::pipeline {
namespace {

Json Level(int level, double skinning, double dual, double sinew) {
  const auto method = [&](double rms) {
    return Json{{"rms_mm", rms}, {"of_linear_blend", skinning > 0 ? Json(rms / skinning) : Json()}};
  };
  return {{"level", level},
          {"linear blend", method(skinning)},
          {"dual quaternion", method(dual)},
          {"sinew", method(sinew)}};
}

Json Evaluation(const Json& test, const Json& motion) {
  return {{"test", {{"frames", 5}, {"levels", test}}}, {"motion", {{"frames", 7}, {"levels", motion}}}};
}

Json Bundle() {
  Json memory = Json::array();
  for (int level = 0; level <= 2; ++level) {
    memory.push_back({{"level", level},
                      {"networks", 1000},
                      {"bases", 2000},
                      {"own_bases", 500},
                      {"upsampling", 300},
                      {"skin", 50},
                      {"rest", 7},
                      {"normals", 11},
                      {"others", 0}});
  }
  return {{"sinew", {{"bytes", 2500000}, {"memory", memory}}}};
}

Json Frames() {
  Json timings = Json::array();
  for (int level = 1; level <= 2; ++level) {
    for (const auto& [stage, time] : {std::pair("frame", 30.0), {"skinning only", 10.0}, {"dual quaternions", 20.0}}) {
      timings.push_back({{"stage", stage}, {"level", level}, {"threads", 1}, {"hot_us", {{"median", time * level}}}});
    }
  }
  return {{"sinew", {{"timings", timings}}}};
}

TEST(Summary, SaysWhatWasLeftOut) {
  const Json levels = Json::array({Level(1, 10, 9, 1), Level(2, 10, 9, 2)});
  Json bundle = Bundle();
  EXPECT_EQ(Summarize(Evaluation(levels, levels), bundle, Frames()).conclusion.find("Note"), std::string::npos);
  bundle["sinew"]["exceptions"] = {"level 2 has no correctives of its own: why"};
  const std::string told = Summarize(Evaluation(levels, levels), bundle, Frames()).conclusion;
  EXPECT_NE(told.find("level 2 has no correctives of its own"), std::string::npos) << told;
  const std::vector<std::string> sentences = {"the level of 3 points is left out: why"};
  const Summary summary = Summarize(Evaluation(levels, levels), Bundle(), Frames(), sentences);
  EXPECT_NE(summary.conclusion.find(sentences[0]), std::string::npos) << summary.conclusion;
  EXPECT_EQ(summary.json.at("left_out"), Json(sentences));
}

TEST(Summary, SaysThatACharacterThatCannotBendNeedsNoCorrectives) {
  const Json levels = Json::array({Level(1, 1e-6, 1e-6, 1e-6), Level(2, 1e-6, 1e-6, 1e-6)});
  Json evaluation = Evaluation(levels, levels);
  for (const char* set : {"test", "motion"}) evaluation[set]["exact_mm"] = 0.01;
  evaluation["test"]["trained_frames"] = 5;
  const std::string told = Summarize(evaluation, Bundle(), Frames()).conclusion;
  EXPECT_NE(told.find("nothing to correct"), std::string::npos) << told;
  EXPECT_NE(told.find("All unseen poses were trained on"), std::string::npos) << told;
}

TEST(Summary, CountsWhatALevelNeeds) {
  const Json levels = Json::array({Level(1, 10, 9, 1), Level(2, 10, 9, 2)});
  const Summary summary = Summarize(Evaluation(levels, levels), Bundle(), Frames());
  ASSERT_EQ(summary.rows.size(), 6u);
  const Json& second = summary.json.at("levels").at(1);
  EXPECT_EQ(second.at("linear blend").at("bytes"), 57);
  EXPECT_EQ(second.at("sinew").at("bytes"), 57 + 2 * 3300 - 500 + 11) << "finer levels stand on coarser ones";
  EXPECT_EQ(second.at("sinew").at("microseconds"), 60);
  EXPECT_EQ(second.at("dual quaternion").at("microseconds"), 40);
  EXPECT_NE(summary.conclusion.find("10 to 20%"), std::string::npos) << summary.conclusion;
  EXPECT_NE(summary.conclusion.find("3.0 times"), std::string::npos) << summary.conclusion;
  EXPECT_NE(summary.conclusion.find("on every level"), std::string::npos) << summary.conclusion;
  EXPECT_NE(summary.Text().find("dual quaternion"), std::string::npos);
}

TEST(Summary, SaysWhereSkinningIsAsGood) {
  const Json good = Json::array({Level(1, 10, 9, 1), Level(2, 10, 9, 2)});
  // Better than linear blend skinning and worse than dual quaternions is not better than skinning.
  const Json bad = Json::array({Level(1, 10, 8, 9), Level(2, 10, 9, 11)});
  const std::string poses = Summarize(Evaluation(bad, good), Bundle(), Json::object()).conclusion;
  EXPECT_NE(poses.find("does NOT beat skinning on unseen poses on levels 1, 2"), std::string::npos) << poses;
  EXPECT_EQ(poses.find("the unseen motion on"), std::string::npos) << poses;
  const std::string motion = Summarize(Evaluation(good, bad), Bundle(), Json::object()).conclusion;
  EXPECT_NE(motion.find("NOT beat skinning on the unseen motion on levels 1, 2"), std::string::npos) << motion;
}

TEST(Summary, NeitherWinsNorLosesWhereBothAreExact) {
  const Json lost = Json::array({Level(1, 0, 0, 0), Level(2, 0, 0, 1)});
  const Summary summary = Summarize(Evaluation(lost, lost), Bundle(), Json::object());
  EXPECT_NE(
      summary.conclusion.find("does NOT beat skinning on unseen poses on level 2 and the unseen motion on level 2"),
      std::string::npos)
      << summary.conclusion;
  const std::vector<std::string>& both = summary.rows[2];  // Sinew on level 1, then on level 2
  EXPECT_EQ(both[3], "exact");
  EXPECT_EQ(summary.rows[5][3], "-");

  // Rounding counts as exact.
  Json exact = Json::array({Level(1, 1e-4, 1, 1e-4), Level(2, 1e-5, 1, 1e-4)});
  Json evaluation = Evaluation(exact, exact);
  for (const char* set : {"test", "motion"}) evaluation[set]["exact_mm"] = 0.01;
  std::string text = Summarize(evaluation, Bundle(), Frames()).conclusion;
  EXPECT_EQ(text.find("The ground truth is that of skinning, which is already exact, and there is nothing to correct;"),
            0u)
      << text;
  EXPECT_NE(text.find("Sinew is exact, too, on every level."), std::string::npos) << text;
  EXPECT_EQ(text.find("Against the single-level method"), std::string::npos) << text;
  EXPECT_EQ(text.find('%'), std::string::npos) << text;

  // Without flesh it says why; coarser levels may have something to correct.
  evaluation["test"]["roles"] = {{"flesh", 0.0}, {"rigid", 1.0}};
  text = Summarize(evaluation, Bundle(), Frames()).conclusion;
  EXPECT_EQ(text.find("Nothing of it is flesh: skinning is already exact, and there is nothing to correct;"), 0u)
      << text;
  for (const char* set : {"test", "motion"}) evaluation[set]["levels"][0] = Level(1, 10, 9, 2);
  text = Summarize(evaluation, Bundle(), Frames()).conclusion;
  EXPECT_EQ(text.find("Nothing of it is flesh: skinning is already exact on the finest level, and there is nothing to "
                      "correct; on coarser ones Sinew leaves 20% of linear blend skinning's error on 5 unseen poses"),
            0u)
      << text;
  EXPECT_NE(text.find("on every level that they leave to correct."), std::string::npos) << text;
}

TEST(Summary, HasErrorsOverWhatIsSoftIfNotEverythingIs) {
  Json levels = Json::array({Level(1, 10, 9, 1), Level(2, 10, 9, 2)});
  const Summary soft = Summarize(Evaluation(levels, levels), Bundle(), Frames());
  EXPECT_EQ(soft.header.size(), 8u);
  EXPECT_EQ(soft.Text().find("soft"), std::string::npos) << "nothing to explain";
  for (Json& level : levels) level["soft_share"] = 0.0;
  EXPECT_EQ(Summarize(Evaluation(levels, levels), Bundle(), Frames()).header.size(), 8u) << "nothing is soft";
  levels[0]["soft_share"] = 1.0;
  levels[1]["soft_share"] = 0.25;
  levels[1]["sinew"]["soft_rms_mm"] = 4.0;
  Json evaluation = Evaluation(levels, levels);
  evaluation["test"]["roles"] = {{"flesh", 0.25}, {"rigid", 0.75}};
  const Summary summary = Summarize(evaluation, Bundle(), Frames());
  ASSERT_EQ(summary.header.size(), 10u);
  EXPECT_EQ(summary.header[3], "soft, mm");
  for (const std::vector<std::string>& row : summary.rows) ASSERT_EQ(row.size(), 10u);
  EXPECT_EQ(summary.rows[5][2], "2.000");
  EXPECT_EQ(summary.rows[5][3], "4.000");
  EXPECT_EQ(summary.rows[5][4], "0.200");
  EXPECT_EQ(summary.json.at("levels")[1].at("sinew").at("test_soft_rms_mm"), 4.0);
  EXPECT_EQ(summary.json.at("roles").at("rigid"), 0.75);
}

TEST(Summary, SaysWhichShareOfTheLayersIsInsideTheFlesh) {
  const Json levels = Json::array({Level(1, 10, 9, 1), Level(2, 10, 9, 2)});
  Json evaluation = Evaluation(levels, levels);
  EXPECT_EQ(Summarize(evaluation, Bundle(), Frames()).conclusion.find("layers"), std::string::npos);
  evaluation["test"]["layers_inside"] = {
      {"frames", 5},
      {"levels",
       {{{"level", 1}, {"points", 0}},
        {{"level", 2}, {"points", 9}, {"truth", 0.001}, {"linear blend", 0.25}, {"sinew", 0.004}}}}};
  const std::string text = Summarize(evaluation, Bundle(), Frames()).conclusion;
  EXPECT_NE(text.find("Of the layers' points that are outside the flesh at rest, 0.40% in unseen poses (truth 0.10%, "
                      "linear blend 25.00%) are inside it."),
            std::string::npos)
      << text;
}

// The single-level method beside Sinew: its error, time and memory on each of two levels, Sinew's being 2 mm, 30 us a
// level and 3357 and 6157 bytes.
std::string AgainstSingleLevel(std::array<double, 2> test, std::array<double, 2> motion, std::array<double, 2> time,
                               std::array<int, 2> bases) {
  Json evaluation = Evaluation(Json::array({Level(1, 10, 9, 2), Level(2, 10, 9, 2)}),
                               Json::array({Level(1, 10, 9, 2), Level(2, 10, 9, 2)}));
  Json bundle = Bundle(), frames = Frames();
  bundle["single-level"] = bundle.at("sinew");
  for (size_t i = 0; i < 2; ++i) {
    evaluation["test"]["levels"][i]["single-level"] = {{"rms_mm", test[i]}, {"of_linear_blend", test[i] / 10}};
    evaluation["motion"]["levels"][i]["single-level"] = {{"rms_mm", motion[i]}, {"of_linear_blend", motion[i] / 10}};
    bundle["single-level"]["memory"][i + 1]["bases"] = bases[i];
    frames["single-level"]["timings"].push_back(
        {{"stage", "frame"}, {"level", i + 1}, {"threads", 1}, {"hot_us", {{"median", time[i]}}}});
  }
  const std::string text = Summarize(evaluation, bundle, frames).conclusion;
  const size_t from = text.find("than both skinnings on every level. ");
  EXPECT_NE(from, std::string::npos) << text;
  return text.substr(from + 36);
}

TEST(Summary, SaysWhereTheSingleLevelMethodIsBetter) {
  EXPECT_EQ(AgainstSingleLevel({2, 3}, {2, 3}, {30, 60}, {9000, 9000}),
            "No level has more error, time or memory than the single-level method's.");
  EXPECT_EQ(AgainstSingleLevel({1, 3}, {3, 3}, {30, 60}, {9000, 9000}),
            "Against the single-level method it is farther from the truth in unseen poses on level 1.");
  EXPECT_EQ(AgainstSingleLevel({3, 3}, {1, 3}, {10, 20}, {9000, 9000}),
            "Against the single-level method it is farther from the truth in the unseen motion on level 1; takes more "
            "time on levels 1, 2.");
  EXPECT_EQ(AgainstSingleLevel({3, 3}, {3, 3}, {30, 50}, {9000, 3000}),
            "Against the single-level method it takes more time on level 2; needs more memory for a level by itself on "
            "level 2.");
}

TEST(Summary, SaysWhatTheSingleLevelMethodIsWhereItIsBetterOnTheFinestLevel) {
  const std::string advice = "On the finest level the single-level method is nearer to the truth";
  // Better on the coarser level alone, and by hardly anything on the finest one.
  EXPECT_EQ(AgainstSingleLevel({1, 3}, {1, 1.98}, {30, 60}, {9000, 9000}).find(advice), std::string::npos);
  const std::string poses = AgainstSingleLevel({3, 1.5}, {3, 3}, {30, 60}, {9000, 9000});
  EXPECT_NE(poses.find(advice + ": 1.50 mm instead of 2.00 mm in unseen poses. It learns correctives for each level by "
                                "itself, where Sinew's finer levels add to the coarser ones, so that each level needs "
                                "correctives of its own."),
            std::string::npos)
      << poses;
  EXPECT_NE(poses.find("try single_level.sinew; training.method=single-level ships it."), std::string::npos) << poses;
  const std::string both = AgainstSingleLevel({3, 1.5}, {3, 1}, {30, 60}, {9000, 9000});
  EXPECT_NE(
      both.find("1.50 mm instead of 2.00 mm in unseen poses and 1.00 mm instead of 2.00 mm in the unseen motion."),
      std::string::npos)
      << both;
}

TEST(Summary, SaysWhichMethodShipsAndCountsWhatItNeeds) {
  Json evaluation = Evaluation(Json::array({Level(1, 10, 9, 2), Level(2, 10, 9, 2)}),
                               Json::array({Level(1, 10, 9, 2), Level(2, 10, 9, 2)}));
  Json bundle = Bundle();
  bundle["multi-resolution"] = bundle.at("sinew");
  bundle["shipped"] = {{"method", "single-level"}, {"why", "It ships: because."}};
  for (const char* set : {"test", "motion"}) {
    for (Json& level : evaluation[set]["levels"]) level["multi-resolution"] = {{"rms_mm", 1}, {"of_linear_blend", 0.1}};
  }
  const Summary summary = Summarize(evaluation, bundle, Json::object());
  const Json& second = summary.json.at("levels").at(1);
  EXPECT_EQ(second.at("sinew").at("bytes"), 57 + 3000 + 11) << "each level stands by itself";
  EXPECT_EQ(second.at("multi-resolution").at("bytes"), 57 + 2 * 3300 - 500 + 11);
  EXPECT_EQ(summary.json.at("shipped").at("method"), "single-level");
  EXPECT_NE(summary.conclusion.find(" It ships: because. "), std::string::npos) << summary.conclusion;
  EXPECT_NE(summary.conclusion.find("Against the multi-resolution method it is farther from the truth"),
            std::string::npos)
      << summary.conclusion;
  EXPECT_EQ(summary.conclusion.find("single-level"), std::string::npos) << summary.conclusion;
}

TEST(Summary, SaysThatMorePosesWouldHelp) {
  const auto training = [](double first, double second) {
    const auto level = [](double residual, double on_kept) {
      return Json{{"residual_mm", residual}, {"training_mm", 1.0}, {"validation_mm", on_kept}};
    };
    return Json{{"levels", {level(10, first), level(3, second)}}};
  };
  const Json levels = Json::array({Level(1, 10, 9, 1), Level(2, 10, 9, 2)});
  const auto conclusion = [&](const Json& trained) {
    return Summarize(Evaluation(levels, levels), Bundle(), Frames(), {}, trained).conclusion;
  };
  for (const Json& fine : {training(1.4, 1.4), training(0.5, 1.0), Json::object()}) {
    EXPECT_EQ(conclusion(fine).find("More poses"), std::string::npos) << fine;
  }
  EXPECT_NE(conclusion(training(1.2, 1.5))
                .find("More poses would help (poses.training): on level 2 correctives leave 1.50 mm in poses that were "
                      "kept apart from training and 1.00 mm in those that were learned from"),
            std::string::npos)
      << conclusion(training(1.2, 1.5));
  EXPECT_NE(conclusion(training(1.5, 3)).find("on levels 1, 2 correctives leave 3.00 mm"), std::string::npos);
  // Beside a metre to learn, half a millimetre is nothing.
  Json large = training(1.5, 1.5);
  large["levels"][0]["residual_mm"] = 1000.0;
  EXPECT_EQ(conclusion(large).find("More poses"), std::string::npos);
}

}  // namespace
}  // namespace sinew::pipeline
