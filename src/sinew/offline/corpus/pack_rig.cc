#include "sinew/offline/corpus/pack_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "sinew/offline/bodies/dress.h"
#include "sinew/offline/bodies/mix_bodies.h"
#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/make_body.h"
#include "sinew/offline/corpus/packed_numbers.h"
#include "sinew/offline/corpus/plan.h"
#include "sinew/offline/corpus/point_guesses.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

constexpr float kSameWeights = 1.0f / kWeightSteps;  // difference up to which bodies share their weights

// 48 bits, so that every JSON reader keeps them.
uint64_t SeedOf(const Recipe& recipe, const std::string& what, Side side, int i) {
  const std::string text = fmt::format("{}/rig/{}/{}/{}", recipe.seed, what, dataset::Name(side), i);
  return std::stoull(HashHex(std::as_bytes(std::span(text))).substr(0, 12), nullptr, 16);
}

// Limits of a garment; null: none.
Json Limits(std::span<const double> values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(std::isfinite(value) ? Json(value) : Json());
  return json;
}

std::string DressText(const bodies::DressRecipe& recipe) {
  Json json = {{"garments", Json::array()}};
  for (const bodies::Garment& garment : recipe.garments) {
    json["garments"].push_back({{"name", garment.name},
                                {"low", Limits(garment.low)},
                                {"high", Limits(garment.high)},
                                {"thickness", garment.thickness},
                                {"flare", garment.flare}});
  }
  return JsonText(json);
}

// Draws recipes until there are as many different ones as asked for; none is on both sides.
void DrawDressRecipes(const Recipe& recipe, const PackRigOptions& options, std::vector<RigDress>& dress) {
  std::set<std::string> texts;
  for (const Side side : {Side::kTrain, Side::kTest}) {
    const int wanted = side == Side::kTrain ? options.training_dress : options.test_dress;
    for (int i = 0, count = 0; count < wanted && i < 100 * wanted; ++i) {
      const uint64_t seed = SeedOf(recipe, "dress", side, i);
      const std::string text = DressText(bodies::DrawDress(seed));
      if (!texts.insert(text).second) continue;
      dress.push_back({.side = side, .seed = seed, .recipe = text});
      ++count;
    }
  }
}

SkinWeights WeightsOfPoints(const RestSurface& surface) {
  SkinWeights weights{.influences = kPackedInfluences, .joints = {}, .weights = {}};
  for (const int vertex : surface.welding.first_of) {
    const Influences& influences = surface.influences[vertex];
    for (int k = 0; k < kPackedInfluences; ++k) {
      const bool used = k < influences.count;
      weights.joints.push_back(used ? static_cast<uint16_t>(influences.joints[k]) : uint16_t{0});
      weights.weights.push_back(used ? static_cast<float>(influences.weights[k]) : 0.0f);
    }
    // A point that no joint moves follows the root.
    if (influences.count == 0) weights.weights[weights.weights.size() - kPackedInfluences] = 1;
  }
  return weights;
}

Points InModelSpace(const Points& bind, const RestPlacement& placement) {
  const Eigen::Affine3f map = placement.model_from_bind.cast<float>();
  return (bind * map.linear().transpose()).rowwise() + map.translation().transpose();
}

// Builds a topology from its bodies one by one.
class TopologyMaker {
 public:
  TopologyMaker(std::string name, std::string file) : file_(std::move(file)) { topology_.name = std::move(name); }

