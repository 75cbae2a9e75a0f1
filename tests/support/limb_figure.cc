#include "tests/support/limb_figure.h"

#include <string>

#include "sinew/offline/anatomy/turn.h"
#include "tests/support/mesh_families.h"

namespace sinew::testing {
namespace {

TriMesh CapsuleMesh(const Eigen::Vector3f& from, const Eigen::Vector3f& to, float radius) {
  TriMesh mesh = Sphere(16, 13);  // an odd number: no ring lies between the two halves
  const Eigen::Vector3d along = (to - from).cast<double>();
  const Eigen::Quaternionf turn = TurnBetween(Eigen::Vector3d::UnitZ(), along).cast<float>();
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Eigen::Vector3f p = mesh.positions.row(v).transpose();
    mesh.positions.row(v) = ((p.z() > 0 ? to : from) + radius * (turn * p)).transpose();
  }
  return mesh;
}

double RadiusOf(const std::string& name) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (has("pelvis") || has("spine")) return 0.11;
  if (has("head")) return 0.08;
  if (has("hip")) return 0.07;
  return has("knee") || has("neck") ? 0.05 : 0.04;
}

}  // namespace

LimbFigure MakeLimbFigure(const RigOptions& options) {
  LimbFigure figure;
  Character& character = figure.character;
  character.name = "limbs";
  character.skeleton = MakeRig(options);
  const auto models = LocalToModel(character.skeleton, character.skeleton.RestPose());
  const auto scale = static_cast<float>(options.height / 1.7);
  character.skins.push_back(BoundAt(models));
  Part part;
  part.name = "skin";
  part.skin = 0;
  part.weights.influences = 1;
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    int next = -1;
    for (int k = 0; k < character.skeleton.joint_count(); ++k) {
      // The trunk's joints come first: their bones lead on along it.
      if (next < 0 && character.skeleton.joints[k].parent == j) next = k;
    }
    if (character.skeleton.joints[j].name.find("collar") != std::string::npos) continue;
    const Eigen::Vector3f from = models[j].translation();
    const int parent = character.skeleton.joints[j].parent;
    Eigen::Vector3f to = next >= 0 ? Eigen::Vector3f(models[next].translation()) : from;
    if (next < 0) to += 0.08f * scale * (from - models[parent].translation()).normalized();
    const double radius = RadiusOf(character.skeleton.joints[j].name) * options.height / 1.7;
    const TriMesh capsule = CapsuleMesh(from, to, static_cast<float>(radius));
    part.mesh = part.mesh.vertex_count() == 0 ? capsule : Merge(part.mesh, capsule);
    part.weights.joints.resize(part.mesh.vertex_count(), static_cast<uint16_t>(j));
    part.weights.weights.resize(part.mesh.vertex_count(), 1.0f);
    const Eigen::Affine3d local = models[j].cast<double>().inverse();
    figure.capsules.push_back({j, local * from.cast<double>(), local * to.cast<double>(), radius});
  }
  character.parts.push_back(part);
  return figure;
}

}  // namespace sinew::testing
