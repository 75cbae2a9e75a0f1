#include "sinew/offline/skincells/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/character/reach.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"

namespace sinew::skincells {
namespace {

bool Invertible(const Eigen::Affine3f& affine) {
  const double determinant = affine.linear().cast<double>().determinant();
  return std::isfinite(determinant) && determinant != 0;
}

// Collects the joints of all skins. A joint that the main skin lacks is taken from another one.
void GatherJoints(const Character& character, const RestPlacement& placement, Subject& subject) {
  Skin merged = character.skins[placement.main_skin];
  for (const int p : subject.parts) {
    const int s = character.parts[p].skin;
    const Skin& skin = character.skins[s];
    const Eigen::Affine3f mesh_from_bind = placement.bind_from_mesh[s].inverse().cast<float>();
    for (size_t j = 0; j < merged.has_joint.size(); ++j) {
      if (merged.has_joint[j] || !skin.has_joint[j]) continue;
      merged.has_joint[j] = true;
      merged.inverse_bind[j] = skin.inverse_bind[j] * mesh_from_bind;
    }
  }
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    const bool usable = merged.has_joint[j] && Invertible(merged.inverse_bind[j]);
    if (usable && !character.skeleton.joints[j].helper) subject.joints.push_back(j);
  }
  Character bound;
  bound.skeleton = character.skeleton;
  bound.skins = {merged};
  subject.skeleton = BindSkeleton(bound, 0);
  subject.inverse_bind = merged.inverse_bind;
}

}  // namespace

Eigen::Vector3d Subject::JointPosition(int joint) const {
  return inverse_bind[joint].inverse().translation().cast<double>();
}

Subject MakeSubject(const Character& character, const std::string& file) {
  if (character.skeleton.joints.empty()) {
    throw InputError(file, "", "has no skeleton", "name a file that has one with --skeleton");
  }
  Subject subject;
  const RestSurface rest =
      CollectRestSurface(character, [&](int p) { return IsSkinned(character, character.parts[p]); });
  subject.parts = rest.parts;
  if (subject.parts.empty()) {
    throw InputError(file, "", "has a skeleton, but no mesh that is skinned to it", "bind the mesh to it first");
  }
  if (rest.mesh.triangle_count() == 0) throw InputError(file, "", "has no triangles", "");
  RefuseBadPositions(character, rest, file);
  subject.surface = rest.welded;
  for (size_t i = 0; i < subject.parts.size(); ++i) {
    const auto begin = rest.welding.welded_of.begin();
    subject.surface_of.emplace_back(begin + rest.first_vertex[i], begin + rest.first_vertex[i + 1]);
    subject.bind_from_mesh.push_back(rest.placement.BindFromMesh(character.parts[subject.parts[i]]).cast<float>());
  }
  GatherJoints(character, rest.placement, subject);
  if (subject.joints.empty())
    throw InputError(file, "skin", "has no joint with a usable bind matrix", "export it again");
  for (const int j : subject.joints) {
    RefuseUnlessInReach(subject.JointPosition(j).cast<float>(), file,
                        fmt::format("joint '{}'", character.skeleton.joints[j].name));
  }
  const Box box = BoundingBox(subject.surface.positions);
  subject.origin = box.center().cast<double>();
  subject.size = std::max(box.sizes().cast<double>().maxCoeff(), 1e-9);
  const auto model = LocalToModel(character.skeleton, character.skeleton.RestPose());
  const Eigen::Affine3f whole = model[subject.joints[0]] * subject.inverse_bind[subject.joints[0]];
  subject.bind_from_model = Invertible(whole) ? whole.inverse() : Eigen::Affine3f::Identity();
  return subject;
}

