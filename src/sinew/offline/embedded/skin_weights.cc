#include "sinew/offline/embedded/skin_weights.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::embedded {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr int kInfluences = 4;
// Constant c of the header: larger makes transitions narrower. A transition falls to 1/e over d / sqrt(c).
constexpr double kTightness = 4;
// Softness of the choice of the nearest bone in w0: bones whose distance exceeds the nearest one's by much more than
// this share of it do not count.
constexpr double kSoftness = 0.03;
constexpr double kSmallestDistance = 0.005;
// Weight that is subtracted at least, so that small weights of far joints become 0.
constexpr double kFadeOut = 0.004;

double DistanceToBone(const FigureJoint& joint, const Vector3d& point) {
  const Vector3d bone = joint.tip - joint.position;
  const double squared = bone.squaredNorm();
  const double t = squared > 0 ? std::clamp((point - joint.position).dot(bone) / squared, 0.0, 1.0) : 0;
  return (point - joint.position - t * bone).norm();
}

// The indicators w0 and distances d of skin_weights.h.
struct Claims {
  MatrixXd indicators;  // vertex x joint; rows sum to 1
  VectorXd distances;
};

// Adds the indicators that one owner's group gives a vertex, a soft choice of the nearest bone, to `row`. Returns the
// distance of the nearest bone.
double Claim(const Figure& figure, const std::vector<int>& joints, const std::vector<int>& mirror, bool mirrored,
             double weight, const Vector3d& point, Eigen::Ref<Eigen::RowVectorXd> row) {
  double nearest = 1e9;
  std::vector<double> distances;
  for (const int j : joints) {
    distances.push_back(DistanceToBone(figure.joints[mirrored ? mirror[j] : j], point));
    nearest = std::min(nearest, distances.back());
  }
  nearest = std::max(nearest, kSmallestDistance);
  double total = 0;
  for (double& d : distances) total += d = std::exp(-std::max(0.0, d - nearest) / (kSoftness * nearest));
  for (size_t k = 0; k < joints.size(); ++k) {
    row[mirrored ? mirror[joints[k]] : joints[k]] += weight * distances[k] / total;
  }
  return nearest;
}

Claims MakeClaims(const Figure& figure, const Implicit& surface, const FineMesh& mesh, const std::vector<int>& mirror) {
  const int vertices = static_cast<int>(mesh.positions.size());
  const auto group_joints = GroupJoints(figure);
  Claims claims{MatrixXd::Zero(vertices, static_cast<int>(figure.joints.size())), VectorXd::Zero(vertices)};
  ParallelFor(vertices, 128, [&](int v) {
    const Vector3d& point = mesh.positions[v];
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(claims.indicators.cols());
    double distance = 0;
    for (const Owner& owner : surface.Owners(point, false)) {
      distance +=
          owner.weight * Claim(figure, group_joints[owner.group], mirror, owner.mirrored, owner.weight, point, row);
    }
    claims.indicators.row(v) = row;
    claims.distances[v] = distance;
  });
  return claims;
}

// Returns L + H M, with negative cotangents replaced by 0 so that weights stay within [0, 1]. mass: receives the
// diagonal of M.
SparseMatrix MakeSystem(const FineMesh& mesh, const VectorXd& stiffness, VectorXd& mass) {
  const int vertices = static_cast<int>(mesh.positions.size());
  std::vector<Eigen::Triplet<double>> entries;
  mass = VectorXd::Zero(vertices);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      const Vector3d u = mesh.positions[a] - mesh.positions[c], v = mesh.positions[b] - mesh.positions[c];
      const double area = u.cross(v).norm();
      mass[a] += area / 6;
      const double half_cotangent = std::max(0.0, u.dot(v) / area) / 2;
      entries.insert(
          entries.end(),
          {{a, b, -half_cotangent}, {b, a, -half_cotangent}, {a, a, half_cotangent}, {b, b, half_cotangent}});
    }
  }
  for (int v = 0; v < vertices; ++v) entries.emplace_back(v, v, stiffness[v] * mass[v]);
  SparseMatrix system(vertices, vertices);
  system.setFromTriplets(entries.begin(), entries.end());
  return system;
}

MatrixXd Solve(const SparseMatrix& system, const MatrixXd& right_side) {
  Eigen::SimplicialLDLT<SparseMatrix> solver(system);
  if (solver.info() != Eigen::Success) throw FailedError("the weights of an embedded character cannot be solved for");
  MatrixXd solution(right_side.rows(), right_side.cols());
  ParallelFor(static_cast<int>(right_side.cols()), 1,
              [&](int j) { solution.col(j) = solver.solve(VectorXd(right_side.col(j))); });
  return solution;
}

// Solves for the weights of a half mesh. The even part of a mirrored pair of joints has a free (Neumann) boundary at
// the seam x = 0, the odd part vanishes there.
MatrixXd SolveHalf(const FineMesh& mesh, const SparseMatrix& system, const MatrixXd& right_side,
                   const std::vector<int>& mirror) {
  MatrixXd even = right_side, odd = right_side;
  for (int j = 0; j < right_side.cols(); ++j) {
    even.col(j) = (right_side.col(j) + right_side.col(mirror[j])) / 2;
    odd.col(j) = (right_side.col(j) - right_side.col(mirror[j])) / 2;
  }
  SparseMatrix pinned = system;
  for (int v = 0; v < pinned.rows(); ++v) {
    if (mesh.positions[v].x() == 0) pinned.coeffRef(v, v) *= 1e8;
  }
  return Solve(system, even) + Solve(pinned, odd);
}

