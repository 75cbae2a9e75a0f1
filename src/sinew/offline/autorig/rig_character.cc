#include "sinew/offline/autorig/rig_character.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sinew/offline/autorig/find_frame.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/winding_number.h"
#include "sinew/offline/skincells/skin_character.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::autorig {
namespace {

// Votes this many times further apart than usual are those of something else than a biped, and so are joints of which a
// third is outside of the body.
constexpr double kNoBiped = 3;
constexpr int kMostOutside = kJoints / 3;

TriMesh InFrame(const TriMesh& mesh, const BodyFrame& frame) {
  return {frame.PointsToCanonical(mesh.positions), mesh.triangles};
}

// Joints that are hardly outside are moved inside: to the middle of the body behind the nearest point of its surface.
constexpr double kNudge = 0.012;  // share of the height that a joint may move

void NudgeInside(const TriMesh& surface, JointPositions& joints) {
  const WindingNumber winding(surface);
  const SurfaceQuery query(surface);
  const Points normals = VertexNormals(surface);
  for (int j = 0; j < kJoints; ++j) {
    const Eigen::Vector3f place = joints.row(j).cast<float>().transpose();
    if (winding.Inside(place)) continue;
    const auto at = query.Closest(place, kNudge);
    if (!at) continue;
    const Eigen::Vector3d inward = -SideOf(surface, normals, *at, place.cast<double>()).normal;
    const auto behind = query.Shoot(at->point.cast<float>(), inward.cast<float>(), 1e-4F, 2 * kNudge);
    const double depth = std::min(kNudge - at->distance, behind ? behind->distance / 2 : kNudge);
    joints.row(j) = (at->point + depth * inward).transpose();
  }
}

// How much speaks against a rig: votes that lie far apart, and joints outside of the body.
double DoubtOf(const RigAnswer& answer, const TriMesh& canonical, const RigNetwork& network) {
  const double outside = static_cast<double>(JointsOutside(answer.joints, canonical).size()) / kMostOutside;
  return answer.MeanSpread() / network.usual().spread + outside;
}

// The turn that least speaks against, on a coarse surface. Turns about the most symmetric plane come first, and if the
// network is sure of one of them, no other plane is tried.
Eigen::Matrix3d BestTurn(const TriMesh& coarse, const RigNetwork& network) {
  constexpr int kTurnsOfPlane = 8;
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Eigen::Matrix3d> turns = CandidateTurns(coarse);
  for (size_t k = 0; k < turns.size(); ++k) {
    if (k % kTurnsOfPlane == 0 && least <= 1) break;
    const TriMesh canonical = InFrame(coarse, MeasureFrame(coarse, turns[k]));
    const double doubt = DoubtOf(network.Evaluate(MakeEdgeInput(canonical)), canonical, network);
    if (doubt < least) {
      least = doubt;
      best = turns[k];
    }
  }
  return best;
}

void RefuseOthers(const RigAnswer& answer, const TriMesh& canonical, const RigNetwork& network,
                  const std::string& file) {
  const double spread = answer.MeanSpread() / network.usual().spread;
  const auto outside = static_cast<int>(JointsOutside(answer.joints, canonical).size());
  if (spread <= kNoBiped && outside <= kMostOutside) return;
  throw InputError(
      file, "",
      fmt::format("is not a biped, or in no pose between T and A: votes for its joints lie {:.1f} times as "
                  "far apart as those of known bodies, and {} of {} joints are outside of the body",
                  spread, outside, kJoints),
      "rig it by hand, and use `sinew skin` for its weights");
}

// A skeleton in the file's space: joints have the axes of the body, so that names and limits mean what they say.
Skeleton MakeSkeleton(const JointPositions& joints, const BodyFrame& frame, const JointNames& names) {
  Skeleton skeleton;
  const Eigen::Quaternionf turn(Eigen::Matrix3f(frame.turn.transpose().cast<float>()));
  for (int j = 0; j < kJoints; ++j) {
    Joint joint;
    joint.name = names[j];
    joint.parent = BipedJoints()[j].parent;
    joint.rest = Transform{};
    Eigen::Vector3d place = joints.row(j).transpose();
    if (joint.parent < 0) {
      joint.rest.rotation = ToQuaternion(turn);
    } else {
      place = frame.turn * (place - joints.row(joint.parent).transpose());
    }
    joint.rest.translation = ToFloat3(place.cast<float>());
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

Verdict JudgeWeights(const SkinWeights& weights) {
  int unweighted = 0;
  const size_t vertices = weights.weights.size() / static_cast<size_t>(weights.influences);
  for (size_t v = 0; v < vertices; ++v) unweighted += weights.weights[v * weights.influences] > 0 ? 0 : 1;
  return {"unweighted", unweighted == 0, static_cast<double>(unweighted), 0,
          unweighted == 0 ? "every vertex has weights" : fmt::format("{} vertices have no weights", unweighted)};
}

void CheckInput(const Character& character, const RestSurface& rest, const std::string& file) {
  if (!character.skeleton.joints.empty()) {
    throw InputError(file, "", "has a skeleton of its own", "`sinew skin` computes weights for it");
  }
  if (rest.mesh.triangle_count() == 0) throw InputError(file, "", "has no triangles", "give a mesh of a body");
  RefuseBadPositions(character, rest, file);
}

// Surface of the subject in model space, where the working surface is.
TriMesh InModelSpace(const skincells::Subject& subject) {
  TriMesh mesh = subject.surface;
  const Eigen::Affine3f model_from_bind = subject.bind_from_model.inverse();
  for (Eigen::Index v = 0; v < mesh.positions.rows(); ++v) {
    mesh.positions.row(v) = (model_from_bind * mesh.positions.row(v).transpose()).transpose();
  }
  return mesh;
}

void OptimiseWeights(const RigOptions& options, const std::string& file, Character& character) {
  skincells::SkinOptions skin;
  skin.max_influences = options.max_influences;
  skin.steps = options.steps;
  skin.seed = options.seed;
  skincells::SkinCharacter(character, file, skin);
}

}  // namespace

Rig RigCharacter(const Character& character, const RigNetwork& network, const RigOptions& options,
                 const std::string& file) {
  const RestSurface rest = CollectRestSurface(character);
  CheckInput(character, rest, file);
  const TriMesh& source = rest.welded;
  const WorkingSurface working = MakeWorkingSurface(source, kWorkingVertices, options.seed, file);
  const TriMesh coarse = MakeWorkingSurface(working.mesh, kCoarseVertices, options.seed, file).mesh;
  Rig rig;
  rig.frame = MeasureFrame(working.mesh, BestTurn(coarse, network));
  const TriMesh canonical = InFrame(working.mesh, rig.frame);
  const EdgeInput input = MakeEdgeInput(canonical);
  RigAnswer answer = network.EvaluateBothWays(input);
  NudgeInside(canonical, answer.joints);
  RefuseOthers(answer, canonical, network, file);
  for (const auto& [joint, place] : options.placed) {
    answer.joints.row(joint) = rig.frame.ToCanonical(place).transpose();
  }
  for (int j = 0; j < kJoints; ++j) {
    rig.joints.row(j) = rig.frame.ToFile(answer.joints.row(j).transpose()).transpose();
  }
  rig.spreads = answer.spreads;
  rig.verdicts = JudgeJoints(answer, canonical, network);

  rig.character = character;
  Skeleton skeleton = MakeSkeleton(rig.joints, rig.frame, options.names);
  if (options.extra != nullptr) {
    rig.extra = PlaceExtraJoints(*options.extra, rig.joints, rig.frame, options.names, options.extra_file);
    AppendJoints(rig.extra, rig.joints, rig.frame, skeleton);
  }
  skincells::AdoptSkeleton(skeleton, rig.character);
  const skincells::Subject subject = skincells::MakeSubject(rig.character, file);
  const TriMesh target = InModelSpace(subject);
  RowMatrix weights =
      CarryOver(working.mesh, VertexWeights(answer.weights, input, working.mesh.vertex_count()), target);
  PruneFarJoints(weights);
  if (target.triangle_count() == source.triangle_count()) rig.islands = BindIslands(target, working.left_out, weights);
  SkinWeights kept = KeepLargest(weights, options.max_influences);
  skincells::ApplyWeights(subject, kept, rig.character);
  if (options.weights == RigWeights::kSkinCells || !rig.extra.empty()) {
    OptimiseWeights(options, file, rig.character);
  }
  if (options.weights == RigWeights::kNetwork && !rig.extra.empty()) {
    weights = SplitWeights(weights, rig.extra, skincells::SurfaceWeights(subject, rig.character));
    kept = KeepLargest(weights, options.max_influences);
    skincells::ApplyWeights(subject, kept, rig.character);
  }
  rig.verdicts.push_back(JudgeWeights(kept));
  for (Verdict& verdict : JudgeMotion(rig.character, file)) rig.verdicts.push_back(std::move(verdict));
  return rig;
}

std::map<int, Eigen::Vector3d> ReadPlacedJoints(const std::string& file) {
  return ParsePlacedJoints(ReadTextFile(file), file);
}

std::map<int, Eigen::Vector3d> ParsePlacedJoints(const std::string& text, const std::string& file) {
  const Json json = ParseJson(text, file);
  constexpr const char* kRemedy = "give positions in the file's unit, as {\"left_knee\": [0.1, 0.5, 0]}";
  if (!json.is_object()) throw InputError(file, "", "is no JSON object", kRemedy);
  std::map<int, Eigen::Vector3d> placed;
  for (const auto& [name, place] : json.items()) {
    std::vector<std::string> known;
    int found = -1;
    for (int j = 0; j < kJoints; ++j) {
      known.emplace_back(BipedJoints()[j].name);
      if (known.back() == name) found = j;
    }
    if (found < 0) {
      throw InputError(file, name, fmt::format("is no joint; the nearest is {}", Nearest(name, known)), kRemedy);
    }
    const bool position = place.is_array() && place.size() == 3 &&
                          std::all_of(place.begin(), place.end(), [](const Json& entry) { return entry.is_number(); });
    if (!position) throw InputError(file, name, "has no position of three numbers", kRemedy);
    placed[found] = {place[0].get<double>(), place[1].get<double>(), place[2].get<double>()};
    if (!placed[found].allFinite()) throw InputError(file, name, "has a position that is not finite", kRemedy);
  }
  return placed;
}

}  // namespace sinew::autorig
