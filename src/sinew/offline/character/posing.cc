#include "sinew/offline/character/posing.h"

#include <optional>
#include <string>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/tables/normal_builder.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/pose/pose.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew {
namespace {

using runtime::Affine;
using runtime::Float3;
using runtime::Float4;
using runtime::StridedSpan;

using Tangents = decltype(PosedPart::tangents);

StridedSpan<const Float3> View(const Points& points) {
  return {reinterpret_cast<const Float3*>(points.data()), static_cast<size_t>(points.rows())};
}
StridedSpan<Float3> View(Points& points) {
  return {reinterpret_cast<Float3*>(points.data()), static_cast<size_t>(points.rows())};
}
StridedSpan<const Float4> View(const Tangents& tangents) {
  return {reinterpret_cast<const Float4*>(tangents.data()), static_cast<size_t>(tangents.rows())};
}
StridedSpan<Float4> View(Tangents& tangents) {
  return {reinterpret_cast<Float4*>(tangents.data()), static_cast<size_t>(tangents.rows())};
}

runtime::PlainWeights View(const SkinWeights& weights) { return {weights.influences, weights.joints, weights.weights}; }

runtime::SkinStreams Streams(const Part& part, PosedPart& posed) {
  runtime::SkinStreams streams;
  streams.rest_positions = View(part.mesh.positions);
  streams.rest_normals = View(part.normals);
  streams.rest_tangents = View(part.tangents);
  streams.positions = View(posed.positions);
  streams.normals = View(posed.normals);
  streams.tangents = View(posed.tangents);
  return streams;
}

// Throws FailedError, naming the part, if a job of the runtime failed.
void Check(runtime::Status status, const Part& part) {
  if (status != runtime::Status::kOk) {
    throw FailedError(part.name + ": the runtime refuses to skin it (" + runtime::ToString(status) + ")");
  }
}

// Whether any joint has a non-uniform or mirroring scale: then normals need the cofactor matrix.
bool HasUnevenScale(const Pose& pose) {
  for (const Transform& t : pose) {
    if (t.scale.x != t.scale.y || t.scale.x != t.scale.z || t.scale.x < 0) return true;
  }
  return false;
}

tables::BuiltNormals NormalsOf(const Part& part) {
  const auto floats = [](const Points& points) {
    return std::span(reinterpret_cast<const Float3*>(points.data()), static_cast<size_t>(points.rows()));
  };
  const int* corners = part.mesh.triangles.data();
  const std::vector<uint32_t> triangles(corners, corners + part.mesh.triangles.size());
  return tables::BuildNormals({floats(part.mesh.positions), floats(part.normals), triangles, View(part.weights)},
                              part.name);
}

void Resize(const Part& part, PosedPart& posed) {
  posed.positions.resize(part.mesh.positions.rows(), 3);
  posed.normals.resize(part.normals.rows(), 3);
  posed.tangents.resize(part.tangents.rows(), 4);
}

// Places an unskinned part by its model_from_mesh.
void Place(const Part& part, PosedPart& posed) {
  const Eigen::Matrix3f linear = part.model_from_mesh.linear();
  posed.positions =
      (part.mesh.positions * linear.transpose()).rowwise() + part.model_from_mesh.translation().transpose();
  Eigen::Matrix3f cofactors;
  for (int k = 0; k < 3; ++k) cofactors.col(k) = linear.col((k + 1) % 3).cross(linear.col((k + 2) % 3));
  posed.normals = (part.normals * cofactors.transpose()).rowwise().normalized();
  if (part.tangents.rows() == 0) return;
  posed.tangents.leftCols<3>() = (part.tangents.leftCols<3>() * linear.transpose()).rowwise().normalized();
  posed.tangents.col(3) = part.tangents.col(3);
}

}  // namespace

struct Poser::State {
  const Character& character;
  PosingOptions options;
  std::vector<int16_t> parents;
  std::vector<std::vector<Affine>> inverse_binds;       // per skin
  std::vector<std::optional<tables::BuiltSkin>> skins;  // per part; none if it has no weights
  std::vector<tables::BuiltNormals> normals;            // per part; empty without dynamic_normals

  // Returns the skinning matrices of every skin, one per joint.
  std::vector<std::vector<Affine>> Matrices(const Pose& pose) const {
    std::vector<Affine> models(pose.size());
    const runtime::LocalToModelJob to_model{.parents = parents, .locals = pose, .root = {}, .models = models};
    std::vector<std::vector<Affine>> matrices(inverse_binds.size(), std::vector<Affine>(pose.size()));
    bool ok = to_model.Run() == runtime::Status::kOk;
    for (size_t s = 0; s < matrices.size(); ++s) {
      const runtime::SkinningMatricesJob job{
          .models = models, .inverse_binds = inverse_binds[s], .skinning = matrices[s]};
      ok &= job.Run() == runtime::Status::kOk;
    }
    if (!ok) throw FailedError(character.name + ": the runtime refuses its skeleton");
    return matrices;
  }