// Keeps the four largest weights of a row, each less the fifth, normalized: continuous where two change places.
void Keep(const Eigen::RowVectorXd& row, uint16_t* joints, float* weights) {
  std::vector<std::pair<double, int>> sorted;
  sorted.reserve(row.size());
  for (int j = 0; j < row.size(); ++j) sorted.emplace_back(-row[j], j);
  std::sort(sorted.begin(), sorted.end());
  const double fifth = sorted.size() > kInfluences ? -sorted[kInfluences].first : 0;
  double kept[kInfluences] = {}, sum = 0;
  for (int k = 0; k < std::min<int>(kInfluences, static_cast<int>(sorted.size())); ++k) {
    kept[k] = std::max(0.0, -sorted[k].first - std::max(fifth, kFadeOut));
    sum += kept[k];
  }
  for (int k = 0; k < kInfluences; ++k) {
    weights[k] = static_cast<float>(kept[k] / sum);
    joints[k] = weights[k] > 0 ? static_cast<uint16_t>(sorted[k].second) : uint16_t{0};
  }
}

SkinWeights Pack(const FineMesh& mesh, const MatrixXd& rows, const std::vector<int>& mirror, bool half) {
  SkinWeights packed;
  packed.influences = kInfluences;
  const auto add = [&](const Eigen::RowVectorXd& row) {
    const size_t at = packed.joints.size();
    packed.joints.resize(at + kInfluences);
    packed.weights.resize(at + kInfluences);
    Keep(row, packed.joints.data() + at, packed.weights.data() + at);
  };
  for (int v = 0; v < rows.rows(); ++v) {
    Eigen::RowVectorXd row = rows.row(v);
    if (half && mesh.positions[v].x() == 0) {
      for (int j = 0; j < row.size(); ++j) row[j] = (rows(v, j) + rows(v, mirror[j])) / 2;
    }
    add(row);
  }
  for (int v = 0; half && v < rows.rows(); ++v) {
    if (mesh.positions[v].x() == 0) continue;
    Eigen::RowVectorXd row(rows.cols());
    for (int j = 0; j < row.size(); ++j) row[j] = rows(v, mirror[j]);
    add(row);
  }
  return packed;
}

}  // namespace

std::vector<int> MirrorJoints(const std::vector<FigureJoint>& joints) {
  std::vector<int> mirror(joints.size());
  const auto find = [&](const std::string& name, size_t otherwise) {
    for (size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].name == name) return static_cast<int>(j);
    }
    return static_cast<int>(otherwise);
  };
  for (size_t j = 0; j < joints.size(); ++j) {
    const std::string& name = joints[j].name;
    mirror[j] = name.rfind("left_", 0) == 0    ? find("right_" + name.substr(5), j)
                : name.rfind("right_", 0) == 0 ? find("left_" + name.substr(6), j)
                                               : static_cast<int>(j);
  }
  return mirror;
}

std::vector<std::vector<int>> GroupJoints(const Figure& figure) {
  const auto& groups = figure.sculpture.groups;
  std::vector<std::vector<int>> joints(groups.size());
  std::vector<int> group_of(figure.joints.size(), -1);
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const Primitive& primitive : groups[g].primitives) {
      if (std::find(joints[g].begin(), joints[g].end(), primitive.joint) != joints[g].end()) continue;
      joints[g].push_back(primitive.joint);
      if (group_of[primitive.joint] < 0) group_of[primitive.joint] = static_cast<int>(g);
    }
  }
  const std::vector<int> mirror = MirrorJoints(figure.joints);
  for (size_t j = 0; j < figure.joints.size(); ++j) {
    const int parent = figure.joints[j].parent;
    if (group_of[j] >= 0 || group_of[mirror[j]] >= 0 || parent < 0) continue;
    group_of[j] = group_of[parent];
    if (group_of[j] >= 0) joints[group_of[j]].push_back(static_cast<int>(j));
  }
  // Primitives that are mirrored one by one name the left joint only; their group holds both.
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const Primitive& primitive : groups[g].primitives) {
      const int image = mirror[primitive.joint];
      const bool there = std::find(joints[g].begin(), joints[g].end(), image) != joints[g].end();
      if (primitive.mirrored && !there) joints[g].push_back(image);
    }
  }
  return joints;
}

SkinWeights MakeSkinWeights(const Figure& figure, const Implicit& surface, const FineMesh& mesh, bool half) {
  const std::vector<int> mirror = MirrorJoints(figure.joints);
  const Claims claims = MakeClaims(figure, surface, mesh, mirror);
  const VectorXd stiffness = kTightness * claims.distances.array().square().inverse();
  VectorXd mass;
  const SparseMatrix system = MakeSystem(mesh, stiffness, mass);
  const MatrixXd right_side = stiffness.cwiseProduct(mass).asDiagonal() * claims.indicators;
  return Pack(mesh, half ? SolveHalf(mesh, system, right_side, mirror) : Solve(system, right_side), mirror, half);
}

}  // namespace sinew::embedded
