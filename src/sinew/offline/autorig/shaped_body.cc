#include "sinew/offline/autorig/shaped_body.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sinew/offline/autorig/supervision.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"

namespace sinew::autorig {
namespace {

using Matrix3f = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;

std::vector<int> Parents() {
  std::vector<int> parents;
  for (const BipedJoint& joint : BipedJoints()) parents.push_back(joint.parent);
  return parents;
}

// How linear blend skinning turns what is added to each vertex at rest, vertices by 9.
RowMatrix TurnsOfVertices(const RowMatrix& weights, const layers::RigPose& pose) {
  RowMatrix whole(kJoints, 9);
  for (int j = 0; j < kJoints; ++j) {
    const int parent = BipedJoints()[j].parent;
    const Eigen::Map<const Matrix3f> local(pose.row(j).data());
    Matrix3f turn = local;
    if (parent >= 0) turn = Eigen::Map<const Matrix3f>(whole.row(parent).data()) * local;
    Eigen::Map<Matrix3f>(whole.row(j).data()) = turn;
  }
  return weights * whole;
}

// A shape in model space, without what the pelvis does in a pose.
Points WithoutPelvis(const Points& shape, const Eigen::Affine3f& pelvis) {
  return (shape.rowwise() - pelvis.translation().transpose()) * pelvis.linear().inverse().transpose();
}

}  // namespace

layers::RigPose TurnsOfJoints(const Skeleton& skeleton, const std::array<int, kJoints>& joints, const Pose& rest,
                              const Pose& pose, const Eigen::Matrix3d& turn) {
  const std::vector<Eigen::Affine3f> still = LocalToModel(skeleton, rest), moved = LocalToModel(skeleton, pose);
  std::array<Eigen::Matrix3d, kJoints> whole;
  layers::RigPose turns(kJoints, 9);
  for (int j = 0; j < kJoints; ++j) {
    whole[j] = (moved[joints[j]].linear() * still[joints[j]].linear().inverse()).cast<double>();
    const int parent = BipedJoints()[j].parent;
    Eigen::Matrix3d local = Eigen::Matrix3d::Identity();
    if (parent >= 0) local = turn * whole[parent].transpose() * whole[j] * turn.transpose();
    for (int k = 0; k < 9; ++k) turns(j, k) = static_cast<float>(local(k / 3, k % 3));
  }
  return turns;
}

ShapedBody MakeShapedBody(const Character& character, const KnownShapes& shapes, const RigNetwork& network,
                          const ShapedBodyOptions& options, uint64_t seed, const std::string& file) {
  const std::array<int, kJoints> joints = FindBipedJoints(character.skeleton, file);
  const WeightedBody source = MakeWeightedBody(character, file);
  const std::optional<BodyFrame> upright = RefinedFrame(source.joints);
  if (!upright) throw InputError(file, "", "has joints that all but coincide", "leave it out");
  const WorkingSurface working = MakeWorkingSurface(source.surface, options.vertices, seed, file);
  const auto carry = [&](const Points& points) {
    return Points(Interpolate(working.map, source.surface.triangles, points.cast<double>()).cast<float>());
  };
  // The surface is where its vertices lie on the source's, so that a shape at rest is that surface.
  const TriMesh surface{carry(source.surface.positions), working.mesh.triangles};
  const Envelope envelope = FindEnvelope(surface, upright->turn, network, file);
  ShapedBody shaped;
  shaped.name = file;
  shaped.edges = envelope.input.edges;
  shaped.features = ShapeFeatures(network, envelope.input);
  shaped.body = {BendingMasks(envelope.weights, options.masks),
                 VertexShares(envelope.input, surface.vertex_count(), options.by_area)};
  const Pose rest = MainBindPose(character);
  const Eigen::Affine3f pelvis_at_rest = LocalToModel(character.skeleton, rest)[joints[0]];
  for (size_t k = 0; k < shapes.poses.size(); ++k) {
    const Pose& pose = shapes.poses[k];
    const layers::RigPose turns = TurnsOfJoints(character.skeleton, joints, rest, pose, envelope.turn());
    const Eigen::Affine3f pelvis = LocalToModel(character.skeleton, pose)[joints[0]] * pelvis_at_rest.inverse();
    const Points truth = envelope.ToEnvelope(carry(WithoutPelvis(shapes.truth(static_cast<int>(k)), pelvis)));
    const RowMatrix posed = layers::PoseSurface(Parents(), envelope.points, envelope.weights, envelope.joints, turns);
    shaped.poses.push_back({turns.bottomRows(kBendingJoints), TurnsOfVertices(envelope.weights, turns), posed - truth});
  }
  return shaped;
}

std::vector<ShapedBody> MakeShapedBodies(const std::vector<graphnet::FrameSource>& sources, const RigNetwork& network,
                                         const ShapedBodyOptions& options, int meshes, uint64_t seed) {
  // Characters of all sources, with the numbers of their frames.
  struct Body {
    const graphnet::FrameSource* source;
    int character;
    std::vector<int> frames;
  };
  std::vector<Body> bodies;
  for (const graphnet::FrameSource& source : sources) {
    const size_t first = bodies.size();
    for (const int frame : source.frames) {
      const int character = source.store->CharacterOf(frame);
      const auto same = std::find_if(bodies.begin() + static_cast<std::ptrdiff_t>(first), bodies.end(),
                                     [character](const Body& body) { return body.character == character; });
      Body& body = same != bodies.end() ? *same : bodies.emplace_back(Body{&source, character, {}});
      body.frames.push_back(frame);
    }
  }
  std::vector<std::optional<ShapedBody>> made(bodies.size() * static_cast<size_t>(meshes));
  Progress progress("Rigging bodies", static_cast<int64_t>(made.size()), "meshes");
  ParallelFor(static_cast<int>(made.size()), 1, [&](int k) {
    const Body& body = bodies[k / meshes];
    const graphnet::FrameStore& store = *body.source->store;
    const std::string file = store.CharacterFile(body.character);
    try {
      KnownShapes shapes;
      for (const int frame : body.frames) shapes.poses.push_back(store.PoseOf(frame));
      shapes.truth = [&](int pose) { return store.Shape(body.frames[pose]); };
      // Seeds count within a body, so that training and validation see it on the same meshes.
      made[k] = MakeShapedBody(store.ReadCharacter(body.character), shapes, network, options, seed + k % meshes, file);
    } catch (const InputError& error) {
      Warn("{} is left out: {}", file, error.what());
    }
    progress.Advance();
  });
  std::vector<ShapedBody> shaped;
  for (std::optional<ShapedBody>& body : made) {
    if (body) shaped.push_back(std::move(*body));
  }
  if (shaped.empty()) {
    throw InputError(sources.empty() ? "" : sources[0].store->file(), "", "has no body that can be learned from",
                     "give bodies with the 24 joints of a biped");
  }
  return shaped;
}

}  // namespace sinew::autorig
