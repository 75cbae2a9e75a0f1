#include "sinew/offline/dataset/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/write_error.h"
#include "sinew/offline/dataset/begin_dataset.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;

// Frames per chunk, small enough that a killed run loses less than a minute's work on two cores.
int ChunkFrames(flesh::Quality quality) { return quality == flesh::Quality::kFilm ? 4 : 16; }

FrameTruth ToTruth(const flesh::FrameResult& result) {
  FrameTruth truth;
  if (!result.converged) truth.failure = result.reason.empty() ? "did not converge" : result.reason;
  truth.shape = JoinParts(result.parts);
  const std::vector<int32_t> counts = {result.path_steps, result.newton_steps, result.cg_iterations,
                                       result.in_contact ? result.contacts : -1};
  truth.arrays["solver"] = MakeNpy(counts, {4});
  truth.arrays["volume"] = MakeNpy(std::vector<float>{static_cast<float>(result.volume_ratio)}, {});
  return truth;
}

// Returns the clips inside the range. Throws InputError for a clip without frame rate, UsageError if the range cuts
// one.
std::vector<FrameRange> CheckClips(const PoseSequence& sequence, const FrameRange& range) {
  std::vector<FrameRange> clips;
  for (const FrameRange& clip : ClipsOf(sequence)) {
    if (clip.end <= range.begin || clip.begin >= range.end) continue;
    const DatasetMotion& motion = sequence.motions[sequence.frames[clip.begin].motion];
    if (!(motion.rate > 0)) {
      throw InputError(sequence.entry.name, fmt::format("frame {}", clip.begin),
                       fmt::format("\"{}\" has no frame rate, so it is no motion in time", motion.name),
                       "give motions, or leave out --dynamics");
    }
    if (clip.begin < range.begin || clip.end > range.end) {
      throw UsageError(
          fmt::format("frames {}:{} cut \"{}\" ({}:{}) in two, which dynamics cannot; take all of it or none",
                      range.begin, range.end, motion.name, clip.begin, clip.end));
    }
    clips.push_back(clip);
  }
  return clips;
}

// Solver of one clip. Frames must be asked for in order; those that are skipped are solved as well, for their motion.
class ClipSolver {
 public:
  ClipSolver(const flesh::FleshModel& model, const PoseSequence& sequence, const FrameRange& clip)
      : sequence_(sequence),
        next_(clip.begin),
        clip_(model, {.seconds = 1 / sequence.motions[sequence.frames[clip.begin].motion].rate}) {}

  flesh::FrameResult Solve(int frame) {
    while (next_ < frame) clip_.Next(sequence_.poses[next_++]);
    return clip_.Next(sequence_.poses[next_++]);
  }

 private:
  const PoseSequence& sequence_;
  int next_;
  flesh::FleshClip clip_;
};

template <typename Values>
std::string HashOfAll(const Values& values) {
  return HashHex(std::as_bytes(std::span(values.data(), static_cast<size_t>(values.size()))));
}

std::string HashOf(const TriMesh& mesh) { return HashOfAll(mesh.positions) + HashOfAll(mesh.triangles); }

std::string HashOf(const DistanceGrid& grid) {
  return HashOfAll(grid.counts) + HashOfAll(grid.origin) + HashOfAll(grid.spacing) + HashOfAll(grid.distances);
}

double Since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void RequireFlesh(const flesh::FleshReport& report, const std::string& name) {
  const auto bends = [](const flesh::RoleOfPart& piece) { return piece.role != Role::kRigid; };
  const auto found = std::find_if(report.pieces.begin(), report.pieces.end(), bends);
  if (report.has_flesh() || found == report.pieces.end()) return;
  throw InputError(name, fmt::format("part {}", found->part),
                   fmt::format("no flesh can be made: it is {}, {}", NameOf(found->role), found->why),
                   fmt::format("close its surface, or give it a role (--role {}=flesh)", found->part));
}

