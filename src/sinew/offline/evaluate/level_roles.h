// Roles of the points of every level, and what they say about which points are soft.
#ifndef SINEW_OFFLINE_EVALUATE_LEVEL_ROLES_H_
#define SINEW_OFFLINE_EVALUATE_LEVEL_ROLES_H_

#include <array>
#include <vector>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::evaluate {

// Share of each role, 0 to 1, by its number.
using RoleShares = std::array<double, kRoles>;

// Whether ground truth may differ from skinning at points of the role: everything but what is rigid.
inline bool IsSoft(Role role) { return role != Role::kRigid; }

// Returns the roles of all levels' points: [i - 1] has one per point of level i. On coarser levels they come from the
// finest level's by coarsening the indicator of each role with C: a point is soft if the soft ones together have more
// than one half, and then has the role of the largest share. roles: one per vertex of the finest level, in the order of
// its file; if empty, all points are flesh.
std::vector<std::vector<Role>> RolesOnLevels(const lod::Hierarchy& hierarchy, const multires::TruthLevels& truths,
                                             const std::vector<Role>& roles);

RoleShares SharesOf(const std::vector<Role>& roles);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_LEVEL_ROLES_H_
