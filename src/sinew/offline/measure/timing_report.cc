#include "sinew/offline/measure/timing_report.h"

#include <fmt/format.h>

#include <set>

#include "sinew/offline/core/random.h"

namespace sinew::measure {
namespace {

Json ToJson(const Microseconds& m) { return {{"median", m.median}, {"p99", m.p99}, {"fastest", m.fastest}}; }

const char* const kStages[] = {"networks", "bases", "upsampling",      "skinning",
                               "normals",  "frame", "skinned normals", "skinning only"};

std::string ThreadsText(int threads) { return fmt::format("{} {}", threads, threads == 1 ? "thread" : "threads"); }

std::string Cell(const Timing* timing, bool cold) {
  if (timing == nullptr) return fmt::format("{:>16}", "");
  const Microseconds& m = cold ? timing->cold : timing->hot;
  return fmt::format("{:>8.1f}{:>8}", m.median, fmt::format("({:.0f})", m.p99));
}

std::string Table(const BundleTimings& t, int threads, bool cold) {
  std::string out = fmt::format("{}, {}: microseconds, median (99th percentile)\n{:>6}", ThreadsText(threads),
                                cold ? "cold" : "hot", "level");
  for (const char* stage : kStages) out += fmt::format("{:>16}", stage);
  out += '\n';
  for (size_t i = 1; i <= t.memory.size(); ++i) {
    const int level = i == t.memory.size() ? 0 : static_cast<int>(i);
    out += fmt::format("{:>6}", level == 0 ? "all" : std::to_string(level));
    for (const char* stage : kStages) out += Cell(t.Find(stage, level, threads), cold);
    out += '\n';
  }
  const auto all = [&](const char* stage) -> const Microseconds& {
    const Timing* timing = t.Find(stage, 0, threads);
    return cold ? timing->cold : timing->hot;
  };
  const Microseconds &floor = all("floor"), &frame = all("frame"), &skinned = all("skinned normals");
  return out +
         fmt::format(
             "memory floor of all levels {:.1f} ({:.0f}): the frame takes {:.2f} times that (fastest runs {:.2f}), and "
             "{:.2f} times\nwhat it takes with skinned normals (fastest runs {:.2f})\n",
             floor.median, floor.p99, frame.median / floor.median, frame.fastest / floor.fastest,
             frame.median / skinned.median, frame.fastest / skinned.fastest);
}

// The states of the caches that were timed: whether they were cold.
std::vector<bool> CachesOf(const BundleTimings& t) {
  const bool cold = !t.timings.empty() && t.timings.front().cold.fastest > 0;
  return cold ? std::vector<bool>{false, true} : std::vector<bool>{false};
}

std::set<int> ThreadsOf(const BundleTimings& t) {
  std::set<int> threads;
  for (const Timing& timing : t.timings) threads.insert(timing.threads);
  return threads;
}

}  // namespace

std::vector<Pose> PosesToTime(const runtime::Bundle& bundle, int count, uint64_t seed) {
  std::vector<Pose> poses;
  for (int i = 0; i < count; ++i) {
    Random random(seed, static_cast<uint64_t>(i));
    Pose pose(bundle.rest_pose().begin(), bundle.rest_pose().end());
    for (Transform& joint : pose) {
      const Eigen::Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
      const Eigen::AngleAxisd turn(random.Uniform(0, 0.5), axis.normalized());
      joint.rotation =
          ToQuaternion(ToEigen(joint.rotation) * Eigen::Quaternionf(Eigen::Quaterniond(turn).cast<float>()));
    }
    poses.push_back(pose);
  }
  return poses;
}

Json TimingsJson(const BundleTimings& t) {
  Json json = {{"read_bytes", t.read_bytes}, {"written_bytes", t.written_bytes}, {"timings", Json::array()}};
  for (const Timing& timing : t.timings) {
    Json entry = {
        {"stage", timing.stage}, {"level", timing.level}, {"threads", timing.threads}, {"hot_us", ToJson(timing.hot)}};
    if (timing.cold.fastest > 0) entry["cold_us"] = ToJson(timing.cold);
    json["timings"].push_back(std::move(entry));
  }
  json["memory"] = Json::array();
  for (const BundleMemory& m : t.memory) {
    json["memory"].push_back({{"level", m.level},
                              {"networks", m.networks},
                              {"bases", m.bases},
                              {"own_bases", m.own_bases},
                              {"upsampling", m.upsampling},
                              {"skin", m.skin},
                              {"rest", m.rest},
                              {"normals", m.normals},
                              {"others", m.others}});
  }
  return json;
}

std::string TrafficText(const BundleTimings& t) {
  return fmt::format("a frame of all levels reads {:.2f} MB and writes {:.2f} MB\n",
                     static_cast<double>(t.read_bytes) / 1e6, static_cast<double>(t.written_bytes) / 1e6);
}

std::string TimingsText(const BundleTimings& t) {
  std::string out = TrafficText(t) +
                    "frame: positions and normals, which come from the deformed triangles where correctives move the "
                    "surface;\nskinned normals: the same with the cheaper ones\n";
  for (const int threads : ThreadsOf(t)) {
    for (const bool cold : CachesOf(t)) out += fmt::format("\n{}", Table(t, threads, cold));
  }
  out += fmt::format("\nbytes\n{:>6}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "level", "networks", "bases",
                     "upsampling", "skin", "rest", "normals", "others");
  for (const BundleMemory& m : t.memory) {
    out +=
        fmt::format("{:>6}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", m.level == 0 ? "-" : std::to_string(m.level),
                    m.networks, m.bases, m.upsampling, m.skin, m.rest, m.normals, m.others);
  }
  return out;
}

std::string TurnsText(const std::vector<std::string>& names, const std::vector<BundleTimings>& timings) {
  std::string out =
      "Frames of all levels, positions and normals, which come from the deformed triangles where correctives move the\n"
      "surface (of skinning only, skinned ones), the bundles taking turns: microseconds, median (fastest). Beside them "
      "how many times its\n"
      "memory floor a frame takes, and how many times as fast it is as with one thread and as the first bundle's:\n"
      "ratios of medians (of the fastest).\n";
  const std::set<int> threads = ThreadsOf(timings.front());
  for (const bool cold : CachesOf(timings.front())) {
    const auto time = [cold](const BundleTimings& t, const char* stage, int count) -> const Microseconds& {
      const Timing* timing = t.Find(stage, 0, count);
      return cold ? timing->cold : timing->hot;
    };
    const auto both = [](const Microseconds& m) {
      return fmt::format("{:>9.1f}{:>10}", m.median, fmt::format("({:.1f})", m.fastest));
    };
    const auto ratio = [](const Microseconds& a, const Microseconds& b) {
      return fmt::format("{:>8.2f}{:>8}", a.median / b.median, fmt::format("({:.2f})", a.fastest / b.fastest));
    };
    out += fmt::format("\n{:<10}{:>19}{:>19}{:>19}{:>16}{:>16}{:>16}\n", cold ? "cold" : "hot", "frame", "floor",
                       "skinning only", "x floor", "vs 1 thread", "vs first");
    for (size_t b = 0; b < timings.size(); ++b) {
      out += fmt::format("{}\n", names[b]);
      for (const int count : threads) {
        const Microseconds& frame = time(timings[b], "frame", count);
        const Microseconds& floor = time(timings[b], "floor", count);
        out += fmt::format("{:>10}{}{}{}{}{}{}\n", ThreadsText(count), both(frame), both(floor),
                           both(time(timings[b], "skinning only", count)), ratio(frame, floor),
                           ratio(time(timings[b], "frame", *threads.begin()), frame),
                           ratio(time(timings.front(), "frame", count), frame));
      }
    }
  }
  return out;
}

}  // namespace sinew::measure