  void Add(const std::string& body, const Character& character) {
    RestSurface surface = CollectRestSurface(character);
    const std::string file = fmt::format("body {}", body);
    RefuseBadPositions(character, surface, file);
    if (topology_.shapes.empty()) {
      Begin(character, surface);
      first_ = character;
      first_name_ = body;
    }
    const std::string reason = bodies::WhyNotMixed({file, &character}, {"body " + first_name_, &first_});
    if (!reason.empty()) throw InputError(file_, file, reason, "give its group another 'topology'");
    // All bodies are welded as the first one is.
    surface.welding = welding_;
    RigShape shape;
    shape.body = body;
    shape.rest = InModelSpace(surface.mesh.positions, surface.placement)(welding_.first_of, Eigen::all);
    shape.joints.resize(character.skeleton.joint_count(), 3);
    for (int j = 0; j < character.skeleton.joint_count(); ++j) {
      const Eigen::Vector3d at =
          (surface.placement.model_from_bind * surface.placement.bind_from_joint[j]).translation();
      shape.joints.row(j) = at.transpose().cast<float>();
    }
    shape.weights = WeightsOfPoints(surface);
    topology_.shapes.push_back(std::move(shape));
  }

  // Returns the topology without maps.
  RigTopology Finish() {
    const SkinWeights& first = topology_.shapes[0].weights;
    const auto same = [&first](const RigShape& shape) {
      const auto near = [](float a, float b) { return std::abs(a - b) <= kSameWeights; };
      return shape.weights.joints == first.joints &&
             std::equal(first.weights.begin(), first.weights.end(), shape.weights.weights.begin(), near);
    };
    if (std::all_of(topology_.shapes.begin(), topology_.shapes.end(), same)) {
      topology_.weights = first;
      for (RigShape& shape : topology_.shapes) shape.weights = {};
    }
    return std::move(topology_);
  }

 private:
  void Begin(const Character& character, const RestSurface& surface) {
    for (const Joint& joint : character.skeleton.joints) {
      topology_.joints.push_back(joint.name);
      topology_.parents.push_back(joint.parent);
    }
    if (topology_.joints.size() > 256) {
      throw InputError(file_, topology_.name, "has more than 256 joints", "leave it out");
    }
    welding_ = surface.welding;
    topology_.triangles = surface.welded.triangles;
  }

  std::string file_, first_name_;
  Character first_;
  Welding welding_;
  RigTopology topology_;
};

// Numbers the points of a map along its surface, so that it takes few bytes.
void Renumber(RigMap& map) {
  const std::vector<int> order = AlongSurface(map.triangles, map.point_count());
  const RigMap old = map;
  std::vector<int> number(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    number[order[i]] = static_cast<int>(i);
    map.sources[i] = old.sources[order[i]];
    map.weights[i] = old.weights[order[i]];
  }
  for (int& corner : map.triangles.reshaped()) corner = number[corner];
}

// Meshes one of the shapes anew.
RigMap MakeMap(const RigTopology& topology, Side side, uint64_t seed, const PackRigOptions& options) {
  Character character;
  Part part;
  part.mesh = {topology.shapes[seed % topology.shapes.size()].rest, topology.triangles};
  character.parts.push_back(part);
  const bodies::RemeshRecipe recipe =
      bodies::DrawRemesh(topology.point_count(), options.fewest_points, options.most_points, seed);
  const bodies::MadeBody made = bodies::RemeshCharacter(character, recipe, topology.name);
  RigMap map;
  map.side = side;
  map.seed = seed;
  map.base = bodies::NameOf(recipe.base);
  map.triangles = made.character.parts[0].mesh.triangles;
  const Triangles source = bodies::SourceSurface(character, topology.name).triangles;
  for (int i = 0; i < made.map.count(); ++i) {
    std::array<int, 3> corners = {0, 1, 2};
    const Eigen::Vector3f& b = made.map.barycentric[i];
    std::stable_sort(corners.begin(), corners.end(), [&b](int x, int y) { return b[x] > b[y]; });
    const int t = made.map.triangles[i];
    map.sources.push_back({source(t, corners[0]), source(t, corners[1]), source(t, corners[2])});
    map.weights.push_back({b[corners[0]], b[corners[1]], b[corners[2]]});
  }
  Renumber(map);
  return map;
}