  void LinearBlend(int p, const std::vector<Affine>& matrices, bool uneven, PosedPart& posed) const {
    runtime::LinearBlendJob job;
    job.table = &skins[p]->table;
    job.matrices = matrices;
    job.streams = Streams(character.parts[p], posed);
    job.normal_matrix = uneven ? runtime::NormalMatrix::kCofactor : runtime::NormalMatrix::kLinear;
    job.runner = &Pool();
    Check(job.Run(), character.parts[p]);
  }

  void RecomputeNormals(int p, PosedPart& posed) const {
    if (posed.normals.rows() == 0) posed.normals = Points::Zero(posed.positions.rows(), 3);
    runtime::NormalsJob job;
    job.table = &normals[p].table;
    job.positions = View(posed.positions);
    job.normals = View(posed.normals);
    job.tangents = View(posed.tangents);
    job.runner = &Pool();
    Check(job.Run(), character.parts[p]);
  }

  void DualQuaternion(int p, const std::vector<Affine>& matrices, PosedPart& posed) const {
    std::vector<runtime::RigidStretch> joints(matrices.size());
    Check(runtime::RigidStretchJob{.matrices = matrices, .joints = joints}.Run(), character.parts[p]);
    runtime::DualQuaternionJob job;
    job.table = &skins[p]->table;
    job.joints = joints;
    job.streams = Streams(character.parts[p], posed);
    job.runner = &Pool();
    Check(job.Run(), character.parts[p]);
  }
};

Poser::Poser(const Character& character, const PosingOptions& options)
    : state_(std::make_unique<State>(State{character, options, {}, {}, {}, {}})) {
  for (const Joint& joint : character.skeleton.joints) state_->parents.push_back(static_cast<int16_t>(joint.parent));
  for (const Skin& skin : character.skins) {
    std::vector<Affine>& binds = state_->inverse_binds.emplace_back();
    for (const Eigen::Affine3f& bind : skin.inverse_bind) binds.push_back(ToRuntime(bind));
  }
  for (const Part& part : character.parts) {
    if (options.dynamic_normals) state_->normals.push_back(NormalsOf(part));
    std::optional<tables::BuiltSkin>& skin = state_->skins.emplace_back();
    if (part.skin < 0 || part.weights.empty()) continue;
    skin = tables::BuildSkin(View(part.weights), character.skeleton.joint_count(), part.name);
  }
}

Poser::~Poser() = default;
Poser::Poser(Poser&&) noexcept = default;
Poser& Poser::operator=(Poser&&) noexcept = default;

void Poser::Evaluate(const Pose& pose, PosedCharacter& result) const {
  const Character& character = state_->character;
  if (static_cast<int>(pose.size()) != character.skeleton.joint_count()) {
    throw UsageError("the pose has " + std::to_string(pose.size()) + " joints but " + character.name + " has " +
                     std::to_string(character.skeleton.joint_count()) + "; retarget it to this skeleton first");
  }
  const std::vector<std::vector<Affine>> matrices = state_->Matrices(pose);
  const bool uneven = HasUnevenScale(pose);
  result.parts.resize(character.parts.size());
  ParallelFor(static_cast<int>(character.parts.size()), 1, [&](int p) {
    const Part& part = character.parts[p];
    PosedPart& posed = result.parts[p];
    Resize(part, posed);
    if (!state_->skins[p]) {
      Place(part, posed);
    } else if (state_->options.method == SkinMethod::kDualQuaternion) {
      state_->DualQuaternion(p, matrices[part.skin], posed);
    } else {
      state_->LinearBlend(p, matrices[part.skin], uneven, posed);
    }
    if (state_->options.dynamic_normals) state_->RecomputeNormals(p, posed);
  });
  result.box.setEmpty();
  for (const PosedPart& posed : result.parts) result.box.extend(BoundingBox(posed.positions));
}

PosedCharacter Poser::Evaluate(const Pose& pose) const {
  PosedCharacter result;
  Evaluate(pose, result);
  return result;
}

PosedCharacter PoseCharacter(const Character& character, const Pose& pose, const PosingOptions& options) {
  return Poser(character, options).Evaluate(pose);
}

}  // namespace sinew
