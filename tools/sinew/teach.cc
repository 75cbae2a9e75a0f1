#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/teach/teach_dataset.h"
#include "sinew/offline/teach/teach_picture.h"
#include "tools/sinew/models.h"
#include "tools/sinew/roles.h"
#include "tools/sinew/subcommands.h"
#include "tools/sinew/units.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct TeachCall {
  std::string character, output, frames, unit, picture, examples;
  std::vector<std::string> poses, models;
  double minutes = 0;
  teach::TeachOptions options;
};

std::vector<fs::path> ModelsOf(const TeachCall& call) {
  if (call.models.empty()) return teach::MembersBeside(FindModel("teach.model"));
  return {call.models.begin(), call.models.end()};
}

std::function<bool()> StopAfter(double minutes) {
  if (!(minutes > 0)) return {};
  const auto start = std::chrono::steady_clock::now();
  return [=] { return std::chrono::steady_clock::now() - start > std::chrono::duration<double>(60 * minutes); };
}

Json JsonOf(const teach::TeachSummary& summary) {
  Json scores = Json::array();
  for (const teach::FrameScore& score : summary.scores) {
    scores.push_back({{"frame", score.frame},
                      {"score", score.value},
                      {"feature_distance", score.distance},
                      {"disagreement", score.disagreement},
                      {"expected_error", score.expected_error},
                      {"weight", score.weight}});
  }
  return scores;
}

void ShowDropped(const teach::TeachSummary& summary) {
  for (const auto& [reason, frames] : dataset::KindsOf(summary.dropped)) {
    Warn("{} frames have no shape: {}; they are {}", frames.size(), reason, fmt::join(frames, ", "));
  }
}

Result ResultOf(const TeachCall& call, const teach::Teacher& teacher, const teach::TeachSummary& summary) {
  size_t dropped = 0;
  for (const auto& [reason, frames] : summary.dropped) dropped += frames.size();
  const double each = summary.taught > 0 ? summary.seconds / summary.taught : 0;
  Result result;
  result.json = {{"dataset", call.output},
                 {"taught_by", teacher.Description()},
                 {"frames", summary.frames},
                 {"complete", summary.there == summary.frames},
                 {"taught", summary.taught},
                 {"dropped", dropped},
                 {"failures", dataset::JsonOf(summary.dropped)},
                 {"beyond", summary.beyond},
                 {"score", summary.character_score},
                 {"scores", JsonOf(summary)},
                 {"examples", summary.examples},
                 {"faded", summary.tuned.faded},
                 {"metres_per_unit", call.options.metres_per_unit},
                 {"seconds_per_frame", each}};
  result.text =
      fmt::format("wrote {}: {} of {} frames, {} taught now by {} in {:.3g} s each on one thread, {} dropped\n",
                  call.output, summary.there, summary.frames, summary.taught,
                  teacher.members().size() == 1 ? "one network" : fmt::format("{} networks", teacher.members().size()),
                  each, dropped);
  if (teacher.knows_its_limits()) {
    result.text +=
        fmt::format("  score       {:.2f} in the median frame; above 1 is stranger than what was learned ({} frames)\n",
                    summary.character_score, summary.beyond);
  } else {
    result.text += "  score       none: the network does not know what it was trained on\n";
  }
  if (summary.examples > 0) {
    result.text +=
        fmt::format("  tuned       to {} true shapes: error on shapes left out {:.3f}% of the size, {:.3f}% before\n",
                    summary.examples, 100 * summary.tuned.error_after, 100 * summary.tuned.error_before);
  }
  if (!summary.tuned.faded.empty()) {
    result.text +=
        fmt::format("  faded       around {}, where skinning is better\n", fmt::join(summary.tuned.faded, ", "));
  }
  if (summary.there < summary.frames) result.text += "time is up; the same call with --resume goes on\n";
  return result;
}

Result RunTeach(TeachCall call) {
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(call.character);
  const dataset::PoseSequence sequence = dataset::ReadPoseSequence(call.poses, stored.character.skeleton);
  const dataset::FrameRange range = dataset::ParseFrameRange(call.frames, sequence.frame_count());
  const teach::Teacher teacher(ModelsOf(call));
  if (!teacher.knows_its_limits()) {
    Warn("{} was trained before networks kept statistics of what they learn, so frames have no score; train it again",
         teacher.members()[0].file);
  }
  call.options.metres_per_unit = UnitOr(call.unit, GuessUnit(stored.character).metres);
  call.options.stop = StopAfter(call.minutes);
  call.options.examples = call.examples;
  const OnInterrupt interrupt(fmt::format(
      "the chunks of frames that were finished are kept in {}, and the same call with --resume goes on from there",
      call.output));
  const teach::TeachSummary summary =
      teach::TeachDataset(call.output, stored, call.character, sequence, range, teacher, call.options);
  ShowDropped(summary);
  Result result = ResultOf(call, teacher, summary);
  if (call.picture.empty()) return result;
  const teach::TaughtBody body(teacher, stored.character, call.character, call.options.roles);
  WriteFileAtomic(fs::path(call.picture), teach::DrawTeaching(body, dataset::Dataset(call.output)).file);
  result.json["picture"] = call.picture;
  result.text += fmt::format("  picture     {}\n", call.picture);
  return result;
}

}  // namespace

void AddTeachCommand(Commands& commands) {
  const auto call = std::make_shared<TeachCall>();
  CLI::App* command = commands.Add(
      "teach",
      "Let trained networks answer a character's true shapes in poses, without simulating it: to learn from.\n"
      "Works for meshes that cannot be filled with flesh, too.",
      "sinew teach hero.glb --poses range.poses -o hero.dataset --model people.model --picture hero.png",
      [call](const Common&) { return RunTeach(*call); });
  command->add_option("CHARACTER", call->character, "A rigged character with weights (.glb, .gltf)")->required();
  command
      ->add_option("--poses", call->poses,
                   "Poses for this character: .poses folders, .bvh files, .glb files or one .glb#ANIMATION")
      ->required()
      ->take_all();
  command->add_option("-o,--output", call->output, "The dataset, a folder")->required();
  command
      ->add_option("--model", call->models,
                   "Networks of 'sinew learn train' (.model) that teach together, instead of those that come with the "
                   "program; may be given several times")
      ->allow_extra_args(false);
  command->add_option("--examples", call->examples,
                      "Dataset of some true shapes of this character, as simulated, that the networks are tuned to");
  command->add_flag("--keep-all", call->options.keep_all,
                    "Keep the shapes of frames that are stranger than what was learned, too");
  AddRoleOption(command, call->options.roles);
  command->add_option("--unit", call->unit, "The character's unit; without it, told from its size")->check(IsUnit());
  command->add_option("--frames", call->frames,
                      "Only frames A to B - 1 of the poses, as A:B; parts made so are joined by 'dataset merge'");
  command->add_option("--minutes", call->minutes, "Begin no frame after so long; --resume goes on; 0: no limit")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--picture", call->picture,
                      "Heat map of where it is far from what was learned, or networks differ (.png)");
  command->add_flag("--resume", call->options.resume, "Go on with a dataset that was begun, where it ended");
}

}  // namespace sinew::cli