void AdoptSkeleton(const Skeleton& skeleton, Character& character) {
  character.skeleton = skeleton;
  character.skins.clear();
  const auto model = LocalToModel(skeleton, skeleton.RestPose());
  for (Part& part : character.parts) {
    Skin skin;
    for (size_t j = 0; j < model.size(); ++j) {
      skin.inverse_bind.push_back(model[j].inverse() * part.model_from_mesh);
      skin.has_joint.push_back(!skeleton.joints[j].helper);
    }
    int same = -1;
    for (size_t s = 0; s < character.skins.size() && same < 0; ++s) {
      if (character.skins[s].inverse_bind[0].matrix() == skin.inverse_bind[0].matrix()) same = static_cast<int>(s);
    }
    if (same < 0) {
      character.skins.push_back(skin);
      same = static_cast<int>(character.skins.size()) - 1;
    }
    part.skin = same;
    part.model_from_mesh.setIdentity();
    const int first =
        static_cast<int>(std::find(skin.has_joint.begin(), skin.has_joint.end(), true) - skin.has_joint.begin());
    part.weights = {.influences = 1, .joints = {}, .weights = {}};
    part.weights.joints.assign(part.mesh.vertex_count(), static_cast<uint16_t>(first));
    part.weights.weights.assign(part.mesh.vertex_count(), 1.0f);
  }
}

void ApplyWeights(const Subject& subject, const SkinWeights& weights, Character& character) {
  const int l = weights.influences;
  for (size_t i = 0; i < subject.parts.size(); ++i) {
    Part& part = character.parts[subject.parts[i]];
    Skin& skin = character.skins[part.skin];
    const size_t count = subject.surface_of[i].size();
    part.weights = {.influences = l, .joints = {}, .weights = {}};
    part.weights.joints.resize(count * l);
    part.weights.weights.resize(count * l);
    const Eigen::Affine3f& to_bind = subject.bind_from_mesh[i];
    for (size_t v = 0; v < count; ++v) {
      const size_t from = static_cast<size_t>(subject.surface_of[i][v]) * l;
      for (int k = 0; k < l; ++k) {
        const uint16_t joint = weights.joints[from + k];
        part.weights.joints[v * l + k] = joint;
        part.weights.weights[v * l + k] = weights.weights[from + k];
        if (weights.weights[from + k] > 0 && !skin.has_joint[joint]) {
          skin.inverse_bind[joint] = subject.inverse_bind[joint] * to_bind;
          skin.has_joint[joint] = true;
        }
      }
    }
  }
}

SkinWeights SurfaceWeights(const Subject& subject, const Character& character) {
  int l = 1;
  for (const int p : subject.parts) l = std::max(l, character.parts[p].weights.influences);
  SkinWeights weights{.influences = l, .joints = {}, .weights = {}};
  weights.joints.assign(static_cast<size_t>(subject.surface.vertex_count()) * l, 0);
  weights.weights.assign(static_cast<size_t>(subject.surface.vertex_count()) * l, 0);
  // Backwards, so that the lowest vertex is the last to write.
  for (size_t i = subject.parts.size(); i-- > 0;) {
    const SkinWeights& own = character.parts[subject.parts[i]].weights;
    for (size_t v = subject.surface_of[i].size(); v-- > 0;) {
      const size_t to = static_cast<size_t>(subject.surface_of[i][v]) * l;
      for (int k = 0; k < l; ++k) {
        const bool have = k < own.influences;
        weights.joints[to + k] = have ? own.joints[v * own.influences + k] : uint16_t{0};
        weights.weights[to + k] = have ? own.weights[v * own.influences + k] : 0.0f;
      }
    }
  }
  return weights;
}

std::vector<Eigen::Affine3d> SkinningMatrices(const Subject& subject, const Skeleton& file_skeleton, const Pose& pose) {
  const auto model = LocalToModel(file_skeleton, pose);
  std::vector<Eigen::Affine3d> matrices;
  for (size_t j = 0; j < model.size(); ++j) {
    matrices.push_back(subject.bind_from_model.cast<double>() * model[j].cast<double>() *
                       subject.inverse_bind[j].cast<double>());
  }
  return matrices;
}

}  // namespace sinew::skincells
