#include "sinew/offline/skincells/collider.h"

#include <algorithm>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::skincells {
namespace {

// Largest distance from the garment at rest at which a vertex of the body counts, as a fraction of the garment's
// longest side.
constexpr float kNear = 0.3f;

std::vector<Eigen::Vector3d> ToVectors(const Points& points) {
  std::vector<Eigen::Vector3d> out;
  for (const auto& row : points.rowwise()) out.emplace_back(row.transpose().cast<double>());
  return out;
}

Points Rows(const Points& points, const std::vector<int>& rows) {
  Points out(rows.size(), 3);
  for (size_t i = 0; i < rows.size(); ++i) out.row(static_cast<Eigen::Index>(i)) = points.row(rows[i]);
  return out;
}

Points ToBox(const Subject& subject, const Points& points) {
  Points out(points.rows(), 3);
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    out.row(v) = subject.ToBox(points.row(v).transpose().cast<double>()).transpose().cast<float>();
  }
  return out;
}

}  // namespace

PosedBody::PosedBody(Points points, Points normals)
    : points_(std::move(points)), normals_(std::move(normals)), nearest_(ToVectors(points_)) {}

PosedBody::Side PosedBody::At(const Eigen::Vector3d& x) const {
  const int b = nearest_.Find(x).index;
  const Eigen::Vector3d normal = normals_.row(b).transpose().cast<double>();
  return {(x - points_.row(b).transpose().cast<double>()).dot(normal), normal};
}

BodyUnderGarment::BodyUnderGarment(const Subject& garment, const Skeleton& garment_skeleton,
                                   const std::string& garment_file, const Character& body, const std::string& body_file)
    : garment_(garment),
      body_(MakeSubject(body, body_file)),
      weights_(SurfaceWeights(body_, body)),
      skeleton_(body.skeleton) {
  for (const Joint& joint : skeleton_.joints) joint_of_.push_back(garment_skeleton.Find(joint.name));
  if (std::all_of(joint_of_.begin(), joint_of_.end(), [](int j) { return j < 0; })) {
    throw InputError(body_file, "skeleton", "has no joint that " + garment_file + " has",
                     "give the body that the garment is worn on, with the same names of joints");
  }
}

Points BodyUnderGarment::At(const Pose& garment_pose) const {
  Pose pose = skeleton_.RestPose();
  for (size_t j = 0; j < joint_of_.size(); ++j) {
    if (joint_of_[j] >= 0) pose[j] = garment_pose[joint_of_[j]];
  }
  std::vector<Eigen::Affine3d> matrices = SkinningMatrices(body_, skeleton_, pose);
  // From the body's bind space to model space, and on to the garment's bind space.
  const Eigen::Affine3d to_garment =
      garment_.bind_from_model.cast<double>() * body_.bind_from_model.cast<double>().inverse();
  for (Eigen::Affine3d& matrix : matrices) matrix = to_garment * matrix;
  const int l = weights_.influences;
  Points out(body_.surface.vertex_count(), 3);
  for (int v = 0; v < body_.surface.vertex_count(); ++v) {
    const Eigen::Vector3d rest = body_.surface.positions.row(v).transpose().cast<double>();
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    for (int k = 0; k < l; ++k) {
      const size_t slot = static_cast<size_t>(v) * l + k;
      if (weights_.weights[slot] > 0) x += weights_.weights[slot] * (matrices[weights_.joints[slot]] * rest);
    }
    out.row(v) = garment_.ToBox(x).transpose().cast<float>();
  }
  return out;
}

Collider MakeCollider(const Subject& garment, const Skeleton& garment_skeleton, const BodyUnderGarment& body,
                      std::span<const Pose> poses) {
  const Points rest = body.At(garment_skeleton.RestPose());
  TriMesh cloth = garment.surface;
  cloth.positions = ToBox(garment, cloth.positions);
  const SurfaceQuery query(cloth);
  std::vector<int> kept;
  for (Eigen::Index v = 0; v < rest.rows(); ++v) {
    if (query.Closest(rest.row(v).transpose(), kNear)) kept.push_back(static_cast<int>(v));
  }
  if (kept.empty()) {
    throw Error(ErrorKind::kInput, "the body of --collide is nowhere near the garment: do both stand in one place?");
  }
  const auto pose_body = [&](const Pose& pose) {
    const TriMesh posed{body.At(pose), body.triangles()};
    return PosedBody(Rows(posed.positions, kept), Rows(VertexNormals(posed), kept));
  };
  Collider collider;
  const PosedBody at_rest = pose_body(garment_skeleton.RestPose());
  for (const auto& row : cloth.positions.rowwise()) {
    collider.margins.push_back(std::min(kMargin, at_rest.At(row.transpose().cast<double>()).height));
  }
  std::vector<std::optional<PosedBody>> bodies(poses.size());
  ParallelFor(static_cast<int>(poses.size()), 1, [&](int p) { bodies[p].emplace(pose_body(poses[p])); });
  for (auto& each : bodies) collider.bodies.push_back(std::move(*each));
  return collider;
}

}  // namespace sinew::skincells
