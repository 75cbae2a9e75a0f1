#include "sinew/offline/inspect/inspect_roles.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sinew/offline/core/error.h"

namespace sinew::inspect {
namespace {

// Returns why the roles of a character cannot be found; empty if they can.
std::string Obstacle(const Character& character, const RestSurface& whole) {
  const auto is_bound = [](const Part& part) { return part.skin >= 0; };
  if (std::none_of(character.parts.begin(), character.parts.end(), is_bound)) return "no part is bound to joints";
  if (whole.welded.triangle_count() == 0) return "the character has no triangles";
  if (!whole.bad_vertices.empty()) return "the character has positions that are not finite";
  for (const Part& part : character.parts) {
    if (const std::string refusal = RefusalOfRole(part.role); !refusal.empty()) return refusal;
  }
  return "";
}

// Groups pieces by part and role, which is as finely as a user can give roles.
std::vector<RoleRow> RowsOf(const Character& character, const Roles& roles) {
  std::map<std::pair<int, Role>, RoleRow> rows;
  std::map<std::pair<int, Role>, int> largest;  // points of the largest piece so far
  for (const Piece& piece : roles.pieces) {
    const std::pair key(piece.part, piece.role);
    RoleRow& row = rows[key];
    row.part = character.parts[piece.part].name;
    row.role = piece.role;
    ++row.islands;
    row.points += piece.points;
    if (piece.points <= largest[key]) continue;
    largest[key] = piece.points;
    row.reason = piece.reason;
  }
  std::vector<RoleRow> sorted;
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const RoleRow& a, const RoleRow& b) { return a.points > b.points; });
  return sorted;
}

}  // namespace

std::string RefusalOfRole(const std::string& role) {
  if (role.empty()) return "";
  try {
    RoleNamed(role);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::optional<RolesInspection> InspectRoles(const Character& character, const RestSurface& whole,
                                            const std::vector<GivenRole>& given) {
  if (const std::string obstacle = Obstacle(character, whole); !obstacle.empty()) {
    if (!given.empty()) throw UsageError("roles are given, but cannot be used: " + obstacle);
    return std::nullopt;
  }
  const Roles roles = FindRoles(character, whole, given);
  if (roles.pieces.empty()) return std::nullopt;
  RolesInspection found;
  for (int r = 0; r < kRoles; ++r) found.shares[r] = roles.Share(static_cast<Role>(r));
  found.patches = roles.patches;
  found.rows = RowsOf(character, roles);
  return found;
}

}  // namespace sinew::inspect
