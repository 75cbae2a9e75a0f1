#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/corpus/corpus_info.h"
#include "sinew/offline/corpus/corpus_picture.h"
#include "sinew/offline/corpus/make_corpus.h"
#include "sinew/offline/corpus/merge_corpora.h"
#include "sinew/offline/corpus/merge_packs.h"
#include "sinew/offline/corpus/pack_corpus.h"
#include "sinew/offline/corpus/pack_rig.h"
#include "sinew/offline/render/png.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct MakeCall {
  std::string recipe;
  std::string output;
  std::string part;
  corpus::MakeCorpusOptions options;
};

// text: "i/n", from 1/n to n/n.
void ParsePart(const std::string& text, corpus::MakeCorpusOptions& options) {
  if (text.empty()) return;
  const char* const end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, options.part);
  const bool first = error == std::errc() && slash != end && *slash == '/';
  const auto [stop, second_error] = std::from_chars(first ? slash + 1 : end, end, options.parts);
  const bool second = first && second_error == std::errc() && stop == end;
  if (!second || options.part < 1 || options.part > options.parts) {
    throw UsageError(fmt::format("--part {}: is not I/N with I from 1 to N, as in 1/8", text));
  }
}

Json ToJson(const std::vector<corpus::FailedFrames>& failures) {
  Json json = Json::array();
  for (const corpus::FailedFrames& failed : failures) {
    json.push_back({{"body", failed.body}, {"reason", failed.reason}, {"frames", failed.frames}});
  }
  return json;
}

// Names the failed frames, and says when they are too many.
void ShowFailures(const corpus::MakeCorpusSummary& summary) {
  for (const corpus::FailedFrames& failed : summary.failures) {
    Warn("{}: frames {} have no shape: {}", failed.body, fmt::join(failed.frames, ", "), failed.reason);
  }
  if (summary.failed > corpus::kMaxFailed * summary.frames) {
    Warn("{} of {} frames have no shape, which is more than {:g}%: look at their bodies before training",
         summary.failed, summary.frames, 100 * corpus::kMaxFailed);
  }
}

Result RunMake(MakeCall call) {
  ParsePart(call.part, call.options);
  const corpus::Recipe recipe = corpus::ReadRecipe(call.recipe);
  const OnInterrupt interrupt(
      fmt::format("what is finished is kept in {}, and the same call goes on from there", call.output));
  const corpus::MakeCorpusSummary summary = corpus::MakeCorpus(recipe, call.recipe, call.output, call.options);
  ShowFailures(summary);
  Result result;
  result.json = {
      {"corpus", call.output},         {"complete", summary.complete()}, {"bodies", summary.bodies},
      {"made", summary.made},          {"frames", summary.frames},       {"failed", summary.failed},
      {"made_now", summary.simulated}, {"seconds", summary.seconds},     {"failures", ToJson(summary.failures)}};
  result.text = fmt::format("wrote {}: {} of {} bodies, {} frames, {} of them without a shape; {} frames now in {}\n",
                            call.output, summary.made, summary.bodies, summary.frames, summary.failed,
                            summary.simulated, DurationText(summary.seconds));
  if (!summary.complete()) result.text += "time is up; the same call goes on\n";
  return result;
}

void AddMake(Commands& commands) {
  const auto call = std::make_shared<MakeCall>();
  CLI::App* command =
      commands.Add("corpus make", "Make many bodies, poses of each and their ground truth, or go on with that",
                   "sinew corpus make people.toml -o people.corpus --minutes 30\n"
                   "  sinew corpus make people.toml -o people.3.corpus --part 3/8",
                   [call](const Common&) { return RunMake(*call); });
  command->add_option("RECIPE", call->recipe, "What to make (.toml; docs/formats/corpus.md)")->required();
  command->add_option("-o,--output", call->output, "The corpus, a folder; one that was begun goes on")->required();
  command->add_option(
      "--part", call->part,
      "Only every N-th body from the I-th on, as I/N, for several machines; 'corpus merge' joins parts");
  command->add_option("--minutes", call->options.minutes, "Begin no frame after so long; the same call goes on")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--bodies-at-once", call->options.bodies_at_once,
                   "Bodies in memory at a time; as many as threads without it")
      ->check(CLI::Range(1, 1024));
}

Json ToJson(const std::array<corpus::SideCount, dataset::kSides>& sides) {
  Json json = Json::object();
  for (size_t s = 0; s < sides.size(); ++s) {
    json[dataset::Name(static_cast<dataset::Side>(s))] = {
        {"bodies", sides[s].bodies}, {"identities", sides[s].identities}, {"frames", sides[s].frames}};
  }
  return json;
}

