#include "sinew/offline/measure/bundle_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#if defined(__unix__)
#include <unistd.h>
#endif

#include "sinew/host/mapped_file.h"
#include "sinew/host/thread_pool.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/measure/memory_floor.h"
#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/frame/evaluate.h"
#include "sinew/runtime/multires/level.h"
#include "sinew/runtime/net/network.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::measure {
namespace {

namespace format = runtime::format;
using format::SectionType;
using runtime::Bundle;
using runtime::BundleLevel;
using runtime::Float3;
using runtime::NormalSource;
using runtime::TaskRunner;

// Number of bytes to read for cold caches: twice the last-level cache, at least 64 MB.
size_t SweepBytes() {
  size_t cache = size_t{32} << 20;
#if defined(_SC_LEVEL3_CACHE_SIZE)
  if (const long found = sysconf(_SC_LEVEL3_CACHE_SIZE); found > 0) cache = static_cast<size_t>(found);
#endif
  return 2 * std::max(cache, size_t{32} << 20);
}

template <typename Array>
std::span<const std::byte> BytesOf(const Array& array) {
  return std::as_bytes(std::span(array));
}

// Evicts everything else from the caches.
class CacheSweep {
 public:
  CacheSweep() : values_(SweepBytes() / sizeof(float), 1.0f) {}
  void Run(TaskRunner* runner) { sink_ = sink_ + MoveOnce({{BytesOf(values_)}, {}}, runner); }

 private:
  std::vector<float> values_;
  volatile float sink_ = 0;
};

// Stages of one bundle, with all buffers that they read and write.
class Stages {
 public:
  Stages(const Bundle& bundle, const std::vector<Pose>& poses)
      : bundle_(bundle), poses_(poses), scratch_(runtime::ScratchBytes(bundle)) {
    for (int i = 1; i <= bundle.level_count(); ++i) {
      const auto n = static_cast<size_t>(bundle.level(i).vertex_count);
      positions_.emplace_back(n);
      normals_.emplace_back(n);
      displacements_.emplace_back(n + runtime::kTileVertices);
    }
    coefficients_.assign(bundle.coefficient_count(bundle.level_count()) + 1, 0.001f);
    inputs_.assign(runtime::NetworkTable::kMaxWidth, 0.1f);
    matrices_.assign(bundle.slot_joints().size(), runtime::Affine());
    joints_.resize(matrices_.size());
  }

  void NextPose() { pose_ = (pose_ + 1) % poses_.size(); }

  // level 0: all.
  void Frame(int level, bool skin_only, TaskRunner* runner, NormalSource normals_from = NormalSource::kAuto) {
    std::vector<runtime::LevelOutput> outputs(level == 0 ? bundle_.level_count() : level);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (level != 0 && i + 1 != static_cast<size_t>(level)) continue;
      outputs[i].positions = positions_[i];
      outputs[i].normals = normals_[i];
      outputs[i].normals_from = normals_from;
    }
    runtime::EvaluateJob job;
    job.bundle = &bundle_;
    job.pose = poses_[pose_];
    job.levels = outputs;
    job.scratch = scratch_;
    job.skin_only = skin_only;
    job.runner = runner;
    job.Run();
  }

  void Networks(int level, TaskRunner* runner) {
    const BundleLevel& l = bundle_.level(level);
    const auto one = [this, &l](int n) {
      float outputs[runtime::NetworkTable::kMaxWidth];
      runtime::EvaluateNetwork(l.networks, n, inputs_.data(), outputs);
      coefficients_[l.first_coefficient + l.networks.network(n).first_output] = outputs[0];
    };
    RunEach(runner, l.networks.network_count(), one);
  }

  void Bases(int level, TaskRunner* runner) {
    for (const runtime::BasisTable* basis : {&bundle_.level(level).basis, &bundle_.level(level).own_basis}) {
      if (!basis->empty()) Displace(level, basis, runner);
    }
  }
  void Upsample(int level, TaskRunner* runner) { Displace(level, nullptr, runner); }

