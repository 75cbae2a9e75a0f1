#include "sinew/offline/evaluate/level_roles.h"

#include <algorithm>

namespace sinew::evaluate {
namespace {

// The soft roles, in the order of the columns of the indicators that are coarsened.
constexpr Role kSoft[] = {Role::kFlesh, Role::kLayer, Role::kThin};

std::vector<Role> RolesFrom(const Points& indicators) {
  std::vector<Role> roles;
  roles.reserve(indicators.rows());
  for (Eigen::Index p = 0; p < indicators.rows(); ++p) {
    Eigen::Index largest = 0;
    indicators.row(p).maxCoeff(&largest);
    roles.push_back(indicators.row(p).sum() > 0.5f ? kSoft[largest] : Role::kRigid);
  }
  return roles;
}

}  // namespace

std::vector<std::vector<Role>> RolesOnLevels(const lod::Hierarchy& hierarchy, const multires::TruthLevels& truths,
                                             const std::vector<Role>& roles) {
  std::vector<std::vector<Role>> on_levels;
  if (roles.empty()) {
    for (const lod::Level& level : hierarchy.levels) on_levels.emplace_back(level.point_count, Role::kFlesh);
    return on_levels;
  }
  Points indicators = Points::Zero(static_cast<Eigen::Index>(roles.size()), 3);
  for (size_t v = 0; v < roles.size(); ++v) {
    for (int k = 0; k < 3; ++k) indicators(static_cast<Eigen::Index>(v), k) = roles[v] == kSoft[k] ? 1.0f : 0.0f;
  }
  for (const Points& level : truths.Coarsened(truths.ToPoints(indicators))) on_levels.push_back(RolesFrom(level));
  return on_levels;
}

RoleShares SharesOf(const std::vector<Role>& roles) {
  RoleShares shares{};
  for (const Role role : roles) ++shares[static_cast<size_t>(role)];
  for (double& share : shares) share /= static_cast<double>(std::max<size_t>(1, roles.size()));
  return shares;
}

}  // namespace sinew::evaluate
