#include "sinew/offline/multires/training_shapes.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew::multires {

LevelSkin::LevelSkin(const lod::Level& level) : character_(level.character) {
  rest_.resize(level.point_count, 3);
  std::vector<std::vector<Influence>> influences(level.point_count);
  std::vector<bool> seen(level.point_count, false);
  int vertex = 0;
  for (const Part& part : character_.parts) {
    if (part.weights.empty()) {
      throw InputError(character_.name, part.name, "has no skinning weights, and training needs them",
                       "give it weights with `sinew skin`");
    }
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++vertex) {
      const int point = level.point_of_vertex[vertex];
      if (seen[point]) continue;
      seen[point] = true;
      rest_.row(point) = part.mesh.positions.row(v);
      for (int k = 0; k < part.weights.influences; ++k) {
        const size_t slot = static_cast<size_t>(v) * part.weights.influences + k;
        const float weight = part.weights.weights[slot];
        if (weight != 0) influences[point].push_back({part.skin, part.weights.joints[slot], weight});
      }
    }
  }
  for (const auto& of_point : influences) {
    first_.push_back(static_cast<int>(influences_.size()));
    influences_.insert(influences_.end(), of_point.begin(), of_point.end());
  }
  first_.push_back(static_cast<int>(influences_.size()));
}

std::vector<Eigen::Affine3f> LevelSkin::Blend(const Pose& pose) const {
  const std::vector<Eigen::Affine3f> models = LocalToModel(character_.skeleton, pose);
  std::vector<std::vector<Eigen::Matrix<float, 3, 4>>> matrices(character_.skins.size());
  for (size_t s = 0; s < matrices.size(); ++s) {
    for (size_t j = 0; j < models.size(); ++j) {
      matrices[s].push_back((models[j] * character_.skins[s].inverse_bind[j]).affine());
    }
  }
  std::vector<Eigen::Affine3f> blend(point_count());
  for (int p = 0; p < point_count(); ++p) {
    Eigen::Matrix<float, 3, 4> sum = Eigen::Matrix<float, 3, 4>::Zero();
    for (int i = first_[p]; i < first_[p + 1]; ++i) {
      const Influence& influence = influences_[i];
      sum += influence.weight * matrices[influence.skin][influence.joint];
    }
    blend[p].affine() = sum;
    blend[p].makeAffine();
  }
  return blend;
}

Eigen::Vector3f InverseSkinning(const Eigen::Affine3f& M, const Eigen::Vector3f& rest, const Eigen::Vector3f& target,
                                float scale) {
  const float least = 0.25f * scale;
  const Eigen::Vector3f missing = target - M * rest;
  const Eigen::Matrix3f A = M.linear();
  // Most matrices are far from singular, and then no SVD is needed. The product of the singular values is the
  // determinant, and none is larger than the Frobenius norm f, so the smallest is at least det / f^2.
  const float determinant = A.determinant(), square = A.squaredNorm();
  if (std::abs(determinant) >= least * square) return A.inverse() * missing;
  const Eigen::JacobiSVD<Eigen::Matrix3f> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (svd.info() != Eigen::Success) return Eigen::Vector3f::Zero();  // A is not finite, and there are no values
  const Eigen::Array3f s = svd.singularValues();
  const Eigen::Array3f gain = s / s.max(least).square();
  return svd.matrixV() * (gain * (svd.matrixU().transpose() * missing).array()).matrix();
}

struct TruthLevels::State {
  const lod::Hierarchy& hierarchy;
  std::vector<LevelSkin> skins;
  std::vector<lod::Coarsening> coarsenings;  // [i - 1]: from level i + 1 to level i
  std::vector<Points> coarsened_rest;
  std::vector<float> scales;  // [i - 1]: factor by which skinning changes lengths of level i at rest
};

namespace {

// Factor by which skinning changes lengths at rest: the median over points, because rigs hide parts by scaling a joint
// to zero.
float ScaleAtRest(const LevelSkin& skin, const Pose& rest) {
  std::vector<float> scales;
  for (const Eigen::Affine3f& M : skin.Blend(rest)) scales.push_back(std::cbrt(std::abs(M.linear().determinant())));
  const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
  std::nth_element(scales.begin(), middle, scales.end());
  return middle != scales.end() && *middle > 0 && std::isfinite(*middle) ? *middle : 1;
}

}  // namespace

TruthLevels::TruthLevels(const lod::Hierarchy& hierarchy) : state_(new State{hierarchy, {}, {}, {}, {}}) {
  for (const lod::Level& level : hierarchy.levels) {
    state_->skins.emplace_back(level);
    state_->scales.push_back(ScaleAtRest(state_->skins.back(), level.character.skeleton.RestPose()));
  }
  for (int i = 1; i < hierarchy.level_count(); ++i) state_->coarsenings.emplace_back(hierarchy.U[i]);
  state_->coarsened_rest = Coarsened(state_->skins.back().rest());
}
TruthLevels::~TruthLevels() = default;

int TruthLevels::level_count() const { return static_cast<int>(state_->skins.size()); }
const LevelSkin& TruthLevels::skin(int i) const { return state_->skins[i - 1]; }

std::vector<Points> TruthLevels::Coarsened(const Points& finest_points) const {
  std::vector<Points> levels(level_count());
  levels.back() = finest_points;
  for (int i = level_count() - 1; i >= 1; --i) {
    levels[i - 1] = state_->coarsenings[i - 1].Apply(levels[i].cast<double>()).cast<float>();
  }
  return levels;
}

Points TruthLevels::ToPoints(const Points& finest_vertices) const {
  const lod::Level& finest = state_->hierarchy.levels.back();
  Points points(finest.point_count, 3);
  // All vertices of a point have the same position; the first one is taken, as in LevelSkin.
  for (int v = finest.vertex_count() - 1; v >= 0; --v) points.row(finest.point_of_vertex[v]) = finest_vertices.row(v);
  return points;
}

Points TruthLevels::Displacements(int i, const Pose& pose, const Points& coarsened) const {
  const std::vector<Eigen::Affine3f> blend = skin(i).Blend(pose);
  const Points& rest = state_->coarsened_rest[i - 1];
  Points displacements(rest.rows(), 3);
  for (int p = 0; p < rest.rows(); ++p) {
    displacements.row(p) =
        InverseSkinning(blend[p], rest.row(p).transpose(), coarsened.row(p).transpose(), state_->scales[i - 1]);
  }
  return displacements;
}

Points TruthLevels::Truth(int i, const Pose& pose, const Points& coarsened) const {
  const std::vector<Eigen::Affine3f> blend = skin(i).Blend(pose);
  const Points offsets = skin(i).rest() - state_->coarsened_rest[i - 1];
  Points truth(offsets.rows(), 3);
  for (int p = 0; p < offsets.rows(); ++p) {
    truth.row(p) = coarsened.row(p) + (blend[p].linear() * offsets.row(p).transpose()).transpose();
  }
  return truth;
}

}  // namespace sinew::multires