  // Computes displacements by one basis; basis: null for upsampling from the coarser level.
  void Displace(int level, const runtime::BasisTable* basis, TaskRunner* runner) {
    const BundleLevel& l = bundle_.level(level);
    runtime::LevelDisplacements d;
    d.vertex_count = l.vertex_count;
    d.coefficients = coefficients_.data() + l.first_coefficient;
    if (basis == nullptr) {
      d.upsampling = &l.upsampling;
      d.coarse = {displacements_[level - 2].data(), static_cast<size_t>(bundle_.level(level - 1).vertex_count) + 1};
    } else {
      d.basis = basis;
    }
    const int tiles = (l.vertex_count + runtime::kTileVertices - 1) / runtime::kTileVertices;
    runtime::RunTiles(runner, tiles, [&](int, int begin, int end) {
      alignas(64) float points[runtime::kTileFloats];
      for (int t = begin; t < end; ++t) {
        DisplaceTile(d, t, points);
        displacements_[level - 1][static_cast<size_t>(t) * runtime::kTileVertices] = {points[0], points[1], points[2]};
      }
    });
  }

  void Skin(int level, TaskRunner* runner) {
    const BundleLevel& l = bundle_.level(level);
    runtime::LinearBlendJob job;
    job.table = &l.skin;
    job.matrices = matrices_;
    job.streams.rest_positions = l.rest_positions;
    job.streams.rest_normals = l.rest_normals;
    job.streams.pre_displacements = {displacements_[level - 1].data(), displacements_[level - 1].size()};
    job.streams.positions = positions_[level - 1];
    job.streams.normals = normals_[level - 1];
    job.runner = runner;
    job.Run();
  }

  void DualQuaternions(int level, TaskRunner* runner) {
    const BundleLevel& l = bundle_.level(level);
    runtime::RigidStretchJob{.matrices = matrices_, .joints = joints_}.Run();
    runtime::DualQuaternionJob job;
    job.table = &l.skin;
    job.joints = joints_;
    job.streams.rest_positions = l.rest_positions;
    job.streams.rest_normals = l.rest_normals;
    job.streams.positions = positions_[level - 1];
    job.streams.normals = normals_[level - 1];
    job.runner = runner;
    job.Run();
  }

  void Normals(int level, TaskRunner* runner) {
    runtime::NormalsJob job;
    job.table = &bundle_.level(level).normals;
    job.positions = positions_[level - 1];
    job.normals = normals_[level - 1];
    job.runner = runner;
    job.Run();
  }

  // Memory that a frame with all levels must read and write once.
  MemoryTraffic Traffic() {
    MemoryTraffic traffic;
    const auto* file = reinterpret_cast<const std::byte*>(bundle_.sections().data()) - sizeof(format::FileHeader);
    for (const format::SectionEntry& entry : bundle_.sections()) {
      const auto type = static_cast<SectionType>(entry.type);
      if (type == SectionType::kSkin || type == SectionType::kBasis || type == SectionType::kOwnBasis ||
          type == SectionType::kNetworks || type == SectionType::kUpsampling || type == SectionType::kOrder ||
          type == SectionType::kRanges) {
        traffic.read.emplace_back(file + entry.offset, entry.bytes);
      }
      // Normals come from triangles where correctives move the surface.
      if (type == SectionType::kNormals && CorrectivesMove(bundle_, static_cast<int>(entry.level))) {
        traffic.read.emplace_back(file + entry.offset, entry.bytes);
      }
    }
    for (int i = 1; i <= bundle_.level_count(); ++i) {
      const BundleLevel& l = bundle_.level(i);
      traffic.read.emplace_back(reinterpret_cast<const std::byte*>(l.rest_positions.floats(0)),
                                l.vertex_count * sizeof(Float3));
      traffic.read.emplace_back(reinterpret_cast<const std::byte*>(l.rest_normals.floats(0)),
                                l.vertex_count * sizeof(Float3));
      traffic.written.push_back(std::as_writable_bytes(std::span(positions_[i - 1])));
      traffic.written.push_back(std::as_writable_bytes(std::span(normals_[i - 1])));
    }
    return traffic;
  }

  void Floor(const MemoryTraffic& traffic, TaskRunner* runner) { sink_ = sink_ + MoveOnce(traffic, runner); }

