#include "sinew/offline/autorig/find_rig.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sinew/offline/autorig/carry_weights.h"
#include "sinew/offline/autorig/find_frame.h"
#include "sinew/offline/autorig/verdict.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/remesh/outer_surface.h"
#include "sinew/offline/remesh/sound_surface.h"

namespace sinew::autorig {
namespace {

constexpr int kMeshes = 3;           // of the body, over which answers are averaged
constexpr double kMostCrumbs = 0.5;  // share of the area in small islands, beyond which there is no surface to look at

TriMesh Placed(const TriMesh& mesh, const BodyFrame& frame) {
  return {frame.PointsToCanonical(mesh.positions), mesh.triangles};
}

double DistanceToBone(const Eigen::Vector3d& point, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d bone = to - from;
  const double t = std::clamp(bone.dot(point - from) / std::max(bone.squaredNorm(), 1e-12), 0.0, 1.0);
  return (from + t * bone - point).norm();
}

// Mean distance of the surface from the bones.
double DistanceFromBones(const JointPositions& joints, const EdgeInput& input) {
  double sum = 0;
  for (Eigen::Index e = 0; e < input.features.rows(); ++e) {
    const Eigen::Vector3d point = input.features.row(e).head<3>().cast<double>();
    double nearest = std::numeric_limits<double>::infinity();
    for (int j = 1; j < kJoints; ++j) {
      const int parent = BipedJoints()[j].parent;
      nearest = std::min(nearest, DistanceToBone(point, joints.row(parent).transpose(), joints.row(j).transpose()));
    }
    sum += nearest * input.areas[e];
  }
  return sum;
}

// The turn with the least doubt, on a coarse surface. Turns about the most symmetric plane come first, and if the
// network is sure of one of them, no other plane is tried.
Eigen::Matrix3d BestTurn(const TriMesh& coarse, const RigNetwork& network) {
  constexpr int kTurnsOfPlane = 8;
  const EdgeInput input = MakeEdgeInput(coarse, MakeSurfaceEdges(coarse));
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Eigen::Matrix3d> turns = CandidateTurns(coarse);
  for (size_t k = 0; k < turns.size(); ++k) {
    if (k % kTurnsOfPlane == 0 && least <= 1) break;
    const BodyFrame frame = MeasureFrame(coarse, turns[k]);
    const EdgeInput seen = InFrame(input, frame, false);
    Doubts doubts = MeasureDoubts(network.Look(seen), seen, Placed(coarse, frame));
    // One look knows nothing of these.
    doubts.moved = network.usual().doubts.moved;
    doubts.sides = network.usual().doubts.sides;
    const double doubt = Doubt(doubts, network.usual());
    if (doubt < least) {
      least = doubt;
      best = turns[k];
    }
  }
  return best;
}

// The meshes of the body, and which way it stands. found.skins has all meshes, found.working the first.
void MakeMeshes(const TriMesh& source, const RigNetwork& network, uint64_t seed, const std::string& file,
                FoundRig& found) {
  // Of the source: remeshings of the working surface would be wrong in the same way as that is.
  const WorkingSurfaces surfaces(source, kWorkingVertices, file);
  found.skins.resize(kMeshes);
  ParallelFor(kMeshes, 1, [&](int k) {
    WorkingSurface working = surfaces.Make(seed + k);
    found.skins[k].mesh = working.mesh;
    if (k > 0) return;
    found.working = std::move(working);
    const TriMesh coarse = MakeWorkingSurface(found.working.mesh, kCoarseVertices, seed, file).mesh;
    found.frame = MeasureFrame(found.working.mesh, BestTurn(coarse, network));
    found.canonical = Placed(found.working.mesh, found.frame);
  });
}

void TakeWeights(const RigAnswer& answer, const EdgeInput& input, WeightedSurface& skin) {
  skin.weights = VertexWeights(answer.weights, input, skin.mesh.vertex_count());
}

void TakeMean(const std::vector<JointPositions>& joints, FoundRig& found) {
  JointPositions mean = JointPositions::Zero();
  for (const JointPositions& each : joints) mean += each / static_cast<double>(joints.size());
  found.answer.joints = mean;
}

// The less doubtful of the rigs of a surface and of what is seen of it from outside, which is tried only if the first
// would be refused. crumbs: whether the surface is mostly in small pieces. These mean nothing by themselves, and are
// looked at from outside alone.
FoundRig SurestRig(const TriMesh& sound, bool crumbs, const RigNetwork& network, uint64_t seed, const std::string& file,
                   Refused refused) {
  if (crumbs) {
    const TriMesh outer = OuterSurface(sound);
    if (outer.triangle_count() > 0) return FindRig(outer, network, seed, file, refused);
  }
  FoundRig found = FindRig(sound, network, seed, file, refused);
  const double doubt = Doubt(found.doubts, network.usual());
  if (crumbs || doubt <= network.usual().limit) return found;
  const TriMesh outer = OuterSurface(sound);
  if (outer.triangle_count() == 0) return found;
  FoundRig seen = FindRig(outer, network, seed, file, refused);
  return Doubt(seen.doubts, network.usual()) < doubt ? std::move(seen) : std::move(found);
}

}  // namespace

Doubts MeasureDoubts(const RigAnswer& answer, const EdgeInput& input, const TriMesh& surface) {
  const auto outside = static_cast<double>(JointsOutside(answer.joints, surface).size());
  return {answer.MeanSpread(), answer.moved, answer.sides, DistanceFromBones(answer.joints, input), outside / kJoints};
}

FoundRig FindRig(const TriMesh& source, const RigNetwork& network, uint64_t seed, const std::string& file,
                 Refused refused) {
  FoundRig found;
  MakeMeshes(source, network, seed, file, found);
  std::vector<EdgeInput> inputs(kMeshes);
  ParallelFor(kMeshes, 1, [&](int k) {
    const TriMesh canonical = Placed(found.skins[k].mesh, found.frame);
    inputs[k] = MakeEdgeInput(canonical, MakeSurfaceEdges(canonical));
  });
  found.answer = network.Rig(inputs[0]);
  found.doubts = MeasureDoubts(found.answer, inputs[0], found.canonical);
  TakeWeights(found.answer, inputs[0], found.skins[0]);
  if (refused == Refused::kThrownAway && Doubt(found.doubts, network.usual()) > network.usual().limit) {
    found.skins.resize(1);
    return found;
  }
  std::vector<JointPositions> joints(kMeshes, found.answer.joints);
  ParallelFor(kMeshes - 1, 1, [&](int k) {
    const EdgeInput& input = inputs[k + 1];
    const std::optional<BodyFrame>& frame = found.answer.frame;
    const RigAnswer answer = frame ? network.RigInFrame(input, *frame) : network.Rig(input);
    joints[k + 1] = answer.joints;
    TakeWeights(answer, input, found.skins[k + 1]);
  });
  TakeMean(joints, found);
  // On the source itself, which has no mesh that was made by chance.
  const SurfaceQuery surface(Placed(source, found.frame));
  found.answer.joints = network.refiner().Refine(surface, found.answer.joints);
  return found;
}

FoundRig FindRigThroughLayers(const TriMesh& source, const RigNetwork& network, uint64_t seed, const std::string& file,
                              Refused refused) {
  const TriMesh sound = SoundSurface(source);
  SmallIslands small = FindSmallIslands(source);
  const bool crumbs = small.area > kMostCrumbs;
  FoundRig found = SurestRig(sound, crumbs, network, seed, file, refused);
  if (crumbs) small.triangles.assign(small.triangles.size(), false);  // they are the body, and bend with it
  found.working.left_out = std::move(small.triangles);
  return found;
}

}  // namespace sinew::autorig