std::string Row(const std::string& family, const std::array<corpus::SideCount, dataset::kSides>& sides) {
  std::string row = fmt::format("  {:<16}", family);
  for (const corpus::SideCount& side : sides) row += fmt::format("{:>7} / {:<8}", side.bodies, side.frames);
  return row + "\n";
}

std::string RigText(const corpus::RigPackManifest& pack);
Json RigJson(const corpus::RigPackManifest& pack);

// Reads all of a rig pack, so that a damaged one is found.
Result RunRigInfo(const std::string& folder) {
  const corpus::RigPackManifest pack = corpus::LoadRigPack(folder).manifest;
  Result result;
  result.json = RigJson(pack);
  result.json["pack"] = folder;
  result.text =
      fmt::format("{}: rig pack \"{}\", seed {}\n  bodies {}\n", folder, pack.name, pack.seed, pack.bodies.size()) +
      RigText(pack);
  return result;
}

Result RunPackInfo(const std::string& folder) {
  const corpus::PackManifest pack = corpus::Pack(folder).manifest();
  int frames = 0;
  for (const corpus::PackEntry& entry : pack.bodies) frames += entry.frames;
  Result result;
  result.json = {{"pack", folder},   {"name", pack.name},     {"seed", pack.seed},      {"bodies", pack.bodies.size()},
                 {"frames", frames}, {"bytes", pack.Bytes()}, {"loss", pack.MeanLoss()}};
  result.text = fmt::format("{}: packed corpus \"{}\", seed {}\n  bodies {}, frames {}; {:.1f} MB, {:.1f}% lost\n",
                            folder, pack.name, pack.seed, pack.bodies.size(), frames,
                            1e-6 * static_cast<double>(pack.Bytes()), 100 * pack.MeanLoss());
  return result;
}

Result RunInfo(const std::string& folder) {
  if (corpus::IsRigPack(folder)) return RunRigInfo(folder);
  if (corpus::IsPack(folder)) return RunPackInfo(folder);
  const corpus::Corpus corpus(folder, {.unseen_family = "", .allow_missing = true});
  const corpus::CorpusCount count = corpus::CountCorpus(corpus);
  const corpus::CorpusManifest& manifest = corpus.manifest();
  Result result;
  result.json = {{"corpus", folder},       {"name", manifest.name},      {"seed", manifest.seed},
                 {"bodies", count.made},   {"missing", count.missing},   {"frames", count.frames},
                 {"failed", count.failed}, {"sides", ToJson(count.all)}, {"test_families", manifest.test_families}};
  for (const auto& [family, sides] : count.families) result.json["families"][family] = ToJson(sides);
  for (const corpus::CorpusBody& body : manifest.bodies) {
    result.json["list"].push_back({{"name", body.name},
                                   {"family", body.family},
                                   {"identity", body.identity},
                                   {"split", dataset::Name(body.side)},
                                   {"vertices", body.vertices},
                                   {"frames", body.frames},
                                   {"failed", body.failed}});
  }
  result.text = fmt::format(
      "{}: \"{}\", seed {}\n  bodies {}, missing {}; frames {}, without a shape {}; clips {}\n\n"
      "  bodies / frames  {:<18}{:<18}{}\n",
      folder, manifest.name, manifest.seed, count.made, count.missing, count.frames, count.failed,
      manifest.clips.size(), "train", "validation", "test");
  for (const auto& [family, sides] : count.families) result.text += Row(family, sides);
  result.text += Row("all", count.all);
  return result;
}

Result RunCheck(const std::string& folder) {
  const std::vector<std::string> damage = corpus::FindCorpusDamage(folder);
  if (damage.size() > 1) throw FailedError(fmt::format("{}; and {} more places", damage[0], damage.size() - 1));
  if (!damage.empty()) throw FailedError(damage[0]);
  Result result;
  result.json = {{"corpus", folder}, {"whole", true}};
  result.text = fmt::format("{}: all bodies are there and as they were made, and no side has seen another\n", folder);
  return result;
}

void AddLooks(Commands& commands) {
  const auto info = std::make_shared<std::string>(), check = std::make_shared<std::string>();
  commands
      .Add("corpus info", "Count the bodies and frames of a corpus, by family and side",
           "sinew corpus info people.corpus", [info](const Common&) { return RunInfo(*info); })
      ->add_option("CORPUS", *info, "The folder of a corpus, a packed corpus or a rig pack")
      ->required();
  commands
      .Add("corpus check", "Read all of a corpus: checksums, bodies that are missing, leaks between its sides",
           "sinew corpus check people.corpus", [check](const Common&) { return RunCheck(*check); })
      ->add_option("CORPUS", *check, "A corpus's folder")
      ->required();
}

