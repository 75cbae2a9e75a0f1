// budget_bench BUNDLE [--frames N] [--threads N]: how well evaluations keep to a budget (sinew_frame.budget_ns). For
// budgets from nothing to more than a whole frame it prints how many frames came back in time, how late the others
// were, and which levels were reached. Run it on a machine that does nothing else: a frame that the system interrupts
// is late.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "sinew.h"

namespace {

// A frame is in time within a tenth of its budget, or within this.
constexpr double kSlackMicroseconds = 20;

double Now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// All levels of one character, with positions and skinned normals.
class Player {
 public:
  explicit Player(const char* path) {
    const char* problem = nullptr;
    if (sinew_open_file(path, &character_, &problem) != SINEW_OK) {
      std::fprintf(stderr, "%s: %s\n", path, problem);
      std::exit(1);
    }
    if (sinew_create_instance(character_, &instance_) != SINEW_OK) std::exit(1);
    pose_.resize(sinew_joint_count(character_));
    sinew_rest_pose(character_, pose_.data());
    rest_ = pose_;
    const int levels = sinew_level_count(character_);
    outputs_.resize(levels);
    for (int i = 1; i <= levels; ++i) {
      const size_t floats = 3 * static_cast<size_t>(sinew_vertex_count(character_, i));
      streams_.emplace_back(2 * floats);
      outputs_[i - 1].positions = {streams_.back().data(), 0};
      outputs_[i - 1].normals = {streams_.back().data() + floats, 0};
      outputs_[i - 1].normals_from = SINEW_NORMALS_SKINNED;
    }
    frame_.pose = pose_.data();
    frame_.levels = outputs_.data();
    frame_.level_count = levels;
  }
  ~Player() {
    sinew_destroy_instance(instance_);
    sinew_close(character_);
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void Use(sinew_pool* pool) { frame_.pool = pool; }
  int levels() const { return frame_.level_count; }
  int vertices(int level) const { return sinew_vertex_count(character_, level); }

  // Evaluates the next pose and returns how long that took, in microseconds.
  double Frame(double budget_microseconds, int* level) {
    const double swing = 0.3 * std::sin(0.05 * ++count_);
    for (size_t j = 0; j < pose_.size(); ++j) pose_[j].rotation[0] = rest_[j].rotation[0] + static_cast<float>(swing);
    frame_.budget_ns = static_cast<int64_t>(1e3 * budget_microseconds);
    sinew_result result;
    const double begin = Now();
    if (sinew_evaluate(instance_, &frame_, &result) != SINEW_OK) std::exit(1);
    const double took = Now() - begin;
    *level = result.level;
    return took;
  }

 private:
  sinew_character* character_ = nullptr;
  sinew_instance* instance_ = nullptr;
  std::vector<sinew_transform> pose_, rest_;
  std::vector<sinew_output> outputs_;
  std::vector<std::vector<float>> streams_;
  sinew_frame frame_ = {};
  int count_ = 0;
};

double Quantile(std::vector<double>& sorted, double q) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(q * static_cast<double>(sorted.size())))];
}

void Measure(Player& player, const char* name, double budget, int frames) {
  std::vector<double> times;
  std::vector<int> reached(player.levels() + 1, 0);
  int in_time = 0;
  for (int i = 0; i < frames; ++i) {
    int level = 0;
    times.push_back(player.Frame(budget, &level));
    ++reached[level];
    in_time += budget == 0 || times.back() <= std::max(1.1 * budget, budget + kSlackMicroseconds) ? 1 : 0;
  }
  std::sort(times.begin(), times.end());
  std::printf("%-10s %9.1f %9.1f %9.1f %9.1f %8.2f%%  ", name, budget, Quantile(times, 0.5), Quantile(times, 0.99),
              times.back(), 100.0 * in_time / frames);
  for (const int count : reached) std::printf(" %5.1f%%", 100.0 * count / frames);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  int frames = 10000, threads = 1;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--frames") == 0) frames = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--threads") == 0) threads = std::atoi(argv[i + 1]);
  }
  if (argc < 2 || argc % 2 != 0 || frames < 1 || threads < 1) {
    std::fprintf(stderr, "usage: budget_bench BUNDLE [--frames N] [--threads N]\n");
    return 2;
  }
  Player player(argv[1]);
  sinew_pool* pool = nullptr;
  if (threads > 1 && sinew_create_pool(threads, &pool) != SINEW_OK) return 1;
  player.Use(pool);
  // A whole frame, warm.
  std::vector<double> whole;
  for (int i = 0; i < std::max(100, frames / 10); ++i) {
    int level = 0;
    whole.push_back(player.Frame(0, &level));
  }
  std::sort(whole.begin(), whole.end());
  const double median = Quantile(whole, 0.5);
  std::printf("%d levels,", player.levels());
  for (int i = 1; i <= player.levels(); ++i) std::printf(" %d", player.vertices(i));
  std::printf(" vertices; %d frames a row, %d thread%s; microseconds\n", frames, threads, threads == 1 ? "" : "s");
  std::printf("%-10s %9s %9s %9s %9s %9s   reached: none, level 1, 2, ...\n", "budget", "", "median", "p99", "longest",
              "in time");
  Measure(player, "none", 0, frames);
  Measure(player, "spent", 0.001, frames);
  for (const int percent : {5, 10, 25, 50, 75, 100, 150}) {
    char name[16];
    std::snprintf(name, sizeof(name), "%d%%", percent);
    Measure(player, name, median * percent / 100, frames);
  }
  sinew_destroy_pool(pool);
  return 0;
}
