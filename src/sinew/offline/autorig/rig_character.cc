#include "sinew/offline/autorig/rig_character.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <optional>
#include <utility>

#include "sinew/offline/autorig/both_sides.h"
#include "sinew/offline/autorig/find_rig.h"
#include "sinew/offline/autorig/separate_bodies.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/winding_number.h"
#include "sinew/offline/remesh/sound_surface.h"
#include "sinew/offline/skincells/skin_character.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::autorig {
namespace {

// Joints that are hardly outside are moved inside: to the middle of the body behind the nearest point of its surface.
constexpr double kNudge = 0.012;  // share of the height that a joint may move
constexpr double kFlat = 1e-4;    // thickness of what is flat, as a share of its size

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

// bodies: how many the file seems to hold.
void RefuseOthers(const Doubts& doubts, const Usual& usual, int bodies, const std::string& file) {
  const double doubt = Doubt(doubts, usual);
  if (doubt <= usual.limit) return;
  const auto times = [](double value, double known) { return value / std::max(known, 1e-9); };
  throw InputError(
      file, "",
      fmt::format("is not a biped, or in no pose between T and A: doubts about its joints are {:.1f} times those about "
                  "known bodies, and {:.1f} times is the limit (spread of votes {:.1f} times, two looks {:.1f} times, "
                  "left and right {:.1f} times, distance from bones {:.1f} times, {:.0f} of {} joints outside)",
                  doubt, usual.limit, times(doubts.spread, usual.doubts.spread),
                  times(doubts.moved, usual.doubts.moved), times(doubts.sides, usual.doubts.sides),
                  times(doubts.distance, usual.doubts.distance), doubts.outside * kJoints, kJoints),
      bodies > 1
          ? fmt::format("it seems to hold {} bodies that do not touch: give a file with one", bodies)
          : "if it is one, rig it --anyway (in a build, --set input.check=false), look at the picture and place "
            "joints that are wrong with --joints; otherwise rig it by hand, and use `sinew skin` for its weights");
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

// Joints in the file's space, with those that were placed by hand; answers those in canonical space, too. If the source
// is its own mirror image, joints are so as well.
JointPositions PlaceJoints(const TriMesh& source, const Eigen::Vector3f& left, const BodyFrame& frame,
                           const std::map<int, Eigen::Vector3d>& placed, bool& both_sides, JointPositions& canonical) {
  JointPositions joints;
  for (int j = 0; j < kJoints; ++j) joints.row(j) = frame.ToFile(canonical.row(j).transpose()).transpose();
  const std::optional<MirrorImage> image = FindMirrorImage(source, left);
  both_sides = image.has_value();
  if (image) MirrorJoints(*image, joints);
  for (const auto& [joint, place] : placed) joints.row(joint) = place.transpose();
  for (int j = 0; j < kJoints; ++j) canonical.row(j) = frame.ToCanonical(joints.row(j).transpose()).transpose();
  return joints;
}

Verdict JudgeWeights(const SkinWeights& weights) {
  int unweighted = 0;
  const size_t vertices = weights.weights.size() / static_cast<size_t>(weights.influences);
  for (size_t v = 0; v < vertices; ++v) unweighted += weights.weights[v * weights.influences] > 0 ? 0 : 1;
  return {"unweighted", unweighted == 0, static_cast<double>(unweighted), 0,
          unweighted == 0 ? "every vertex has weights" : fmt::format("{} vertices have no weights", unweighted)};
}

Verdict JudgeBodies(int bodies) {
  return {"one-body", bodies <= 1, static_cast<double>(bodies), 1,
          bodies <= 1 ? "the mesh is one body"
                      : fmt::format("the file seems to hold {} bodies that do not touch; give one of them", bodies)};
}

// Whether all triangles lie in a plane, nearly.
bool IsFlat(const TriMesh& mesh) {
  const std::vector<double> areas = VertexAreas(mesh);
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  double total = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    middle += areas[v] * mesh.positions.row(v).transpose().cast<double>();
    total += areas[v];
  }
  if (!(total > 0)) return false;  // refused for that elsewhere
  middle /= total;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Eigen::Vector3d offset = mesh.positions.row(v).transpose().cast<double>() - middle;
    spread += areas[v] * offset * offset.transpose();
  }
  const Eigen::Vector3d sizes =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread, Eigen::EigenvaluesOnly).eigenvalues();
  return sizes[0] <= kFlat * kFlat * sizes[2];
}

void CheckInput(const Character& character, const RestSurface& rest, const std::string& file) {
  if (!character.skeleton.joints.empty()) {
    throw InputError(file, "", "has a skeleton of its own", "`sinew skin` computes weights for it");
  }
  if (rest.mesh.triangle_count() == 0) throw InputError(file, "", "has no triangles", "give a mesh of a body");
  RefuseBadPositions(character, rest, file);
  if (IsFlat(WithoutBrokenTriangles(rest.welded)))
    throw InputError(file, "", "is flat, so that it has no inside", "give a mesh of a body");
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
  const bool by_hand = options.placed.size() == kJoints;
  const Refused refused = options.anyway || by_hand ? Refused::kUsed : Refused::kThrownAway;
  const FoundRig found = FindRigThroughLayers(source, network, options.seed, file, refused);
  const int bodies = CountSeparateBodies(source);
  if (refused == Refused::kThrownAway) RefuseOthers(found.doubts, network.usual(), bodies, file);
  Rig rig;
  rig.frame = found.frame;
  RigAnswer answer = found.answer;
  NudgeInside(found.canonical, answer.joints);
  const Eigen::Vector3f left = rig.frame.turn.row(0).transpose().cast<float>();
  rig.joints = PlaceJoints(source, left, rig.frame, options.placed, rig.both_sides, answer.joints);
  rig.spreads = answer.spreads;
  rig.verdicts = JudgeJoints(answer, found.canonical, Doubt(found.doubts, network.usual()), network.usual());
  rig.verdicts.push_back(JudgeBodies(bodies));

  rig.character = character;
  Skeleton skeleton = MakeSkeleton(rig.joints, rig.frame, options.names);
  if (options.extra != nullptr) {
    rig.extra = PlaceExtraJoints(*options.extra, rig.joints, rig.frame, options.names, options.extra_file);
    AppendJoints(rig.extra, rig.joints, rig.frame, skeleton);
  }
  skincells::AdoptSkeleton(skeleton, rig.character);
  const skincells::Subject subject = skincells::MakeSubject(rig.character, file);
  const TriMesh target = InModelSpace(subject);
  RowMatrix weights = RowMatrix::Zero(target.vertex_count(), kJoints);
  for (const WeightedSurface& skin : found.skins) {
    weights += CarryOver(skin.mesh, skin.weights, target) / static_cast<float>(found.skins.size());
  }
  weights = network.weight_refiner().Refine(target, rig.joints, weights);
  if (rig.both_sides) {
    if (const std::optional<MirrorImage> image = FindMirrorImage(target, left)) MirrorWeights(*image, weights);
  }
  PruneFarJoints(weights);
  if (target.triangle_count() == source.triangle_count())
    rig.islands = BindIslands(target, found.working.left_out, weights);
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