struct MergeCall {
  std::vector<std::string> parts;
  std::string output;
};

Result RunMergePacks(const MergeCall& call) {
  const corpus::PackManifest pack = corpus::MergePacks(call.output, {call.parts.begin(), call.parts.end()});
  Result result;
  result.json = {{"pack", call.output}, {"bodies", pack.bodies.size()}, {"bytes", pack.Bytes()}};
  result.text = fmt::format("wrote {}: {} bodies of {} packs in {:.1f} MB\n", call.output, pack.bodies.size(),
                            call.parts.size(), 1e-6 * static_cast<double>(pack.Bytes()));
  return result;
}

Result RunMerge(const MergeCall& call) {
  if (corpus::IsPack(call.parts[0])) return RunMergePacks(call);
  const corpus::MergeCorporaSummary summary = corpus::MergeCorpora(call.output, {call.parts.begin(), call.parts.end()});
  Result result;
  result.json = {{"corpus", call.output}, {"bodies", summary.bodies}, {"missing", summary.missing}};
  result.text = fmt::format("wrote {}: {} bodies of {} parts\n", call.output, summary.bodies, call.parts.size());
  if (!summary.missing.empty()) {
    Warn("{} bodies are in no part, the first is {}", summary.missing.size(), summary.missing[0]);
  }
  return result;
}

void AddMerge(Commands& commands) {
  const auto call = std::make_shared<MergeCall>();
  CLI::App* command = commands.Add("corpus merge", "Join parts of a corpus, or packs of them, that were made apart",
                                   "sinew corpus merge people.1.corpus people.2.corpus -o people.corpus",
                                   [call](const Common&) { return RunMerge(*call); });
  command->add_option("CORPUS", call->parts, "The parts, made of one recipe with --part, or packs of them")->required();
  command->add_option("-o,--output", call->output, "The corpus or pack to write; an older one there is replaced")
      ->required();
}

void AddPicture(Commands& commands) {
  struct Call {
    std::string corpus, output;
    corpus::CorpusPictureOptions options;
  };
  const auto call = std::make_shared<Call>();
  const auto run = [call](const Common&) {
    const corpus::Corpus corpus(call->corpus, {.unseen_family = "", .allow_missing = true});
    const render::Image picture = corpus::DrawCorpus(corpus, call->options);
    render::WritePng(call->output, picture);
    Result result;
    result.json = {{"picture", call->output}, {"width", picture.width}, {"height", picture.height}};
    result.text = fmt::format("wrote {}: {} x {}\n", call->output, picture.width, picture.height);
    return result;
  };
  CLI::App* command =
      commands.Add("corpus picture", "Draw bodies of a corpus, at rest and in poses as their truth has them",
                   "sinew corpus picture people.corpus -o people.png --bodies 8 --poses 3", run);
  command->add_option("CORPUS", call->corpus, "A corpus's folder")->required();
  command->add_option("-o,--output", call->output, "The picture (.png)")->required();
  command->add_option("--bodies", call->options.bodies, "So many bodies, spread over the corpus")
      ->check(CLI::Range(1, 50))
      ->capture_default_str();
  command->add_option("--poses", call->options.poses, "So many poses of each")
      ->check(CLI::Range(0, 30))
      ->capture_default_str();
  command->add_option("--size", call->options.height, "Height and width of one panel in pixels")
      ->check(CLI::Range(16, 2000))
      ->capture_default_str();
}

struct PackCall {
  std::string corpus, output, rig;
  corpus::PackOptions options;
  corpus::PackRigOptions rig_options;
};

std::string RigText(const corpus::RigPackManifest& pack) {
  std::string text;
  for (const corpus::RigTopologyEntry& entry : pack.topologies) {
    text += fmt::format("  topology {}: {} points, {} shapes, {} connectivities to train and {} to test with\n",
                        entry.name, entry.points, entry.shapes, entry.training_maps, entry.test_maps);
  }
  const auto tests = std::count_if(pack.dress.begin(), pack.dress.end(),
                                   [](const corpus::RigDress& dress) { return dress.side == dataset::Side::kTest; });
  return text + fmt::format("  dress recipes: {} to train and {} to test with\n",
                            static_cast<int64_t>(pack.dress.size()) - tests, tests);
}

Json RigJson(const corpus::RigPackManifest& pack) {
  Json json = {
      {"name", pack.name}, {"bytes", pack.Bytes()}, {"bodies", pack.bodies.size()}, {"topologies", Json::array()}};
  for (const corpus::RigTopologyEntry& entry : pack.topologies) {
    json["topologies"].push_back({{"name", entry.name},
                                  {"bytes", entry.bytes},
                                  {"points", entry.points},
                                  {"shapes", entry.shapes},
                                  {"training_maps", entry.training_maps},
                                  {"test_maps", entry.test_maps}});
  }
  json["dress"] = pack.dress.size();
  return json;
}

