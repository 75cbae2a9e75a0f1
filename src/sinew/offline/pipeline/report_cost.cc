#include "sinew/offline/pipeline/report_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sinew/offline/core/json.h"
#include "sinew/offline/measure/bundle_timing.h"
#include "sinew/offline/pipeline/judged_set.h"
#include "sinew/offline/report/plot.h"

namespace sinew::pipeline {
namespace {

struct StageName {
  const char *stage, *shown;
};
constexpr StageName kStages[] = {{"networks", "networks"},
                                 {"bases", "bases"},
                                 {"upsampling", "upsampling"},
                                 {"skinning", "skinning"},
                                 {"normals", "normals"},
                                 {"frame", "whole frame"},
                                 {"skinned normals", "with skinned normals"},
                                 {"skinning only", "skinning alone"}};

// Access to the timings of a bundle, as measure::TimingsJson() stores them.
class Timings {
 public:
  explicit Timings(const Json& json) : list_(json.value("timings", Json::array())) {}

  bool empty() const { return list_.empty(); }

  std::set<int> Threads() const {
    std::set<int> threads;
    for (const Json& timing : list_) threads.insert(timing.value("threads", 1));
    return threads;
  }

  // Returns the median in microseconds; 0 if it was not timed. level 0: all levels together.
  double Median(const std::string& stage, int level, int threads, bool cold) const {
    for (const Json& timing : list_) {
      if (timing.value("stage", "") != stage || timing.value("level", -1) != level) continue;
      if (timing.value("threads", 0) != threads) continue;
      return timing.value(cold ? "cold_us" : "hot_us", Json::object()).value("median", 0.0);
    }
    return 0;
  }

 private:
  Json list_;
};

std::string LevelName(int level) { return level == 0 ? "all levels" : fmt::format("level {}", level); }

std::string Number(double microseconds) {
  if (!(microseconds > 0)) return "-";
  return microseconds < 10 ? fmt::format("{:.1f}", microseconds) : fmt::format("{:.0f}", microseconds);
}

std::string Ratio(double a, double b) { return a > 0 && b > 0 ? fmt::format("{:.2f}", a / b) : "-"; }

// Returns the levels, coarsest first, then 0 for all levels together.
std::vector<int> LevelsAndAll(const ReportedBundle& sinew) {
  std::vector<int> levels;
  for (int i = 1; i <= sinew.bundle->level_count(); ++i) levels.push_back(i);
  levels.push_back(0);
  return levels;
}

void AddStageTable(const Timings& timings, const std::vector<int>& levels, int threads, bool cold, report::Page& page) {
  std::vector<std::string> header = {""};
  std::vector<std::vector<std::string>> rows;
  rows.reserve(levels.size());
  for (const int level : levels) rows.push_back({LevelName(level)});
  for (const StageName& stage : kStages) {
    const auto median = [&](int level) { return timings.Median(stage.stage, level, threads, cold); };
    if (std::none_of(levels.begin(), levels.end(), [&](int level) { return median(level) > 0; })) continue;
    header.emplace_back(stage.shown);
    for (size_t i = 0; i < levels.size(); ++i) rows[i].push_back(Number(median(levels[i])));
  }
  page.Table(header, rows,
             {.caption = fmt::format("microseconds, {} {}, {} caches", threads, threads == 1 ? "thread" : "threads",
                                     cold ? "cold" : "warm")});
}

// Compares the time of all levels in one call with that of moving the same bytes once, and with the other
// method.
void AddFloorTable(const Timings& sinew, const Timings& other, const std::string& name, report::Page& page) {
  std::vector<std::vector<std::string>> rows;
  bool disturbed = false;
  for (const int threads : sinew.Threads()) {
    for (const bool cold : {false, true}) {
      const double frame = sinew.Median("frame", 0, threads, cold), floor = sinew.Median("floor", 0, threads, cold);
      const double theirs = other.Median("frame", 0, threads, cold);
      const double their_floor = other.Median("floor", 0, threads, cold);
      disturbed |= (frame > 0 && frame < floor) || (theirs > 0 && theirs < their_floor);
      rows.push_back({fmt::format("{} {}, {}", threads, threads == 1 ? "thread" : "threads", cold ? "cold" : "warm"),
                      Number(frame), Number(floor), Ratio(frame, floor), Number(theirs), Number(their_floor),
                      Ratio(frame, theirs)});
    }
  }
  std::vector<std::string> header = {"", "Sinew", "its memory floor", "times the floor"};
  if (other.empty()) {
    for (auto& row : rows) row.resize(header.size());
  } else {
    header.insert(header.end(), {name, "its floor", "Sinew / " + name});
  }
  page.Table(header, rows, {.caption = "microseconds, all levels in one call, positions and normals"});
  if (disturbed) {
    page.Paragraph(
        "A frame that takes less than its floor says that something else kept the machine busy while the floor was "
        "measured: time it again on a quiet one ('sinew build' with --redo timing).");
  }
}

std::string TimePlot(const Timings& sinew, const Timings& other, const std::string& name,
                     const std::vector<int>& levels) {
  report::BarPlot plot;
  plot.title = "Time of a level's frame, one thread, warm";
  plot.y_label = "microseconds";
  std::vector<double> skinning, ours, theirs;
  for (const int level : levels) {
    plot.names.push_back(level == 0 ? "all" : fmt::format("level {}", level));
    skinning.push_back(sinew.Median("skinning only", level, 1, false));
    ours.push_back(sinew.Median("frame", level, 1, false));
    theirs.push_back(other.Median("frame", level, 1, false));
  }
  plot.series = {{"skinning alone", skinning}, {"Sinew", ours}};
  if (!other.empty()) plot.series.emplace_back(name, theirs);
  plot.colors = {kLinear, kSinew, kSingle};
  return report::DrawBars(plot);
}

struct MemoryPart {
  const char* name;
  size_t measure::BundleMemory::*bytes;
};
constexpr MemoryPart kParts[] = {{"networks", &measure::BundleMemory::networks},
                                 {"bases", &measure::BundleMemory::bases},
                                 {"upsampling", &measure::BundleMemory::upsampling},
                                 {"skin", &measure::BundleMemory::skin},
                                 {"rest", &measure::BundleMemory::rest},
                                 {"normals", &measure::BundleMemory::normals},
                                 {"others", &measure::BundleMemory::others}};

std::string Kilobytes(size_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / 1e3); }

size_t CorrectiveBytes(const measure::BundleMemory& memory) {
  return memory.networks + memory.bases + memory.upsampling;
}

void AddMemoryTable(const ReportedBundle& of, const std::string& caption, report::Page& page) {
  std::vector<std::string> header = {""};
  for (const MemoryPart& part : kParts) header.emplace_back(part.name);
  header.emplace_back("together");
  std::vector<std::vector<std::string>> rows;
  for (const measure::BundleMemory& memory : measure::MemoryOf(*of.bundle)) {
    std::vector<std::string> row = {memory.level == 0 ? "whole character" : LevelName(memory.level)};
    size_t sum = 0;
    for (const MemoryPart& part : kParts) {
      row.push_back(Kilobytes(memory.*part.bytes));
      sum += memory.*part.bytes;
    }
    row.push_back(Kilobytes(sum));
    rows.push_back(std::move(row));
  }
  page.Table(header, rows, {.caption = caption});
}

}  // namespace

