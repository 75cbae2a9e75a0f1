#include "sinew/offline/corpus/make_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <span>
#include <tuple>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/folder_lock.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/write_error.h"
#include "sinew/offline/corpus/leaks.h"
#include "sinew/offline/corpus/make_body.h"
#include "sinew/offline/corpus/plan.h"
#include "sinew/offline/dataset/procedural.h"
#include "sinew/offline/dataset/simulate.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void CreateFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw WriteError(folder.string(), error.value());
}

// Returns the manifest to go on with: that of the folder, or the plan if the folder is new. Writes nothing.
CorpusManifest FindManifest(const fs::path& folder, const CorpusManifest& plan) {
  const fs::path file = folder / kCorpusFile;
  if (!fs::exists(file)) {
    if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder))) {
      throw FailedError(fmt::format("{}: exists and is no corpus; name another folder or remove it", folder.string()));
    }
    return plan;
  }
  CorpusManifest there = ParseCorpusManifest(ReadTextFile(file), file.string());
  if (there.recipe != plan.recipe) {
    throw InputError(file.string(), "", "was begun with another recipe",
                     "go on with that recipe, or name another folder");
  }
  // Bodies and clips must be those of the plan, but for what is known once a body is made.
  std::vector<CorpusBody> bodies = there.bodies;
  for (CorpusBody& body : bodies) {
    body.dataset = body.character = body.build = body.garment_build = "";
    body.vertices = body.frames = body.failed = 0;
  }
  if (bodies != plan.bodies || there.clips != plan.clips) {
    throw InputError(file.string(), "", "was begun with other files in the recipe's folders",
                     "put those back, or name another folder");
  }
  return there;
}

void CreateCorpus(const fs::path& folder, const CorpusManifest& manifest) {
  CreateFolder(folder / "bodies");
  const fs::path file = folder / kCorpusFile;
  if (!fs::exists(file)) WriteFileAtomic(file, FormatCorpusManifest(manifest));
}

// Work on one corpus, from several threads.
class Making {
 public:
  Making(const Recipe& recipe, const fs::path& folder, const MakeCorpusOptions& options, CorpusManifest& manifest,
         const std::vector<int>& bodies)
      : recipe_(recipe),
        folder_(folder),
        options_(options),
        manifest_(manifest),
        bodies_(bodies),
        maker_(recipe, manifest),
        pool_(bodies.empty() ? std::vector<PooledClip>() : ReadClipPool(recipe.poses, manifest.clips)),
        progress_("corpus", CountPoses(), "frames") {
    maker_.CheckFiles(bodies);
    maker_.Prepare(bodies);
  }

  void Run() {
    start_ = Clock::now();
    const int count = static_cast<int>(bodies_.size());
    const int lanes = options_.bodies_at_once > 0 ? options_.bodies_at_once : Pool().concurrency();
    std::atomic<int> next = 0;
    ParallelFor(std::min(lanes, count), 1, [&](int) {
      for (int i = next++; i < count && !Stopped(); i = next++) MakeOne(bodies_[i]);
    });
  }

  MakeCorpusSummary TakeSummary() {
    summary_.simulated = simulated_;
    return std::move(summary_);
  }

 private:
  int64_t CountPoses() const {
    int64_t count = 0;
    for (const int b : bodies_) count += CountBodyPoses(manifest_.bodies[b], recipe_.poses, pool_);
    return count;
  }

  bool Stopped() const { return failed_ || (options_.minutes > 0 && Since(start_) > 60 * options_.minutes); }

