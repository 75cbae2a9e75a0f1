#include "tools/sinew/learn_rig_refine.h"

#include <fmt/format.h>

#include <memory>

#include "sinew/offline/autorig/train_refiner.h"
#include "sinew/offline/autorig/train_weights.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/log.h"

namespace sinew::cli {
namespace {

using corpus::Side;

// Hash of a recipe's text, for the record. Warns if the model was trained on another one.
std::string HashOf(const corpus::Recipe& recipe, const std::string& recipe_file, const learn::Model& model,
                   const std::string& model_file) {
  std::string hash = HashHex(std::as_bytes(std::span(recipe.text)));
  if (!model.recipe_hash.empty() && model.recipe_hash != hash) {
    Warn("{} was trained on another recipe than {}: test bodies of the one may be known to the other", model_file,
         recipe_file);
  }
  return hash;
}

struct RefineRigCall {
  std::string model, recipe, output, unseen_family;
  bool more = false;
  autorig::TrainRefinerOptions options;
};

Result RunRefineRig(RefineRigCall call, const Common& common) {
  learn::Model model = learn::ReadModel(call.model);
  const autorig::RigNetwork network(model, call.model);
  const corpus::Recipe recipe = corpus::ReadRecipe(call.recipe);
  const std::string hash = HashOf(recipe, call.recipe, model, call.model);
  call.options.seed = common.seed;
  const autorig::TrainedRefiner trained =
      autorig::TrainRefiner(autorig::ExampleSource(recipe, call.recipe, Side::kTrain, call.unseen_family),
                            autorig::ExampleSource(recipe, call.recipe, Side::kValidation, call.unseen_family),
                            call.more ? network.refiner() : autorig::JointRefiner(), call.options);
  trained.refiner.Store(model);
  Json distances = Json::array();
  for (const autorig::TrainedRefiner::Distances& of : trained.distances) {
    distances.push_back({{"before", of.before}, {"training", of.training}, {"validation", of.validation}});
  }
  Json figures = *model.figures;
  figures.erase("test");  // of the joints as they were
  // One entry per call: with --more, networks may have been trained on other bodies.
  Json& records = figures["refiner"];
  if (!call.more || !records.is_array()) records = Json::array();
  for (const Json& earlier : records) {
    const auto same = [&](const char* key, const std::string& now) {
      return earlier.is_object() && earlier.contains(key) && earlier.at(key) == now;
    };
    if (same("recipe", hash) && same("unseen_family", call.unseen_family)) continue;
    Warn(
        "{} corrects joints by networks that were trained on other bodies: bodies that are unseen by the one may be "
        "known to the other",
        call.model);
    break;
  }
  records.push_back({{"recipe", hash},
                     {"unseen_family", call.unseen_family},
                     {"stances", call.options.stances},
                     {"draws", call.options.draws},
                     {"width", call.options.width},
                     {"steps", call.options.steps},
                     {"seed", call.options.seed},
                     {"samples", trained.samples},
                     {"distances", distances}});
  model.figures = JsonBox(figures);
  learn::WriteModel(model, call.output);
  Result result;
  result.json = {{"model", call.output},
                 {"samples", trained.samples},
                 {"networks", trained.refiner.networks()},
                 {"distances", distances}};
  for (const autorig::TrainedRefiner::Distances& of : trained.distances) {
    result.text += fmt::format(
        "joints that are {:.2f}% of the height off are {:.2f}% off after one correction (bodies trained on, the badly "
        "wrong counting less: {:.2f}%)\n",
        100 * of.before, 100 * of.validation, 100 * of.training);
  }
  result.text +=
      fmt::format("wrote {}, whose joints {} networks correct in turn\n", call.output, trained.refiner.networks());
  return result;
}

struct RefineWeightsCall {
  std::string model, recipe, output, unseen_family;
  autorig::TrainWeightsOptions options;
};

Result RunRefineWeights(RefineWeightsCall call, const Common& common) {
  learn::Model model = learn::ReadModel(call.model);
  const autorig::RigNetwork network(model, call.model);
  const corpus::Recipe recipe = corpus::ReadRecipe(call.recipe);
  const std::string hash = HashOf(recipe, call.recipe, model, call.model);
  call.options.seed = common.seed;
  const autorig::TrainedWeights trained = autorig::TrainWeights(
      autorig::ExampleSource(recipe, call.recipe, Side::kTrain, call.unseen_family),
      autorig::ExampleSource(recipe, call.recipe, Side::kValidation, call.unseen_family), network, call.options);
  trained.refiner.Store(model);
  Json figures = *model.figures;
  figures.erase("test");  // of the weights as they were
  figures["weight_refiner"] = {{"recipe", hash},
                               {"unseen_family", call.unseen_family},
                               {"stances", call.options.stances},
                               {"places", call.options.places},
                               {"width", call.options.width},
                               {"steps", call.options.steps},
                               {"batch", call.options.batch},
                               {"rate", call.options.rate},
                               {"seed", call.options.seed},
                               {"bodies", trained.bodies},
                               {"before", trained.before},
                               {"after", trained.after}};
  model.figures = JsonBox(figures);
  learn::WriteModel(model, call.output);
  Result result;
  result.json = {{"model", call.output},
                 {"bodies", trained.bodies},
                 {"places", trained.places},
                 {"before", trained.before},
                 {"after", trained.after}};
  result.text = fmt::format(
      "weights that are {:.3f} of 2 off on validation bodies are {:.3f} off after the correction (sum of differences)\n"
      "wrote {}\n",
      trained.before, trained.after, call.output);
  return result;
}

// What both commands take.
template <typename Call>
void AddFiles(CLI::App& app, Call& call) {
  app.add_option("model", call.model, "Model file that `sinew learn rig` wrote")->required();
  app.add_option("recipe", call.recipe, "Recipe of a corpus (.toml), whose bodies are made; it needs no poses")
      ->required();
  app.add_option("-o,--output", call.output, "Model file; may be the same")->required();
  app.add_option("--unseen-family", call.unseen_family, "Family to leave out, for a test of what is not known");
}

void AddRefineRig(Commands& commands) {
  auto call = std::make_shared<RefineRigCall>();
  CLI::App* app = commands.Add(
      "learn refine-rig",
      "Trains what corrects the joints that a rigging network finds, by distances from them to the body's surface,\n"
      "and puts it into the network's model. Takes minutes on the processor, and no libtorch.",
      "sinew learn refine-rig rig.model bodies.toml -o refined.model",
      [call](const Common& common) { return RunRefineRig(*call, common); });
  autorig::TrainRefinerOptions& options = call->options;
  AddFiles(*app, *call);
  app->add_option("--stances", options.stances, "Stances of every body")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--draws", options.draws, "Wrong joints that are drawn in every stance")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--networks", options.networks, "Networks to train, each on what those before it leave")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  app->add_flag("--more", call->more,
                "Keep the networks that the model corrects joints with, and train more behind them");
  app->add_option("--width", options.width, "Units of both hidden layers")
      ->check(CLI::Range(8, 1024))
      ->capture_default_str();
  app->add_option("--steps", options.steps, "Steps of training, per network")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  app->add_option("--rate", options.rate, "Learning rate of the first step; it falls along a cosine")
      ->check(CLI::Range(1e-7, 1.0))
      ->capture_default_str();
}

void AddRefineWeights(Commands& commands) {
  auto call = std::make_shared<RefineWeightsCall>();
  CLI::App* app = commands.Add(
      "learn refine-weights",
      "Trains what corrects the weights that a rigging network finds, by where a vertex lies among the joints, and\n"
      "puts it into the network's model. After `learn refine-rig`. Takes minutes on the processor, and no libtorch.",
      "sinew learn refine-weights rig.model bodies.toml -o refined.model",
      [call](const Common& common) { return RunRefineWeights(*call, common); });
  autorig::TrainWeightsOptions& options = call->options;
  AddFiles(*app, *call);
  app->add_option("--stances", options.stances, "Stances of every body, half of them in costumes")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--places", options.places, "Places of the surface that are looked at in every stance")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app->add_option("--width", options.width, "Units of both hidden layers")
      ->check(CLI::Range(8, 1024))
      ->capture_default_str();
  app->add_option("--steps", options.steps, "Steps of training")->check(CLI::Range(1, 10000000))->capture_default_str();
  app->add_option("--batch", options.batch, "Places per step")->check(CLI::Range(1, 100000))->capture_default_str();
  app->add_option("--rate", options.rate, "Learning rate of the first step; it falls along a cosine")
      ->check(CLI::Range(1e-7, 1.0))
      ->capture_default_str();
}

}  // namespace

void AddLearnRigRefine(Commands& commands) {
  AddRefineRig(commands);
  AddRefineWeights(commands);
}

}  // namespace sinew::cli
