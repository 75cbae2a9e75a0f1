#include "sinew/offline/rigsurvey/rig_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/mesh/surface_map.h"

namespace sinew::rigsurvey {
namespace {

using autorig::ExampleSource;
using autorig::HeightOf;
using autorig::JointPositions;
using autorig::KnownBody;
using autorig::MakeWeightedBody;
using autorig::Placed;
using autorig::Rig;
using autorig::RigNetwork;
using autorig::StanceRange;
using autorig::Stand;
using autorig::TakeRig;
using autorig::WeightedBody;
using learn::RowMatrix;

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kOtherVertices = 3000;
constexpr uint64_t kOtherSeeds = 1000000;  // far from those that limits of doubt are found with
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kMostTilt = 25;                                     // degrees
constexpr std::array<double, 4> kUnits = {100, 1000, 39.37, 3.281};  // centimetres, millimetres, inches, feet
// Of an A-pose: arms 30 to 60 degrees down, legs 5 to 10 degrees apart.
constexpr StanceRange kAPose = {.arms_down = 60, .legs_apart = 10, .elbows = 10, .turn = 0, .least = 0.5};

// Turned about the vertical by any angle, and tilted by less than kMostTilt.
Matrix3d DrawTilt(Random& random) {
  const Eigen::AngleAxisd turn(random.Uniform(0, 360) * kDegree, Vector3d::UnitY());
  const double way = random.Uniform(0, 360) * kDegree;
  const Eigen::AngleAxisd tilt(random.Uniform(0, kMostTilt) * kDegree, Vector3d(std::cos(way), 0, std::sin(way)));
  return (tilt * turn).toRotationMatrix();
}

// Up and front along axes of the file, but not as they are here.
Matrix3d DrawAxes(Random& random) {
  while (true) {
    const int up = static_cast<int>(random.Below(3)), front = (up + 1 + static_cast<int>(random.Below(2))) % 3;
    Matrix3d turn = Matrix3d::Zero();
    turn(up, 1) = random.Below(2) == 0 ? 1 : -1;
    turn(front, 2) = random.Below(2) == 0 ? 1 : -1;
    turn.col(0) = turn.col(1).cross(turn.col(2));
    if (!turn.isIdentity()) return turn;
  }
}

// A body as it is rigged in all of its groups.
std::vector<KnownBody> CasesOf(const WeightedBody& rest, const corpus::CorpusBody& body, Random& random) {
  const double stature = HeightOf(rest.surface);
  const auto take = [&](const WeightedBody& standing, const char* group) {
    KnownBody known = TakeRig(standing, stature, body.name, group);
    known.family = body.family;
    return known;
  };
  if (body.dress >= 0 || !body.garment.empty()) return {take(rest, kGroupDressed)};
  std::vector<KnownBody> cases;
  cases.push_back(take(rest, kGroupT));
  cases.push_back(take(Stand(rest, kAPose, random.Bits()), kGroupA));
  cases.push_back(Placed(take(rest, kGroupTurned), DrawTilt(random), 1));
  const double unit = kUnits[random.Below(static_cast<uint32_t>(kUnits.size()))];
  cases.push_back(Placed(take(rest, kGroupAxes), DrawAxes(random), unit));
  return cases;
}

std::vector<RigOutcome> RigCases(const std::vector<KnownBody>& cases, const RigNetwork& network,
                                 const SurveyOptions& options) {
  std::vector<RigOutcome> outcomes;
  for (const KnownBody& each : cases) {
    OutcomeOptions how;
    how.rig.seed = options.seed;
    how.heat = options.heat && each.group == kGroupT;
    how.delta_mush = options.delta_mush && each.group == kGroupT;
    outcomes.push_back(RigAndCompare(each, network, how));
  }
  return outcomes;
}

std::vector<RigOutcome> Flatten(std::vector<std::vector<RigOutcome>> nested) {
  std::vector<RigOutcome> all;
  for (std::vector<RigOutcome>& some : nested) std::move(some.begin(), some.end(), std::back_inserter(all));
  return all;
}

// Weights of a remeshing at the vertices of another surface.
Eigen::MatrixXd WeightsAt(const TriMesh& surface, const TriMesh& remeshed, const RowMatrix& weights) {
  std::vector<Vector3d> points;
  for (int v = 0; v < surface.vertex_count(); ++v) points.emplace_back(surface.positions.row(v).cast<double>());
  const SurfaceMap map = MapToClosest(SurfaceQuery(remeshed), points);
  return Interpolate(map, remeshed.triangles, weights.cast<double>());
}

double SpreadOfJoints(const std::vector<JointPositions>& joints, double stature) {
  JointPositions mean = JointPositions::Zero();
  for (const JointPositions& each : joints) mean += each / static_cast<double>(joints.size());
  double largest = 0;
  for (const JointPositions& each : joints) largest = std::max(largest, (each - mean).rowwise().norm().maxCoeff());
  return largest / stature;
}

// Mean over vertices and pairs of the sum of |w - w'|.
double SpreadOfWeights(const std::vector<Eigen::MatrixXd>& weights) {
  double sum = 0;
  int pairs = 0;
  for (size_t a = 0; a < weights.size(); ++a) {
    for (size_t b = 0; b < a; ++b, ++pairs) {
      sum += (weights[a] - weights[b]).cwiseAbs().sum() / static_cast<double>(weights[a].rows());
    }
  }
  return pairs > 0 ? sum / pairs : 0;
}

}  // namespace

std::vector<RigOutcome> SurveyRecipe(const RigNetwork& network, const ExampleSource& source,
                                     const SurveyOptions& options) {
  std::vector<std::vector<RigOutcome>> outcomes(options.bodies);
  Progress progress("Rigging", options.bodies, "bodies");
  ParallelFor(options.bodies, 1, [&](int k) {
    // Evenly over all families; once more from the start, on other meshes, if there are too few.
    const int64_t spread = std::max(1, source.bodies() / options.bodies);
    const int b = static_cast<int>(k * spread % source.bodies());
    const std::string& name = source.body(b).name;
    Random random(options.seed, k);
    try {
      const Character character = source.MakeCharacter(b);
      const bodies::RemeshRecipe recipe =
          bodies::DrawRemesh(bodies::PointCount(character, name), options.fewest, options.most, random.Bits());
      const WeightedBody rest = MakeWeightedBody(bodies::RemeshCharacter(character, recipe, name).character, name);
      outcomes[k] = RigCases(CasesOf(rest, source.body(b), random), network, options);
    } catch (const InputError& error) {
      Warn("{} is left out: {}", name, error.what());
    }
    progress.Advance(1);
  });
  return Flatten(std::move(outcomes));
}

std::vector<RigOutcome> SurveyOthers(const RigNetwork& network, const SurveyOptions& options) {
  std::vector<RigOutcome> all;
  for (const embedded::Kind& kind : embedded::Kinds()) {
    if (kind.name == "biped" || kind.name == "cartoon" || options.others == 0) continue;
    const embedded::CharacterMaker maker(kind, kOtherVertices);
    std::vector<std::vector<RigOutcome>> outcomes(options.others);
    ParallelFor(options.others, 1, [&](int k) {
      try {
        const Character character = maker.Make(embedded::RandomShape(kind.parameters, kOtherSeeds + options.seed + k));
        const std::string name = fmt::format("{} {}", kind.name, k + 1);
        outcomes[k] = RigCases({TakeRig(character, kGroupOthers, name)}, network, options);
      } catch (const FailedError&) {  // a shape that folds over
      }
    });
    for (RigOutcome& outcome : Flatten(std::move(outcomes))) all.push_back(std::move(outcome));
  }
  return all;
}

RemeshSpread SurveyRemeshings(const RigNetwork& network, const Character& character, const SurveyOptions& options,
                              const std::string& file) {
  const WeightedBody source = MakeWeightedBody(character, file);
  const double stature = HeightOf(source.surface);
  RemeshSpread spread;
  std::vector<JointPositions> joints;
  std::vector<Eigen::MatrixXd> weights;
  Progress progress("Rigging on other meshes", options.remeshings, "meshes");
  for (int k = 0; k < options.remeshings; ++k) {
    const double share = options.remeshings > 1 ? k / (options.remeshings - 1.0) : 0;
    const double ratio = static_cast<double>(options.remesh_most) / options.remesh_fewest;
    bodies::RemeshRecipe recipe;
    recipe.vertices = static_cast<int>(std::lround(options.remesh_fewest * std::pow(ratio, share)));
    // Between the ends of what DrawRemesh() draws. One edge length everywhere is no mesh of the same body: where edges
    // are longer than a toe is thick, it melts. Every second mesh is edited by flips, too.
    recipe.exponent = k % 2 == 0 ? 0.7 : 0.3;
    recipe.flips = k % 2 == 0 ? 0 : 0.2;
    recipe.seed = options.seed + k;
    const WeightedBody rest = MakeWeightedBody(bodies::RemeshCharacter(character, recipe, file).character, file);
    const KnownBody body = TakeRig(rest, stature, fmt::format("{} on mesh {}", file, k + 1), kGroupRemeshed);
    Rig rig;
    spread.outcomes.push_back(RigAndCompare(body, network, {}, &rig));
    progress.Advance(1);
    if (!spread.outcomes.back().rigged()) continue;
    joints.push_back(rig.joints);
    weights.push_back(WeightsAt(source.surface, rest.surface, WeightsOf(rig)));
  }
  if (joints.empty()) return spread;
  spread.joints = SpreadOfJoints(joints, stature);
  spread.weights = SpreadOfWeights(weights);
  return spread;
}

}  // namespace sinew::rigsurvey