Json SettingsOf(const flesh::FleshSettings& settings) {
  Json json = {{"maker", "simulate"},
               {"quality", flesh::QualityOf(settings.quality).name},
               {"tets", settings.tets > 0 ? settings.tets : flesh::QualityOf(settings.quality).tets},
               {"young", settings.young},
               {"poisson", settings.poisson},
               {"fat", settings.scale * settings.fat},
               {"contact_distance", settings.contact ? settings.scale * settings.contact_distance : 0},
               {"parts", TextOf(settings.roles)},
               // Another version of Sinew may give other shapes.
               {"sinew", SINEW_VERSION}};
  if (settings.tolerance > 0) json["tolerance"] = settings.tolerance;
  for (const flesh::FleshCollider& collider : settings.colliders) {
    std::string hash = std::visit([](const auto& shape) { return HashOf(shape); }, collider.shape);
    if (collider.joint >= 0) hash += fmt::format(" joint {}", collider.joint);
    json["colliders"].push_back(std::move(hash));
  }
  return json;
}

SimulateSummary SimulateDataset(const fs::path& path, const StoredCharacter& character, const PoseSequence& sequence,
                                const FrameRange& range, const SimulateOptions& options) {
  // Manifest that a new dataset starts with, and an existing one must have.
  const std::vector<FrameRange> clips = options.dynamics ? CheckClips(sequence, range) : std::vector<FrameRange>{};
  DatasetManifest start = StartManifest(character, sequence, SettingsOf(options.flesh));
  if (options.dynamics) start.settings["dynamics"] = true;
  start.metres_per_unit = options.metres_per_unit;
  start.chunk_frames = ChunkFrames(options.flesh.quality);
  flesh::FleshSettings flesh = options.flesh;
  flesh.unit = options.metres_per_unit;
  // Build the model before anything is written: it throws for what it cannot simulate.
  const flesh::FleshModel model(character.character, flesh);
  if (options.needs_flesh) RequireFlesh(model.report(), character.character.name);
  BeginDataset(path, start, character, options.resume);
  DatasetWriter writer(path);
  SimulateSummary summary{.flesh = model.report(), .frames = range.end - range.begin, .failures = {}};
  std::atomic<int> simulated = 0, passing = 0;
  std::atomic<double> seconds = 0;
  // One solver per clip; frames outside of clips are solved independently.
  std::vector<ClipSolver> solvers;
  std::vector<int> clip_of(sequence.frame_count(), -1);
  for (const FrameRange& clip : clips) {
    std::fill(clip_of.begin() + clip.begin, clip_of.begin() + clip.end, static_cast<int>(solvers.size()));
    solvers.emplace_back(model, sequence, clip);
  }
  // Solve the missing frames; finished chunks stay if that fails.
  const auto make = [&](int i) {
    const auto begin = std::chrono::steady_clock::now();
    const flesh::FrameResult result = clip_of[i] < 0 ? model.Solve(sequence.poses[i]) : solvers[clip_of[i]].Solve(i);
    FrameTruth truth = ToTruth(result);
    ++simulated;
    passing += !result.in_contact;
    seconds += Since(begin);
    return truth;
  };
  try {
    MakeFrames(writer, sequence, range,
               {.label = "simulating", .progress = options.progress, .stop = options.stop, .clips = clips}, make);
  } catch (const FailedError& error) {
    const bool disk = dynamic_cast<const WriteError*>(&error) != nullptr;
    throw FailedError(fmt::format("{}; {} frames are kept in {}, so {}{}", error.what(),
                                  writer.manifest().frames.size(), path.string(), disk ? "make room and " : "",
                                  options.go_on));
  }
  // Collect the failures of the whole range, those of earlier runs included.
  summary.simulated = simulated;
  summary.passing = passing;
  summary.seconds = seconds;
  for (const DatasetFrame& frame : writer.manifest().frames) {
    const bool inside = frame.index >= range.begin && frame.index < range.end;
    summary.there += inside;
    if (inside && !frame.ok()) summary.failures[frame.failure].push_back(frame.index);
  }
  return summary;
}

}  // namespace sinew::dataset
