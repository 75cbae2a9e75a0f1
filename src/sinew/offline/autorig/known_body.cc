#include "sinew/offline/autorig/known_body.h"

#include <algorithm>
#include <utility>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/bodies/made_body.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"

namespace sinew::autorig {
namespace {

constexpr int kSpines = 3;  // of BipedJoints(), named "spine1" to "spine3"

Character BareMesh(TriMesh mesh, const std::string& name) {
  Character bare;
  bare.name = name;
  bare.parts.emplace_back();
  bare.parts[0].name = name;
  bare.parts[0].mesh = std::move(mesh);
  return bare;
}

}  // namespace

Character WithoutRig(const Character& character) {
  Character mesh;
  mesh.name = character.name;
  for (const Part& part : character.parts) {
    Part bare;
    bare.name = part.name;
    bare.mesh = part.mesh;
    mesh.parts.push_back(bare);
  }
  return mesh;
}

double HeightOf(const TriMesh& surface) {
  return surface.positions.col(1).maxCoeff() - surface.positions.col(1).minCoeff();
}

KnownBody TakeRig(const WeightedBody& body, double stature, const std::string& name, const std::string& group) {
  KnownBody known;
  known.name = name;
  known.group = group;
  known.mesh = BareMesh(body.surface, name);
  known.joints = body.joints;
  known.known.fill(true);
  known.weights = body.weights;
  known.turn = Eigen::Matrix3d::Identity();
  known.stature = stature;
  return known;
}

KnownBody TakeRig(const Character& character, const std::string& group, const std::string& file) {
  const Pose pose = MainBindPose(character);
  KnownBody known;
  known.name = file;
  known.group = group;
  TriMesh surface = bodies::SourceSurface(character, file);
  surface.positions = SkinnedShape(character, pose);
  const Box box = BoundingBox(surface.positions);
  known.stature = box.sizes().maxCoeff();  // until the frame is found
  known.mesh = BareMesh(std::move(surface), file);
  const std::vector<JointIdentity> identities = IdentifyJoints(character.skeleton);
  const std::vector<Eigen::Affine3f> places = LocalToModel(character.skeleton, pose);
  const bool spine = FindChain(identities, JointKind::kSpine).size() == kSpines;
  for (size_t index = 0; index < identities.size(); ++index) {
    if (identities[index].kind == JointKind::kSpine && !spine) continue;
    JointIdentity identity = identities[index];
    if (identity.kind == JointKind::kNeck && identity.order == 1) identity.order = 0;  // "neck", not "neck1"
    const std::string name = CanonicalName(identity);
    for (int j = 0; j < kJoints; ++j) {
      if (known.known[j] || name != BipedJoints()[j].name) continue;
      known.known[j] = true;
      known.joints.row(j) = places[index].translation().cast<double>().transpose();
    }
  }
  return known;
}

KnownBody Placed(KnownBody body, const Eigen::Matrix3d& turn, double scale) {
  Points& positions = body.mesh.parts[0].mesh.positions;
  positions = ((positions.cast<double>() * turn.transpose()) * scale).cast<float>();
  body.joints = (body.joints * turn.transpose()) * scale;
  if (body.turn) body.turn = *body.turn * turn.transpose();
  body.stature *= scale;
  return body;
}

}  // namespace sinew::autorig