void MakeMaps(const Recipe& recipe, const PackRigOptions& options, RigTopology& topology) {
  const int count = options.training_maps + options.test_maps;
  topology.maps.resize(static_cast<size_t>(count));
  Progress progress("meshing " + topology.name, count, "meshes");
  ParallelFor(count, 1, [&](int i) {
    const Side side = i < options.training_maps ? Side::kTrain : Side::kTest;
    topology.maps[i] = MakeMap(topology, side, SeedOf(recipe, topology.name, side, i), options);
    progress.Advance();
  });
}

void WritePart(const fs::path& path, const Bytes& bytes, const std::string& name, const PackRigOptions& options) {
  if (bytes.size() > options.max_part) {
    throw FailedError(
        fmt::format("{} of topology \"{}\" takes {:.1f} MiB, and a part may have {:.1f}; ask for fewer "
                    "connectivities or bodies",
                    path.filename().string(), name, std::ldexp(bytes.size(), -20), std::ldexp(options.max_part, -20)));
  }
  WriteFileAtomic(path, bytes);
}

RigTopologyEntry WriteTopology(const fs::path& folder, int t, const RigTopology& topology,
                               const PackRigOptions& options) {
  const Bytes shapes = FormatRigShapes(topology), maps = FormatRigMaps(topology);
  WritePart(folder / RigShapesFile(t), shapes, topology.name, options);
  WritePart(folder / RigMapsFile(t), maps, topology.name, options);
  return {.name = topology.name,
          .shapes_hash = HashHex(shapes),
          .maps_hash = HashHex(maps),
          .bytes = static_cast<int64_t>(shapes.size() + maps.size()),
          .points = topology.point_count(),
          .shapes = static_cast<int>(topology.shapes.size()),
          .training_maps = options.training_maps,
          .test_maps = options.test_maps};
}

}  // namespace

Recipe ReadRecipeOrCorpus(const fs::path& path) {
  if (!IsCorpus(path)) return ReadRecipe(path);
  const Corpus corpus(path, {.unseen_family = "", .allow_missing = true});
  return ParseRecipe(corpus.manifest().recipe, (path / "").parent_path().parent_path() / "recipe.toml");
}

RigPackManifest PackRig(const Recipe& recipe, const std::string& file, const fs::path& folder,
                        const PackRigOptions& options) {
  const CorpusManifest plan = PlanCorpus(recipe, file);
  RigPackManifest manifest{.name = recipe.name,
                           .seed = recipe.seed,
                           .recipe = recipe.text,
                           .test_families = plan.test_families,
                           .bodies = {},
                           .topologies = {},
                           .dress = {}};
  std::vector<int> bodies;
  std::vector<std::string> topologies;
  for (int b = 0; b < static_cast<int>(plan.bodies.size()); ++b) {
    const CorpusBody& body = plan.bodies[b];
    if (body.side == Side::kTest || !body.parents.empty()) continue;
    bodies.push_back(b);
    manifest.bodies.push_back(body);
    const bool known = std::find(topologies.begin(), topologies.end(), body.topology) != topologies.end();
    if (!known) topologies.push_back(body.topology);
  }
  if (bodies.empty()) throw InputError(file, "", "has no body to train on or to validate with", "nothing is packed");
  DrawDressRecipes(recipe, options, manifest.dress);
  BodyMaker maker(recipe, plan);
  maker.CheckFiles(bodies);
  maker.Prepare(bodies);
  WriteFolderAtomic(folder, IsRigPack, [&](const fs::path& target) {
    fs::create_directories(target / "topologies");
    for (size_t t = 0; t < topologies.size(); ++t) {
      TopologyMaker topology_maker(topologies[t], file);
      for (const int b : bodies) {
        if (plan.bodies[b].topology == topologies[t]) topology_maker.Add(plan.bodies[b].name, maker.MakeBase(b));
      }
      RigTopology topology = topology_maker.Finish();
      MakeMaps(recipe, options, topology);
      RoundToRigPack(topology);
      manifest.topologies.push_back(WriteTopology(target, static_cast<int>(t), topology, options));
    }
    WriteFileAtomic(target / kRigPackFile, FormatRigPackManifest(manifest));
  });
  return manifest;
}

}  // namespace sinew::corpus