double FrameMicroseconds(const ReportedBundle& bundle, int level) {
  return Timings(bundle.timings).Median("frame", level, 1, false);
}

size_t CharacterBytes(const ReportedBundle& bundle) {
  size_t bytes = bundle.bytes;
  for (const runtime::format::SectionEntry& entry : bundle.bundle->sections()) {
    const bool textures = entry.type == static_cast<uint32_t>(runtime::format::SectionType::kTextures);
    if (textures) bytes -= std::min<size_t>(bytes, entry.bytes);
  }
  return bytes;
}

void AddTimes(const BuildReportInput& input, report::Page& page) {
  const Timings ours(input.sinew.timings), theirs(input.compared.timings);
  if (ours.empty()) return;
  const std::vector<int> levels = LevelsAndAll(input.sinew);
  page.FoldedSection("Time", "How long a frame takes on the machine that built this, level by level.");
  page.Paragraph(
      "Medians on the machine that built this. Warm: the same frame was computed just before; cold: after reading "
      "twice what the last-level cache holds. The memory floor is what reading and writing a frame's bytes once takes "
      "by itself, measured in the same run: no evaluation can be faster. Normals of a frame come from the deformed "
      "triangles where correctives move the surface, which is what a game gets unless it asks for skinned ones; those "
      "of skinning alone are skinned.");
  page.Plots({TimePlot(ours, theirs, input.compared_name, levels)});
  AddFloorTable(ours, theirs, input.compared_name, page);
  for (const int threads : ours.Threads()) AddStageTable(ours, levels, threads, false, page);
  AddStageTable(ours, levels, 1, true, page);
}

void AddMemory(const BuildReportInput& input, report::Page& page) {
  page.FoldedSection("Memory", "How large the file is, and what its bytes are for.");
  const ReportedBundle &sinew = input.sinew, &other = input.compared;
  const std::string& name = input.compared_name;
  const bool compared = other.bundle != nullptr;
  page.Paragraph(fmt::format(
      "The bundle has {:.2f} MB without textures{}; one is shared by any number of characters on screen.",
      static_cast<double>(CharacterBytes(sinew)) / 1e6,
      compared
          ? fmt::format(", that of the {} method {:.2f} MB", name, static_cast<double>(CharacterBytes(other)) / 1e6)
          : ""));
  report::BarPlot plot;
  plot.title = "Correctives of a level: networks, bases, upsampling";
  plot.y_label = "kilobytes";
  const auto bars = [](const ReportedBundle& of) {
    std::vector<double> values;
    for (const measure::BundleMemory& memory : measure::MemoryOf(*of.bundle)) {
      if (memory.level > 0) values.push_back(static_cast<double>(CorrectiveBytes(memory)) / 1e3);
    }
    return values;
  };
  for (int i = 1; i <= sinew.bundle->level_count(); ++i) plot.names.push_back(LevelName(i));
  plot.series = {{"Sinew", bars(sinew)}};
  if (compared) plot.series.emplace_back(name, bars(other));
  plot.colors = {kSinew, kSingle};
  page.Plots({report::DrawBars(plot)});
  AddMemoryTable(sinew, "Sinew, kilobytes", page);
  if (compared) AddMemoryTable(other, name + ", kilobytes", page);
}

}  // namespace sinew::pipeline