 private:
  template <typename Body>
  static void RunEach(TaskRunner* runner, int count, const Body& body) {
    const TaskRunner::Task task = [](void* opaque, int i) { (*static_cast<const Body*>(opaque))(i); };
    if (runner != nullptr) {
      runner->Run(task, const_cast<Body*>(&body), count);
    } else {
      for (int i = 0; i < count; ++i) body(i);
    }
  }

  const Bundle& bundle_;
  const std::vector<Pose>& poses_;
  std::vector<std::byte> scratch_;
  std::vector<std::vector<Float3>> positions_, normals_, displacements_;
  std::vector<float> coefficients_, inputs_;
  std::vector<runtime::Affine> matrices_;
  std::vector<runtime::RigidStretch> joints_;
  size_t pose_ = 0;
  volatile float sink_ = 0;
};

struct Item {
  std::string stage;
  int level;
  std::function<void(TaskRunner*)> run;
};

std::vector<Item> ItemsOf(const Bundle& bundle, Stages& stages, const MemoryTraffic& traffic) {
  std::vector<Item> items;
  const auto add = [&](const char* stage, int level, std::function<void(TaskRunner*)> run) {
    items.push_back({stage, level, std::move(run)});
  };
  add("floor", 0, [&](TaskRunner* r) { stages.Floor(traffic, r); });
  add("frame", 0, [&](TaskRunner* r) { stages.Frame(0, false, r); });
  add("skinned normals", 0, [&](TaskRunner* r) { stages.Frame(0, false, r, NormalSource::kSkinned); });
  add("skinning only", 0, [&](TaskRunner* r) { stages.Frame(0, true, r); });
  for (int i = 1; i <= bundle.level_count(); ++i) {
    const BundleLevel& level = bundle.level(i);
    add("frame", i, [&stages, i](TaskRunner* r) { stages.Frame(i, false, r); });
    add("skinned normals", i, [&stages, i](TaskRunner* r) { stages.Frame(i, false, r, NormalSource::kSkinned); });
    add("skinning only", i, [&stages, i](TaskRunner* r) { stages.Frame(i, true, r); });
    if (!level.networks.empty()) add("networks", i, [&stages, i](TaskRunner* r) { stages.Networks(i, r); });
    if (level.coefficient_count() > 0) add("bases", i, [&stages, i](TaskRunner* r) { stages.Bases(i, r); });
    if (i > 1) add("upsampling", i, [&stages, i](TaskRunner* r) { stages.Upsample(i, r); });
    add("dual quaternions", i, [&stages, i](TaskRunner* r) { stages.DualQuaternions(i, r); });
    add("skinning", i, [&stages, i](TaskRunner* r) { stages.Skin(i, r); });
    if (!level.normals.empty()) add("normals", i, [&stages, i](TaskRunner* r) { stages.Normals(i, r); });
  }
  return items;
}

// Wakes all threads of the runner. A thread that has been idle for long sleeps, and waking it takes as long as
// evaluating a level; in a program that draws frames, the threads are awake.
void Gather(TaskRunner* runner) {
  if (runner == nullptr) return;
  struct Gathering {
    int expected;
    std::atomic<int> here{0};
  };
  Gathering gathering{runner->concurrency()};
  const TaskRunner::Task task = [](void* opaque, int) {
    auto& g = *static_cast<Gathering*>(opaque);
    ++g.here;
    while (g.here < g.expected) std::this_thread::yield();
  };
  runner->Run(task, &gathering, gathering.expected);
}

// Waits until the threads of other pools sleep: they spin for a while before, which would disturb the measurement.
void LetOthersSleep() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
  while (std::chrono::steady_clock::now() < end) {
  }
}