Result RunPackRig(const PackCall& call) {
  const corpus::Recipe recipe = corpus::ReadRecipeOrCorpus(call.rig);
  const corpus::RigPackManifest pack = corpus::PackRig(recipe, call.rig, call.output, call.rig_options);
  Result result;
  result.json = RigJson(pack);
  result.json["pack"] = call.output;
  result.text = fmt::format("wrote {}: {} bodies in {:.1f} MB\n", call.output, pack.bodies.size(),
                            1e-6 * static_cast<double>(pack.Bytes())) +
                RigText(pack);
  return result;
}

Result RunPack(const PackCall& call) {
  if (call.corpus.empty() == call.rig.empty()) throw UsageError("pack either a CORPUS or a --rig RECIPE");
  if (!call.rig.empty()) return RunPackRig(call);
  const corpus::Corpus corpus(call.corpus, {.unseen_family = "", .allow_missing = true});
  const size_t missing = corpus.manifest().bodies.size() - corpus.Bodies().size();
  if (missing > 0) Warn("{} bodies of the recipe are not there; 'corpus merge' joins packs of parts", missing);
  const corpus::PackManifest pack = corpus::PackCorpus(corpus, call.output, call.options);
  int frames = 0;
  double worst = 0;
  Result result;
  for (const corpus::PackEntry& entry : pack.bodies) {
    frames += entry.frames;
    worst = std::max(worst, entry.loss);
    result.json["bodies"].push_back({{"name", entry.body.name},
                                     {"bytes", entry.bytes},
                                     {"points", entry.points},
                                     {"modes", entry.modes},
                                     {"frames", entry.frames},
                                     {"mean_residual_mm", entry.mean_residual_mm},
                                     {"loss", entry.loss}});
  }
  result.json["pack"] = call.output;
  result.json["bytes"] = pack.Bytes();
  result.json["frames"] = frames;
  result.json["loss"] = pack.MeanLoss();
  result.json["worst_loss"] = worst;
  result.text = fmt::format(
      "wrote {}: {} frames of {} bodies in {:.1f} MB; {:.1f}% of the mean residual is lost, {:.1f}% of the worst "
      "body's\n",
      call.output, frames, pack.bodies.size(), 1e-6 * static_cast<double>(pack.Bytes()), 100 * pack.MeanLoss(),
      100 * worst);
  if (worst > call.options.modes.max_loss) {
    Warn("a body lost {:.1f}% of its mean residual, which is more than the {:g}% asked for", 100 * worst,
         100 * call.options.modes.max_loss);
  }
  return result;
}

void AddPack(Commands& commands) {
  const auto call = std::make_shared<PackCall>();
  CLI::App* command = commands.Add("corpus pack", "Pack what training needs of a corpus into a size that travels",
                                   "sinew corpus pack people.corpus -o people.pack\n"
                                   "  sinew corpus pack --rig people.toml -o people.rig",
                                   [call](const Common&) { return RunPack(*call); });
  command->add_option("CORPUS", call->corpus, "A corpus's folder");
  command->add_option(
      "--rig", call->rig,
      "Instead: a recipe, or a corpus with its recipe, of which shapes, joints, weights, connectivities\n"
      "and dress recipes are packed, for a rigging network");
  corpus::PackRigOptions& rig = call->rig_options;
  command->add_option("--connectivities", rig.training_maps, "With --rig: meshes per topology to train with")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command->add_option("--test-connectivities", rig.test_maps, "With --rig: meshes per topology to test with")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command->add_option("--dress", rig.training_dress, "With --rig: dress recipes to train with")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command->add_option("--test-dress", rig.test_dress, "With --rig: dress recipes to test with")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command->add_option("-o,--output", call->output, "The pack, a folder; an older one there is replaced")->required();
  command->add_option("--points", call->options.points, "About so many points of each body")
      ->check(CLI::Range(100, corpus::kMaxPackedPoints))
      ->capture_default_str();
  command->add_option("--loss", call->options.modes.max_loss, "Share of the mean residual that may be lost")
      ->check(CLI::Range(0.001, 1.0))
      ->capture_default_str();
}

}  // namespace

void AddCorpusCommand(Commands& commands) {
  commands.AddGroup("corpus", "Many bodies to learn from: make, look at, check, join and pack them");
  AddMake(commands);
  AddLooks(commands);
  AddMerge(commands);
  AddPicture(commands);
  AddPack(commands);
}

}  // namespace sinew::cli
