#include "sinew/offline/bodies/fit_garment.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Weight of "not turned" against the bones of a joint, relative to their squared lengths.
constexpr double kWeak = 1e-3;
// Number of times that vertices are pushed, and of the averages over neighbours that the first push is smoothed by.
constexpr int kPushes = 4, kSmoothing = 6;

double RatioOfBones(const JointPairs& joints) {
  double garment = 0, body = 0;
  for (size_t j = 0; j < joints.parent.size(); ++j) {
    const int parent = joints.parent[j];
    if (parent < 0 || joints.of_body[j] < 0 || joints.of_body[parent] < 0) continue;
    garment += (joints.garment[j] - joints.garment[parent]).norm();
    body += (joints.body[j] - joints.body[parent]).norm();
  }
  return garment > 0 && body > 0 ? body / garment : 1;
}

// A bone from a joint to a child of it, on the garment and on the body.
struct BonePair {
  Vector3d garment = Vector3d::Zero(), body = Vector3d::Zero();
};

// Stretches along the one bone of a joint, by its own ratio, and scales across it by that of all bones.
Matrix3d AlongOne(const BonePair& bone, double ratio) {
  const double length = bone.garment.norm();
  if (!(length > 0 && bone.body.norm() > 0)) return ratio * Matrix3d::Identity();
  const Vector3d along = bone.garment / length;
  const Matrix3d turn = Eigen::Quaterniond::FromTwoVectors(bone.garment, bone.body).toRotationMatrix();
  return turn * (ratio * Matrix3d::Identity() + (bone.body.norm() / length - ratio) * along * along.transpose());
}

// Turns and scales several bones of a joint as one piece. They lie nearly in a plane, as those of the pelvis do, and
// tell nothing of the depth.
Matrix3d AlongSeveral(const std::vector<BonePair>& bones, double ratio) {
  Matrix3d moved = Matrix3d::Zero();
  double garment = 0, body = 0;
  for (const BonePair& bone : bones) {
    moved += bone.body * bone.garment.transpose();
    garment += bone.garment.squaredNorm();
    body += bone.body.squaredNorm();
  }
  if (!(garment > 0 && body > 0)) return ratio * Matrix3d::Identity();
  moved += kWeak * std::sqrt(garment * body) * Matrix3d::Identity();
  const Eigen::JacobiSVD<Matrix3d> svd(moved, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d sign = Matrix3d::Identity();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) sign(2, 2) = -1;
  return std::sqrt(body / garment) * svd.matrixU() * sign * svd.matrixV().transpose();
}

// Linear map of what moves with each joint: it takes the joint's bones, the ways to its children, from garment to body.
std::vector<Matrix3d> LinearMaps(const JointPairs& joints) {
  const size_t count = joints.parent.size();
  const double ratio = RatioOfBones(joints);
  std::vector<std::vector<BonePair>> bones(count);
  for (size_t j = 0; j < count; ++j) {
    const int parent = joints.parent[j];
    if (parent < 0 || joints.of_body[j] < 0 || joints.of_body[parent] < 0) continue;
    bones[parent].push_back({joints.garment[j] - joints.garment[parent], joints.body[j] - joints.body[parent]});
  }
  std::vector<Matrix3d> maps(count, ratio * Matrix3d::Identity());
  for (size_t j = 0; j < count; ++j) {
    if (bones[j].size() == 1) maps[j] = AlongOne(bones[j][0], ratio);
    if (bones[j].size() > 1) maps[j] = AlongSeveral(bones[j], ratio);
  }
  return maps;
}

Points Averaged(const Csr& around, const Points& values) {
  Points averaged = values;
  for (Eigen::Index p = 0; p < values.rows(); ++p) {
    const auto others = around[static_cast<int>(p)];
    if (others.empty()) continue;
    Eigen::RowVector3f sum = Eigen::RowVector3f::Zero();
    for (const int q : others) sum += values.row(q);
    averaged.row(p) = 0.5F * (values.row(p) + sum / static_cast<float>(others.size()));
  }
  return averaged;
}

}  // namespace

double LargestGap(const JointPairs& joints, const std::vector<bool>& moves) {
  double largest = 0;
  for (size_t j = 0; j < moves.size(); ++j) {
    if (moves[j] && joints.of_body[j] >= 0) {
      largest = std::max(largest, (joints.garment[j] - joints.body[j]).norm());
    }
  }
  return largest;
}

void CarryByJoints(const JointPairs& joints, const std::vector<Influences>& influences, Points& points) {
  const std::vector<Matrix3d> maps = LinearMaps(joints);
  ParallelFor(static_cast<int>(points.rows()), 512, [&](int p) {
    const Vector3d at = points.row(p).transpose().cast<double>();
    Vector3d sum = Vector3d::Zero();
    double weights = 0;
    for (int i = 0; i < influences[p].count; ++i) {
      const int j = influences[p].joints[i];
      sum += influences[p].weights[i] * (joints.body[j] + maps[j] * (at - joints.garment[j]));
      weights += influences[p].weights[i];
    }
    if (weights > 0) points.row(p) = (sum / weights).transpose().cast<float>();
  });
}

void PushOutOf(const TriMesh& body, double gap, double deepest, TriMesh& garment) {
  const SurfaceQuery query(body);
  const Points normals = VertexNormals(body);
  const int count = garment.vertex_count();
  const Csr around = VertexVertices(BuildEdges(garment.triangles, count), count);
  for (int push = 0; push < kPushes; ++push) {
    Points pushes = Points::Zero(count, 3);
    ParallelFor(count, 128, [&](int p) {
      const Eigen::Vector3f at = garment.positions.row(p).transpose();
      const auto nearest = query.Closest(at, static_cast<float>(deepest));
      if (!nearest) return;
      const SurfaceSide side = SideOf(body, normals, *nearest, at.cast<double>());
      if (side.distance >= gap) return;
      pushes.row(p) = (side.point + gap * side.normal).transpose().cast<float>() - at.transpose();
    });
    // The first push takes neighbours along, so that cloth stays smooth; the others reach the distance.
    for (int pass = 0; push == 0 && pass < kSmoothing; ++pass) pushes = Averaged(around, pushes);
    garment.positions += pushes;
  }
}

}  // namespace sinew::bodies
