#include "sinew/offline/autorig/weight_refiner.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/autorig/soundings.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/learn/model_values.h"
#include "sinew/offline/learn/share_network.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::autorig {
namespace {

constexpr int kVerticesAtOnce = 256;
constexpr float kSkinDepth = 1e-4F;  // where rays into the body start, in heights
// Lengths that count as no more, in heights, and factors that bring inputs near 1.
constexpr float kThickest = 0.15F, kFromAxes = 0.25F, kFromJoint = 0.4F, kFromBone = 0.3F, kBeyondBone = 1;
constexpr float kPlaceUnit = 4, kBoneUnit = 6;

constexpr const char* kPrefix = "weight_refiner";

}  // namespace

RowMatrix SurfaceTraits(const TriMesh& surface, const BodyFrame& frame) {
  const TriMesh placed{frame.PointsToCanonical(surface.positions), surface.triangles};
  const Points normals = VertexNormals(placed);
  const SurfaceQuery query(placed);
  RowMatrix traits(surface.vertex_count(), kTraits);
  ParallelFor(surface.vertex_count(), kVerticesAtOnce, [&](int v) {
    const Eigen::Vector3f place = placed.positions.row(v), normal = normals.row(v);
    const bool faces = normal.squaredNorm() > 0;
    const auto hit = faces ? query.Shoot(place, -normal, kSkinDepth, kThickest) : std::nullopt;
    for (int r = 0; r < 3; ++r) {
      traits(v, r) = place[r];
      traits(v, 3 + r) = normal[r];
    }
    traits(v, kThicknessTrait) = hit ? static_cast<float>(hit->distance) : kThickest;
  });
  return traits;
}

JointView::JointView(const JointPositions& joints, const BodyFrame& frame, bool mirrored)
    : mirrored_(mirrored), joints_(JointsInView(joints, frame, mirrored)), axes_(JointAxes(joints_)) {}

void JointView::TakeWeights(const float* weights, float* taken, Eigen::Index stride) const {
  for (int j = 0; j < kJoints; ++j) taken[j * stride] = weights[mirrored_ ? BipedJoints()[j].mirrored : j];
}

void JointView::Describe(const float* traits, const float* weights, float* inputs, Eigen::Index stride) const {
  const double flip = mirrored_ ? -1 : 1;
  const Eigen::Vector3d place(flip * traits[0], traits[1], traits[2]);
  const auto write = [&](double value) {
    *inputs = static_cast<float>(value);
    inputs += stride;
  };
  TakeWeights(weights, inputs, stride);
  inputs += kJoints * stride;
  for (int j = 0; j < kJoints; ++j) {
    const Eigen::Vector3d from = place - joints_.row(j).transpose();
    const Eigen::Vector3d along = axes_[j].transpose() * from;
    for (const double length : along) write(kPlaceUnit * std::clamp<double>(length, -kFromAxes, kFromAxes));
    write(kPlaceUnit * std::min<double>(from.norm(), kFromJoint));
  }
  for (int j = 1; j < kJoints; ++j) {
    const Eigen::Vector3d start = joints_.row(BipedJoints()[j].parent), bone = joints_.row(j).transpose() - start;
    const double share = bone.dot(place - start) / std::max(bone.squaredNorm(), 1e-9);
    const double distance = (start + std::clamp(share, 0.0, 1.0) * bone - place).norm();
    write(kBoneUnit * std::min<double>(distance, kFromBone));
    write(std::clamp<double>(share, -kBeyondBone, 1 + kBeyondBone));
  }
  write(flip * traits[3]);
  write(traits[4]);
  write(traits[5]);
  write(kBoneUnit * traits[kThicknessTrait]);
}

WeightRefiner WeightRefiner::Of(const learn::Model& model, const std::string& file) {
  if (!learn::HasNetwork(model, kPrefix)) return {};
  return WeightRefiner(learn::TakeNetwork(model, kPrefix, kWeightInputs, kJoints, file));
}

void WeightRefiner::Store(learn::Model& model) const {
  std::erase_if(model.tensors, [](const learn::Tensor& tensor) { return tensor.name.starts_with(kPrefix); });
  if (network_) learn::PutNetwork(*network_, kPrefix, model);
}

RowMatrix WeightRefiner::Refine(const TriMesh& surface, const JointPositions& joints, const RowMatrix& weights) const {
  const std::optional<BodyFrame> frame = RefinedFrame(joints);
  if (!network_ || !frame) return weights;
  const RowMatrix traits = SurfaceTraits(surface, *frame);
  RowMatrix refined = RowMatrix::Zero(weights.rows(), kJoints);
  const int count = static_cast<int>(weights.rows()), chunks = (count + kVerticesAtOnce - 1) / kVerticesAtOnce;
  for (const bool mirrored : {false, true}) {
    const JointView view(joints, *frame, mirrored);
    ParallelFor(chunks, 1, [&](int chunk) {
      const int first = chunk * kVerticesAtOnce, now = std::min(kVerticesAtOnce, count - first);
      RowMatrix inputs(kWeightInputs, now), priors(kJoints, now);
      for (int i = 0; i < now; ++i) {
        const float* const own = weights.row(first + i).data();
        view.Describe(traits.row(first + i).data(), own, inputs.data() + i, now);
        view.TakeWeights(own, priors.data() + i, now);
      }
      const RowMatrix answer = learn::CorrectShares(*network_, inputs, priors);
      for (int i = 0; i < now; ++i) {
        for (int j = 0; j < kJoints; ++j) {
          refined(first + i, mirrored ? BipedJoints()[j].mirrored : j) += answer(j, i) / 2;
        }
      }
    });
  }
  return refined;
}

}  // namespace sinew::autorig
