#include "sinew/offline/pipeline/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/pipeline/advice.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/method_choice.h"
#include "sinew/offline/pipeline/times.h"

namespace sinew::pipeline {
namespace {

constexpr const char* kSoftColumn = "soft, mm";

constexpr std::string_view kWholeFrame = "frame";

struct MethodName {
  const char* key;     // its key in evaluation.json
  const char* bundle;  // key in bundle.json of the bundle whose times and memory count
  const char* stage;   // name of the timed stage
};
constexpr MethodName kMethods[] = {{"linear blend", "sinew", "skinning only"},
                                   {"dual quaternion", "sinew", "dual quaternions"},
                                   {"sinew", "sinew", "frame"},
                                   {evaluate::kSingleLevel, "single-level", "frame"},
                                   {evaluate::kMultiResolution, "multi-resolution", "frame"}};

// Returns the median time on one thread with warm caches, microseconds; 0 if it was not timed.
double MicrosecondsOf(const Json& frames, const MethodName& method, int level) {
  const Json measured = frames.value(method.bundle, Json::object());
  for (const Json& timing : measured.value("timings", Json::array())) {
    if (timing.at("stage") == method.stage && timing.at("level") == level && timing.at("threads") == 1) {
      return timing.at("hot_us").at("median");
    }
  }
  return 0;
}

// Whether levels of what ships, for which "sinew" stands, do not build on coarser ones.
bool ShipsLevelsAlone(const Json& bundle) {
  const std::string method = bundle.value("shipped", Json::object()).value("method", "");
  return method == kMethodSingleLevel || method == kMethodBlendShape;
}

// Returns the bytes that one level needs at run time.
size_t BytesOf(const Json& bundle, const MethodName& method, int level) {
  const std::string_view name = method.key;
  const Json& memory = bundle.at(method.bundle).at("memory");
  size_t bytes = 0;
  for (const Json& entry : memory) {
    if (entry.at("level") == level) bytes += entry.at("skin").get<size_t>() + entry.at("rest").get<size_t>();
  }
  if (method.stage != kWholeFrame) return bytes;
  const bool single = name == evaluate::kSingleLevel || (name == evaluate::kSinew && ShipsLevelsAlone(bundle));
  const size_t correctives = CorrectiveBytes(memory, level, !single);
  // Levels with correctives take normals from the triangles, for which they have tables.
  for (const Json& entry : memory) {
    if (correctives > 0 && entry.at("level") == level) bytes += entry.at("normals").get<size_t>();
  }
  return bytes + correctives;
}

// Errors up to this many millimetres count as none.
double ExactMm(const Json& set) { return set.value("exact_mm", 0.0); }

double RmsOf(const Json& level, const char* method) { return level.at(method).at("rms_mm"); }

// Whether linear blend skinning is exact on a level of the set.
bool IsExact(const Json& set, const Json& level) { return RmsOf(level, "linear blend") <= ExactMm(set); }

// Describes the range over the levels of Sinew's error as a share of linear blend skinning's, where that is not exact.
std::string Shares(const Json& set) {
  std::vector<long> percents;
  for (const Json& level : set.at("levels")) {
    if (IsExact(set, level)) continue;
    percents.push_back(std::lround(100 * RmsOf(level, "sinew") / RmsOf(level, "linear blend")));
  }
  if (percents.empty()) return "nothing";
  const auto [low, high] = std::minmax_element(percents.begin(), percents.end());
  return *low == *high ? fmt::format("{}%", *low) : fmt::format("{} to {}%", *low, *high);
}

// Returns the levels on which Sinew is neither exact nor nearer to the ground truth than the better one of both
// skinnings.
std::vector<int> LostLevels(const Json& set) {
  std::vector<int> lost;
  for (const Json& level : set.at("levels")) {
    const double skinning = std::min(RmsOf(level, "linear blend"), RmsOf(level, "dual quaternion"));
    const double sinew = RmsOf(level, "sinew");
    if (sinew > ExactMm(set) && !(sinew < kBetter * skinning)) lost.push_back(level.at("level"));
  }
  return lost;
}

std::string OnLevels(const std::vector<int>& levels) {
  return fmt::format("on {} {}", levels.size() == 1 ? "level" : "levels", fmt::join(levels, ", "));
}

// Returns the name of the method that is compared with; empty if none is.
std::string OtherMethod(const Json& levels) {
  for (const char* name : {evaluate::kSingleLevel, evaluate::kMultiResolution}) {
    if (!levels.empty() && levels.back().contains(name)) return name;
  }
  return "";
}

// Names the levels on which Sinew has more of a quantity than the other method, beyond the tolerance kBetter. Also
// empty if one of both has not been measured.
std::string WhereMore(const Json& levels, const std::string& other, const char* of) {
  std::vector<int> more;
  for (const Json& level : levels) {
    const double ours = level.at("sinew").value(of, 0.0), theirs = level.at(other).value(of, 0.0);
    const bool exact = std::string_view(of).ends_with("_mm") && ours <= level.at("exact_mm").get<double>();
    if (theirs > 0 && kBetter * ours > theirs && !exact) more.push_back(level.at("level"));
  }
  return more.empty() ? "" : OnLevels(more);
}

// Describes where Sinew costs more than the other method, or that it does nowhere.
std::string AgainstOther(const Json& levels) {
  const std::string other = OtherMethod(levels);
  if (other.empty()) return "";
  constexpr std::pair<const char*, const char*> kCosts[] = {
      {"test_rms_mm", "is farther from the truth in unseen poses"},
      {"motion_rms_mm", "is farther from the truth in the unseen motion"},
      {"microseconds", "takes more time"},
      {"bytes", "needs more memory for a level by itself"}};
  std::string text;
  for (const auto& [of, what] : kCosts) {
    const std::string where = WhereMore(levels, other, of);
    if (!where.empty()) text += fmt::format("{} {} {}", text.empty() ? "" : ";", what, where);
  }
  if (text.empty()) return fmt::format(" No level has more error, time or memory than the {} method's.", other);
  return fmt::format(" Against the {} method it{}.", other, text);
}

// Describes what the frames that were judged by cannot prove; empty if nothing is wrong with them.
std::string WhatProvesNothing(const Json& evaluation) {
  std::string text;
  for (const auto& [key, name] : {std::pair("test", "unseen poses"), std::pair("motion", "frames of the motion")}) {
    if (evaluation.at(key).value("trained_frames", 0) > 0) {
      text += fmt::format(" All {} were trained on, too, since the character has no others: they prove nothing.", name);
    }
  }
  return text;
}

// Calls use(set, name) for the two sets of unseen frames.
template <typename Use>
void ForSets(const Json& evaluation, const Use& use) {
  use(evaluation.at("test"), "unseen poses");
  use(evaluation.at("motion"), "the unseen motion");
}

// Counts the levels of both sets on which linear blend skinning is exact, and asks whether the finest ones are.
struct ExactLevels {
  size_t count = 0, all = 0;
  bool finest = true;
};
ExactLevels FindExact(const Json& evaluation) {
  ExactLevels exact;
  ForSets(evaluation, [&](const Json& set, const char*) {
    for (const Json& level : set.at("levels")) exact.count += IsExact(set, level) ? 1 : 0;
    exact.all += set.at("levels").size();
    exact.finest = exact.finest && IsExact(set, set.at("levels").back());
  });
  return exact;
}

// Describes what Sinew leaves of skinning's error, or that skinning leaves nothing to correct.
std::string WhatIsLeft(const Json& evaluation, const ExactLevels& exact) {
  const Json &test = evaluation.at("test"), &motion = evaluation.at("motion");
  std::string left = fmt::format(
      "Sinew leaves {} of linear blend skinning's error on {} unseen poses and {} on {} frames of an unseen motion",
      Shares(test), test.at("frames").get<int>(), Shares(motion), motion.at("frames").get<int>());
  if (!exact.finest) return left;
  const bool fleshless = test.contains("roles") && test.at("roles").value("flesh", 1.0) == 0;
  const std::string start = fleshless ? "Nothing of it is flesh: skinning is already exact"
                                      : "The ground truth is that of skinning, which is already exact";
  if (exact.count == exact.all) return start + ", and there is nothing to correct";
  return start + " on the finest level, and there is nothing to correct; on coarser ones " + left;
}

// Describes which share of the layers' points is inside the flesh on the finest level, if there are layers.
std::string LayersInside(const Json& evaluation) {
  std::string text;
  ForSets(evaluation, [&](const Json& set, const char* name) {
    if (!set.contains("layers_inside")) return;
    const Json& finest = set.at("layers_inside").at("levels").back();
    if (!finest.contains("sinew")) return;
    const auto percent = [&](const char* method) { return 100 * finest.at(method).get<double>(); };
    text += fmt::format("{} {:.2f}% in {} (truth {:.2f}%, linear blend {:.2f}%)", text.empty() ? "" : " and",
                        percent("sinew"), name, percent("truth"), percent("linear blend"));
  });
  return text.empty()
             ? ""
             : fmt::format(" Of the layers' points that are outside the flesh at rest,{} are inside it.", text);
}

// Describes where Sinew is nearer to the ground truth than both skinnings, and where it is not.
std::string AgainstSkinning(const Json& evaluation, const ExactLevels& exact) {
  std::string lost;
  ForSets(evaluation, [&](const Json& set, const char* name) {
    const std::vector<int> on = LostLevels(set);
    if (!on.empty()) lost += fmt::format("{} {} {}", lost.empty() ? "" : " and", name, OnLevels(on));
  });
  if (!lost.empty()) {
    return fmt::format(
        " It does NOT beat skinning on{}: skin there, or train on more or likelier poses "
        "(poses.training, poses.learn_from).",
        lost);
  }
  if (exact.count == exact.all) {
    return " Sinew is exact, too, on every level. Plain skinning of its levels of detail is all that it needs.";
  }
  return exact.count == 0 ? " It is nearer to the truth than both skinnings on every level."
                          : " It is nearer to the truth than both skinnings on every level that they leave to correct.";
}

std::string Conclude(const Json& evaluation, const Json& bundle, const Json& levels, const Json& training) {
  const ExactLevels exact = FindExact(evaluation);
  std::string text = WhatIsLeft(evaluation, exact);
  const double skinning = levels.back().at("linear blend").value("microseconds", 0.0);
  const double sinew = levels.back().at("sinew").value("microseconds", 0.0);
  if (skinning > 0)
    text += fmt::format(
        "; Sinew's finest level takes {:.1f} times skinning's time, normals from the deformed triangles included",
        sinew / skinning);
  text += fmt::format(", and the bundle has {:.2f} MB", bundle.at("sinew").at("bytes").get<double>() / 1e6);
  if (const std::string other = OtherMethod(levels); !other.empty()) {
    text += fmt::format(" where the {} method has {:.2f}", other, bundle.at(other).at("bytes").get<double>() / 1e6);
  }
  text += ".";
  if (evaluation.contains("truths")) text += fmt::format(" {}", evaluation.at("truths").get<std::string>());
  if (bundle.contains("shipped")) text += fmt::format(" {}", bundle.at("shipped").at("why").get<std::string>());
  // A character with nothing to correct is not compared with the other method.
  const std::string against = exact.count == exact.all ? "" : AgainstOther(levels);
  for (const std::string& more :
       {AgainstSkinning(evaluation, exact), against, LayersInside(evaluation), WhatProvesNothing(evaluation)}) {
    text += more;
  }
  const std::string single = exact.count == exact.all ? "" : AdviseSingleLevel(levels);
  for (const std::string& advice : {single, AdviseMorePoses(training)}) {
    if (!advice.empty()) text += fmt::format(" {}", advice);
  }
  for (const Json& sentence : bundle.at("sinew").value("exceptions", Json::array())) {
    text += fmt::format(" Note: {}.", sentence.get<std::string>());
  }
  return text;
}

Json LevelOf(const Json& evaluation, const Json& bundle, const Json& frames, int level) {
  const Json& test = evaluation.at("test").at("levels").at(level - 1);
  const Json& motion = evaluation.at("motion").at("levels").at(level - 1);
  Json out = {
      {"level", level}, {"exact_mm", ExactMm(evaluation.at("test"))}, {"soft_share", test.value("soft_share", 1.0)}};
  for (const MethodName& method : kMethods) {
    if (!test.contains(method.key)) continue;
    Json& to = out[method.key] = {{"bytes", BytesOf(bundle, method, level)}};
    for (const auto& [name, from] : {std::pair("test", &test.at(method.key)), {"motion", &motion.at(method.key)}}) {
      to[fmt::format("{}_rms_mm", name)] = from->at("rms_mm");
      to[fmt::format("{}_share", name)] = from->at("of_linear_blend");
      to[fmt::format("{}_soft_rms_mm", name)] = from->value("soft_rms_mm", from->at("rms_mm").get<double>());
    }
    if (const double time = MicrosecondsOf(frames, method, level); time > 0) out[method.key]["microseconds"] = time;
  }
  return out;
}

std::vector<std::string> RowOf(const Json& level, const MethodName& method, bool soft) {
  const Json& m = level.at(method.key);
  const double time = m.value("microseconds", 0.0);
  const auto number = [](const Json& value) { return fmt::format("{:.3f}", value.get<double>()); };
  const bool first = std::string_view(method.key) == kMethods[0].key;
  std::vector<std::string> row = {first ? std::to_string(level.at("level").get<int>()) : "", method.key};
  for (const std::string set : {"test", "motion"}) {
    const Json &rms = m.at(set + "_rms_mm"), &share = m.at(set + "_share");
    row.push_back(number(rms));
    if (soft) row.push_back(level.at("soft_share") > 0.0 ? number(m.at(set + "_soft_rms_mm")) : "-");
    row.push_back(!share.is_null() ? number(share) : rms <= level.at("exact_mm") ? "exact" : "-");
  }
  row.push_back(time > 0 ? fmt::format("{:.0f}", time) : "-");
  row.push_back(fmt::format("{:.3f}", m.at("bytes").get<double>() / 1e6));
  return row;
}

}  // namespace

std::string Summary::Text() const {
  std::string text;
  const auto line = [&](const std::vector<std::string>& cells) {
    text += fmt::format("{:>5}  {:<16}", cells[0], cells[1]);
    for (size_t c = 2; c < cells.size(); ++c) text += fmt::format("{:>13}", cells[c]);
    text += '\n';
  };
  line(header);
  for (const std::vector<std::string>& row : rows) line(row);
  const bool soft = std::find(header.begin(), header.end(), kSoftColumn) != header.end();
  return text + "mm: root mean square over the surface and all frames, against the truth" +
         (soft ? "; soft: over the points that are not\nrigid; " : "; ") +
         "share: of linear blend skinning's\n"
         "us: positions and normals of that level on one thread, warm caches, median; normals of correctives come "
         "from\n"
         "the deformed triangles, those of skinning are skinned; MB: what that level needs\n\n" +
         conclusion + "\n";
}

Summary Summarize(const Json& evaluation, const Json& bundle, const Json& frames,
                  const std::vector<std::string>& left_out, const Json& training) {
  Summary summary;
  Json levels = Json::array();
  for (size_t i = 1; i <= evaluation.at("test").at("levels").size(); ++i) {
    levels.push_back(LevelOf(evaluation, bundle, frames, static_cast<int>(i)));
  }
  // Errors over what is soft say something of their own only where something is and something is not.
  const auto any = [&](const auto& test) { return std::any_of(levels.begin(), levels.end(), test); };
  const bool soft = any([](const Json& level) { return level.at("soft_share") > 0.0; }) &&
                    any([](const Json& level) { return level.at("soft_share") < 1.0; });
  summary.header = {"level", "method"};
  for (const std::string set : {"poses", "motion"}) {
    summary.header.push_back(set + ", mm");
    if (soft) summary.header.emplace_back(kSoftColumn);
    summary.header.emplace_back("share");
  }
  summary.header.insert(summary.header.end(), {"time, us", "memory, MB"});
  for (const Json& level : levels) {
    for (const MethodName& method : kMethods) {
      if (level.contains(method.key)) summary.rows.push_back(RowOf(level, method, soft));
    }
  }
  summary.conclusion = Conclude(evaluation, bundle, levels, training);
  for (const std::string& sentence : left_out) summary.conclusion += fmt::format(" Note: {}.", sentence);
  summary.json = {{"levels", std::move(levels)}, {"conclusion", summary.conclusion}};
  if (bundle.contains("shipped")) summary.json["shipped"] = bundle.at("shipped");
  if (evaluation.at("test").contains("roles")) summary.json["roles"] = evaluation.at("test").at("roles");
  if (!left_out.empty()) summary.json["left_out"] = left_out;
  return summary;
}

Summary ReadSummary(const std::filesystem::path& folder) {
  const auto read = [&](const char* name) { return ParseJson(ReadTextFile(folder / name), name); };
  const Times times(folder / kTimes);
  const Json* frames = times.Find("measured", "frames");
  const std::filesystem::path left_out = std::filesystem::path(kLevels) / kLeftOutLevels;
  const std::filesystem::path training = std::filesystem::path(kDeformer) / "training.json";
  return Summarize(read(kEvaluation), read(kBundleFacts), frames == nullptr ? Json::object() : *frames,
                   std::filesystem::is_regular_file(folder / left_out)
                       ? read(left_out.c_str()).get<std::vector<std::string>>()
                       : std::vector<std::string>(),
                   read(training.c_str()));
}

}  // namespace sinew::pipeline
