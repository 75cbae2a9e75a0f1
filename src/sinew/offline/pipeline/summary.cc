#include "sinew/offline/pipeline/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/times.h"

namespace sinew::pipeline {
namespace {

// A value counts as smaller only if it is below this share of the other one; smaller differences are ignored.
constexpr double kBetter = 0.98;

struct MethodName {
  const char* key;     // its key in evaluation.json
  const char* bundle;  // key in bundle.json of the bundle whose times and memory count
  const char* stage;   // name of the timed stage
};
constexpr MethodName kMethods[] = {{"linear blend", "sinew", "skinning only"},
                                   {"dual quaternion", "sinew", "dual quaternions"},
                                   {"sinew", "sinew", "frame"},
                                   {"single-level", "single-level", "frame"}};

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

// Returns the bytes that one level needs at run time. A level of Sinew also needs the correctives of the coarser
// levels, a level of the single-level method does not.
size_t BytesOf(const Json& bundle, const MethodName& method, int level) {
  const std::string name = method.key;
  size_t bytes = 0;
  for (const Json& memory : bundle.at(method.bundle).at("memory")) {
    const int at = memory.at("level");
    const auto size = [&](const char* what) { return memory.at(what).get<size_t>(); };
    if (at == level) bytes += size("skin") + size("rest");
    const bool needed = name == "sinew" ? at >= 1 && at <= level : name == "single-level" && at == level;
    if (needed) bytes += size("networks") + size("bases");
    if (needed && name == "sinew") bytes += size("upsampling");
    if (needed && at < level) bytes -= size("own_bases");
  }
  return bytes;
}

// Describes the range over the levels of Sinew's error as a share of linear blend skinning's, where that is not 0.
std::string Shares(const Json& set) {
  std::vector<long> percents;
  for (const Json& level : set.at("levels")) {
    const double linear = level.at("linear blend").at("rms_mm"), sinew = level.at("sinew").at("rms_mm");
    if (linear > 0) percents.push_back(std::lround(100 * sinew / linear));
  }
  if (percents.empty()) return "more than all";
  const auto [low, high] = std::minmax_element(percents.begin(), percents.end());
  return *low == *high ? fmt::format("{}%", *low) : fmt::format("{} to {}%", *low, *high);
}

// Returns the levels on which Sinew is no nearer to the ground truth than the better one of both skinnings.
std::vector<int> LostLevels(const Json& set) {
  std::vector<int> lost;
  for (const Json& level : set.at("levels")) {
    const double skinning = std::min(level.at("linear blend").at("rms_mm").get<double>(),
                                     level.at("dual quaternion").at("rms_mm").get<double>());
    if (!(level.at("sinew").at("rms_mm").get<double>() < kBetter * skinning)) lost.push_back(level.at("level"));
  }
  return lost;
}

std::string OnLevels(const std::vector<int>& levels) {
  return fmt::format("on {} {}", levels.size() == 1 ? "level" : "levels", fmt::join(levels, ", "));
}

// Names the levels on which Sinew has more of a quantity than the single-level method, beyond the tolerance kBetter.
// Also empty if one of both has not been measured.
std::string WhereMore(const Json& levels, const char* of) {
  std::vector<int> more;
  for (const Json& level : levels) {
    if (!level.contains("single-level")) continue;
    const double ours = level.at("sinew").value(of, 0.0), theirs = level.at("single-level").value(of, 0.0);
    if (theirs > 0 && kBetter * ours > theirs) more.push_back(level.at("level"));
  }
  return more.empty() ? "" : OnLevels(more);
}

// Describes where Sinew costs more than the single-level method because levels build on coarser ones, or that it does
// nowhere.
std::string AgainstSingleLevel(const Json& levels) {
  if (levels.empty() || !levels.back().contains("single-level")) return "";
  constexpr std::pair<const char*, const char*> kCosts[] = {
      {"test_rms_mm", "is farther from the truth in unseen poses"},
      {"motion_rms_mm", "is farther from the truth in the unseen motion"},
      {"microseconds", "takes more time"},
      {"bytes", "needs more memory for a level by itself"}};
  std::string text;
  for (const auto& [of, what] : kCosts) {
    const std::string where = WhereMore(levels, of);
    if (!where.empty()) text += fmt::format("{} {} {}", text.empty() ? "" : ";", what, where);
  }
  if (text.empty()) return " No level has more error, time or memory than the single-level method's.";
  return fmt::format(" Against the single-level method it{}.", text);
}

std::string Conclude(const Json& evaluation, const Json& bundle, const Json& levels) {
  std::string text = fmt::format(
      "Sinew leaves {} of linear blend skinning's error on {} unseen poses and {} on {} frames of an unseen motion",
      Shares(evaluation.at("test")), evaluation.at("test").at("frames").get<int>(), Shares(evaluation.at("motion")),
      evaluation.at("motion").at("frames").get<int>());
  const double skinning = levels.back().at("linear blend").value("microseconds", 0.0);
  const double sinew = levels.back().at("sinew").value("microseconds", 0.0);
  if (skinning > 0) text += fmt::format("; its finest level takes {:.1f} times skinning's time", sinew / skinning);
  text += fmt::format(", and the bundle has {:.2f} MB", bundle.at("sinew").at("bytes").get<double>() / 1e6);
  if (bundle.contains("single-level")) {
    text += fmt::format(" where the single-level method has {:.2f}",
                        bundle.at("single-level").at("bytes").get<double>() / 1e6);
  }
  text += ".";
  std::string lost;
  for (const auto& [key, name] : {std::pair("test", "unseen poses"), std::pair("motion", "the unseen motion")}) {
    const std::vector<int> on = LostLevels(evaluation.at(key));
    if (on.empty()) continue;
    lost += fmt::format("{} {} {}", lost.empty() ? "" : " and", name, OnLevels(on));
  }
  if (lost.empty()) {
    text += " It is nearer to the truth than both skinnings on every level.";
  } else {
    text += fmt::format(
        " It does NOT beat skinning on{}: skin there, or train on more or likelier poses "
        "(poses.training, poses.learn_from).",
        lost);
  }
  return text + AgainstSingleLevel(levels);
}

Json LevelOf(const Json& evaluation, const Json& bundle, const Json& frames, int level) {
  const Json& test = evaluation.at("test").at("levels").at(level - 1);
  const Json& motion = evaluation.at("motion").at("levels").at(level - 1);
  Json out = {{"level", level}};
  for (const MethodName& method : kMethods) {
    if (!test.contains(method.key)) continue;
    out[method.key] = {{"test_rms_mm", test.at(method.key).at("rms_mm")},
                       {"test_share", test.at(method.key).at("of_linear_blend")},
                       {"motion_rms_mm", motion.at(method.key).at("rms_mm")},
                       {"motion_share", motion.at(method.key).at("of_linear_blend")},
                       {"bytes", BytesOf(bundle, method, level)}};
    if (const double time = MicrosecondsOf(frames, method, level); time > 0) out[method.key]["microseconds"] = time;
  }
  return out;
}

std::vector<std::string> RowOf(const Json& level, const MethodName& method) {
  const Json& m = level.at(method.key);
  const double time = m.value("microseconds", 0.0);
  const auto number = [&](const char* key, int digits) {
    return fmt::format("{:.{}f}", m.at(key).get<double>(), digits);
  };
  const bool first = std::string_view(method.key) == kMethods[0].key;
  return {first ? std::to_string(level.at("level").get<int>()) : "",
          method.key,
          number("test_rms_mm", 3),
          number("test_share", 3),
          number("motion_rms_mm", 3),
          number("motion_share", 3),
          time > 0 ? fmt::format("{:.0f}", time) : "-",
          fmt::format("{:.3f}", m.at("bytes").get<double>() / 1e6)};
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
  return text +
         "mm: root mean square over all points and frames, against the truth; share: of linear blend skinning's\n"
         "us: positions and normals of that level on one thread, warm caches, median; MB: what that level needs\n\n" +
         conclusion + "\n";
}

Summary Summarize(const Json& evaluation, const Json& bundle, const Json& frames) {
  Summary summary;
  Json levels = Json::array();
  for (size_t i = 1; i <= evaluation.at("test").at("levels").size(); ++i) {
    levels.push_back(LevelOf(evaluation, bundle, frames, static_cast<int>(i)));
  }
  summary.header = {"level", "method", "poses, mm", "share", "motion, mm", "share", "time, us", "memory, MB"};
  for (const Json& level : levels) {
    for (const MethodName& method : kMethods) {
      if (level.contains(method.key)) summary.rows.push_back(RowOf(level, method));
    }
  }
  summary.conclusion = Conclude(evaluation, bundle, levels);
  summary.json = {{"levels", std::move(levels)}, {"conclusion", summary.conclusion}};
  return summary;
}

Summary ReadSummary(const std::filesystem::path& folder) {
  const auto read = [&](const char* name) { return ParseJson(ReadTextFile(folder / name), name); };
  const Times times(folder / kTimes);
  const Json* frames = times.Find("measured", "frames");
  return Summarize(read(kEvaluation), read(kBundleFacts), frames == nullptr ? Json::object() : *frames);
}

}  // namespace sinew::pipeline