double TimeOf(const std::function<void(TaskRunner*)>& run, TaskRunner* runner) {
  Gather(runner);
  const auto start = std::chrono::steady_clock::now();
  run(runner);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

Microseconds Summary(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const size_t last = samples.size() - 1;
  return {samples[last / 2], samples[(last * 99 + 99) / 100], samples[0]};
}

// Times items with several numbers of threads, all taking turns in every round.
class TurnTaking {
 public:
  // threads: must outlive this, as the items. cold: whether cold runs are timed, too.
  TurnTaking(const std::vector<Item>& items, const std::vector<int>& threads, bool cold)
      : items_(items), threads_(threads), hot_(items.size() * threads.size()), cold_(hot_.size()) {
    if (cold) sweep_ = std::make_unique<CacheSweep>();
    for (const int count : threads) {
      pools_.push_back(std::make_unique<host::ThreadPool>(count));
      runners_.push_back(count == 1 ? nullptr : pools_.back().get());
    }
    // The sweep runs on as many threads as any item, to evict the private caches of all cores in use.
    widest_ = runners_[std::max_element(threads.begin(), threads.end()) - threads.begin()];
  }

  // Number of times Round() advances the progress.
  int64_t samples() const { return static_cast<int64_t>(hot_.size()); }

  void Round(Progress& progress) {
    constexpr int kHotRuns = 3;  // they cost little against the sweep before the cold one
    for (size_t k = 0; k < hot_.size(); ++k) {
      const Item& item = items_[k / threads_.size()];
      TaskRunner* runner = runners_[k % threads_.size()];
      if (sweep_ != nullptr) sweep_->Run(widest_);
      if (runner != widest_) LetOthersSleep();
      const double first = TimeOf(item.run, runner);
      if (sweep_ != nullptr) cold_[k].push_back(first);
      for (int run = 0; run < kHotRuns; ++run) hot_[k].push_back(TimeOf(item.run, runner));
      progress.Advance();
    }
  }

  std::vector<Timing> Timings() const {
    std::vector<Timing> timings;
    for (size_t k = 0; k < hot_.size(); ++k) {
      const Item& item = items_[k / threads_.size()];
      timings.push_back({item.stage, item.level, threads_[k % threads_.size()], Summary(hot_[k]), Summary(cold_[k])});
    }
    return timings;
  }

 private:
  const std::vector<Item>& items_;
  const std::vector<int>& threads_;
  std::vector<std::unique_ptr<host::ThreadPool>> pools_;
  std::vector<TaskRunner*> runners_;
  TaskRunner* widest_ = nullptr;
  std::unique_ptr<CacheSweep> sweep_;  // null: no cold runs
  std::vector<std::vector<double>> hot_, cold_;
};

// Times all items. The first round tells how many fit into options.seconds.
std::vector<Timing> TimeItems(const std::vector<Item>& items, const std::vector<int>& threads,
                              const TimingOptions& options, const std::function<void()>& next_round) {
  TurnTaking turns(items, threads, options.cold);
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress("timing, first round", turns.samples(), "samples");
    next_round();
    turns.Round(progress);
  }
  int rounds = options.rounds - 1;
  if (options.seconds > 0) {
    const double first = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rounds = static_cast<int>(std::clamp(options.seconds / first - 1, 0.0, static_cast<double>(rounds)));
  }
  Progress progress("timing", rounds * turns.samples(), "samples");
  for (int round = 0; round < rounds; ++round) {
    next_round();
    turns.Round(progress);
  }
  return turns.Timings();
}

}  // namespace

const Timing* BundleTimings::Find(const std::string& stage, int level, int threads) const {
  for (const Timing& timing : timings) {
    if (timing.stage == stage && timing.level == level && timing.threads == threads) return &timing;
  }
  return nullptr;
}

BundleTimings TimeBundle(const Bundle& bundle, const std::vector<Pose>& poses, const TimingOptions& options) {
  Stages stages(bundle, poses);
  const MemoryTraffic traffic = stages.Traffic();
  const std::vector<Item> items = ItemsOf(bundle, stages, traffic);
  BundleTimings result;
  result.memory = MemoryOf(bundle);
  result.read_bytes = traffic.read_bytes();
  result.written_bytes = traffic.written_bytes();
  TimingOptions share = options;
  share.seconds = options.seconds / static_cast<double>(options.threads.size());
  for (const int threads : options.threads) {
    for (Timing& timing : TimeItems(items, {threads}, share, [&] { stages.NextPose(); })) {
      result.timings.push_back(std::move(timing));
    }
  }
  return result;
}

Microseconds TimeOpening(const std::string& file, int rounds) {
  std::vector<double> samples;
  const auto open = [&file](TaskRunner*) {
    host::MappedFile mapped;
    Bundle bundle;
    if (!mapped.Open(file.c_str()) || Bundle::Open(mapped.bytes(), &bundle) != runtime::Status::kOk) {
      throw FailedError(fmt::format("{}: cannot be opened any more; do not change it while it is timed", file));
    }
  };
  samples.reserve(rounds);
  for (int round = 0; round < rounds; ++round) samples.push_back(TimeOf(open, nullptr));
  return Summary(std::move(samples));
}