  void MakeOne(int b) {
    try {
      const dataset::StoredCharacter stored = maker_.Make(b);
      const dataset::PoseSequence sequence = MakeBodyPoses(stored.character, manifest_.bodies[b], recipe_.poses, pool_);
      const dataset::Failures failures = MakeTruth(b, stored, sequence);
      Finish(b, stored, sequence.frame_count(), failures);
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  dataset::Failures MakeTruth(int b, const dataset::StoredCharacter& stored, const dataset::PoseSequence& sequence) {
    const fs::path path = folder_ / DatasetFolder(manifest_.bodies[b]);
    const LikelyUnit unit = GuessUnit(stored.character);
    const dataset::FrameRange all = {0, sequence.frame_count()};
    if (!recipe_.truth.simulated) {
      dataset::WriteProceduralDataset(path, stored, sequence, all, {}, unit.metres);
      progress_.Advance(all.end);
      simulated_ += all.end;
      return {};
    }
    dataset::SimulateOptions options;
    options.metres_per_unit = unit.metres;
    options.resume = true;
    options.progress = &progress_;
    options.stop = [this] { return Stopped(); };
    options.go_on = "give the same call again";
    options.flesh.quality = flesh::QualityNamed(recipe_.truth.quality);
    options.flesh.tets = recipe_.truth.tets;
    options.flesh.tolerance = recipe_.truth.tolerance;
    options.flesh.scale = unit.of_person;
    dataset::SimulateSummary summary = dataset::SimulateDataset(path, stored, sequence, all, options);
    simulated_ += summary.simulated;
    return std::move(summary.failures);
  }

  // Enters a body whose frames are all there into the manifest; does nothing for one that was stopped.
  void Finish(int b, const dataset::StoredCharacter& stored, int frames, const dataset::Failures& failures) {
    const fs::path path = folder_ / DatasetFolder(manifest_.bodies[b]);
    const std::string text = ReadTextFile(path / "dataset.json");
    if (static_cast<int>(dataset::ParseDatasetManifest(text, path.string()).frames.size()) < frames) return;
    const std::lock_guard lock(mutex_);
    CorpusBody& body = manifest_.bodies[b];
    body.dataset = HashHex(std::as_bytes(std::span(text)));
    body.character = stored.entry.hash;
    body.build = BuildOf(stored.character.skeleton);
    body.garment_build = maker_.GarmentBuild(body);
    body.vertices = stored.entry.vertices;
    body.frames = frames;
    for (const auto& [reason, list] : failures) {
      body.failed += static_cast<int>(list.size());
      summary_.failures.push_back({body.name, reason, list});
    }
    WriteFileAtomic(folder_ / kCorpusFile, FormatCorpusManifest(manifest_));
  }

  const Recipe& recipe_;
  const fs::path& folder_;
  const MakeCorpusOptions& options_;
  CorpusManifest& manifest_;
  const std::vector<int>& bodies_;
  BodyMaker maker_;
  std::vector<PooledClip> pool_;
  Progress progress_;
  Clock::time_point start_;  // when Run() began
  std::atomic<bool> failed_ = false;
  std::atomic<int> simulated_ = 0;
  std::mutex mutex_;  // of manifest_ and summary_
  MakeCorpusSummary summary_;
};

// Indices of the bodies of a part.
std::vector<int> BodiesOf(const CorpusManifest& manifest, const MakeCorpusOptions& options) {
  std::vector<int> bodies;
  for (int b = options.part - 1; b < static_cast<int>(manifest.bodies.size()); b += options.parts) bodies.push_back(b);
  return bodies;
}

}  // namespace

MakeCorpusSummary MakeCorpus(const Recipe& recipe, const std::string& recipe_file, const fs::path& folder,
                             const MakeCorpusOptions& options) {
  const Clock::time_point start = Clock::now();
  const CorpusManifest plan = PlanCorpus(recipe, recipe_file);
  CorpusManifest manifest = FindManifest(folder, plan);
  const std::vector<int> bodies = BodiesOf(manifest, options);
  std::vector<int> missing;
  std::copy_if(bodies.begin(), bodies.end(), std::back_inserter(missing),
               [&](int b) { return !manifest.bodies[b].made(); });
  // Reads all inputs, and throws for what cannot be used, before anything is written.
  Making making(recipe, folder, options, manifest, missing);
  CreateCorpus(folder, manifest);
  const FolderLock lock(folder);
  making.Run();
  MakeCorpusSummary summary = making.TakeSummary();
  summary.bodies = static_cast<int>(bodies.size());
  for (const int b : bodies) {
    const CorpusBody& body = manifest.bodies[b];
    summary.made += body.made();
    summary.frames += body.frames;
    summary.failed += body.failed;
  }
  std::sort(summary.failures.begin(), summary.failures.end(), [](const FailedFrames& a, const FailedFrames& b) {
    return std::tie(a.body, a.reason) < std::tie(b.body, b.reason);
  });
  summary.seconds = Since(start);
  RefuseLeaks(manifest, (folder / kCorpusFile).string());
  return summary;
}

}  // namespace sinew::corpus