FrameTimings TimeFrames(const std::vector<const Bundle*>& bundles, const std::vector<Pose>& poses,
                        const TimingOptions& options) {
  std::vector<std::unique_ptr<Stages>> stages;
  std::vector<Item> items;
  for (const Bundle* bundle : bundles) {
    Stages* own = stages.emplace_back(std::make_unique<Stages>(*bundle, poses)).get();
    items.push_back({"frame", 0, [own](TaskRunner* r) { own->Frame(0, false, r, NormalSource::kSkinned); }});
  }
  Stages* first = stages.front().get();
  items.push_back({"skinning only", 0, [first](TaskRunner* r) { first->Frame(0, true, r); }});
  FrameTimings result;
  result.frames = TimeItems(items, {options.threads.front()}, options, [&] {
    for (const auto& own : stages) own->NextPose();
  });
  result.skinning_only = std::move(result.frames.back());
  result.frames.pop_back();
  return result;
}

std::vector<BundleTimings> TimeInTurn(const std::vector<const Bundle*>& bundles, const std::vector<Pose>& poses,
                                      const TimingOptions& options) {
  // Buffers of every bundle.
  std::vector<std::unique_ptr<Stages>> stages;
  std::vector<MemoryTraffic> traffics;
  for (const Bundle* bundle : bundles) {
    stages.push_back(std::make_unique<Stages>(*bundle, poses));
    traffics.push_back(stages.back()->Traffic());
  }
  // Every stage of every bundle, to be timed in turn.
  std::vector<Item> items;
  const auto add = [&](const char* stage, const auto& run) {
    for (size_t b = 0; b < bundles.size(); ++b) {
      items.push_back({stage, 0, [&stages, run, b](TaskRunner* r) { run(*stages[b], b, r); }});
    }
  };
  add("frame", [](Stages& own, size_t, TaskRunner* r) { own.Frame(0, false, r); });
  add("floor", [&traffics](Stages& own, size_t b, TaskRunner* r) { own.Floor(traffics[b], r); });
  add("skinning only", [](Stages& own, size_t, TaskRunner* r) { own.Frame(0, true, r); });
  const std::vector<Timing> timings = TimeItems(items, options.threads, options, [&] {
    for (const auto& own : stages) own->NextPose();
  });
  // Distribute the timings, which are ordered by stage, bundle and number of threads.
  std::vector<BundleTimings> result(bundles.size());
  for (size_t b = 0; b < bundles.size(); ++b) {
    result[b].memory = MemoryOf(*bundles[b]);
    result[b].read_bytes = traffics[b].read_bytes();
    result[b].written_bytes = traffics[b].written_bytes();
  }
  for (size_t k = 0; k < timings.size(); ++k) {
    result[k / options.threads.size() % bundles.size()].timings.push_back(timings[k]);
  }
  return result;
}

std::vector<BundleMemory> MemoryOf(const Bundle& bundle) {
  std::vector<BundleMemory> memory(bundle.level_count() + 1);
  for (size_t i = 0; i < memory.size(); ++i) memory[i].level = static_cast<int>(i);
  for (const format::SectionEntry& entry : bundle.sections()) {
    BundleMemory& m = memory[std::min<size_t>(entry.level, memory.size() - 1)];
    switch (static_cast<SectionType>(entry.type)) {
      case SectionType::kNetworks:
        m.networks += entry.bytes;
        break;
      case SectionType::kOwnBasis:
        m.own_bases += entry.bytes;
        [[fallthrough]];
      case SectionType::kBasis:
        m.bases += entry.bytes;
        break;
      case SectionType::kUpsampling:
        m.upsampling += entry.bytes;
        break;
      case SectionType::kSkin:
        m.skin += entry.bytes;
        break;
      case SectionType::kRest:
        m.rest += entry.bytes;
        break;
      case SectionType::kNormals:
        m.normals += entry.bytes;
        break;
      default:
        m.others += entry.bytes;
    }
  }
  return memory;
}

}  // namespace sinew::measure
