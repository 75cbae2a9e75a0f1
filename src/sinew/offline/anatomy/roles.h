// Roles of the pieces of a character: which are flesh, which lie over flesh as clothes do, which are thin as hair is,
// and which are rigid as armour is. A piece is an island of the welded rest surface.
//
// Roles are found by looking at the surface from each of its triangles inwards:
// - rigid: at most kBlended of its points have blended weights, or no joint moves it;
// - layer: below it, within kLoose of the body's size, lies the front of another piece that moves with it;
// - flesh: what lies below it is the back of a surface, so that it encloses something thick;
// - thin: all other pieces.
// If hardly any of what could be flesh encloses something by itself (a skin cut into many patches), all patches
// together are flesh.
#ifndef SINEW_OFFLINE_ANATOMY_ROLES_H_
#define SINEW_OFFLINE_ANATOMY_ROLES_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/character/rest_surface.h"

namespace sinew {

enum class Role { kFlesh, kLayer, kThin, kRigid };
constexpr int kRoles = 4;

// Name of a role, as on the command line: flesh, layer, thin, rigid.
const char* NameOf(Role role);
// Role of that name. Throws UsageError, listing the names, if there is none.
Role RoleNamed(std::string_view name);
// Returns a clause that says how a simulation treats pieces of the role: "are simulated".
const char* WhatItMeans(Role role);

// Role that the user gives to all islands that lie mostly in a part.
struct GivenRole {
  std::string part;  // name of the part
  Role role = Role::kFlesh;

  bool operator==(const GivenRole&) const = default;
};
// Parses "PART=ROLE", separated by commas or line breaks if there are several. Throws UsageError for other text.
std::vector<GivenRole> ParseRoles(std::string_view text);
// Text that ParseRoles() reads.
std::string TextOf(const std::vector<GivenRole>& given);

struct Piece {
  Role role = Role::kFlesh;
  std::string reason;  // why, as a clause: "its inside is a back of the surface at 97% of its area"
  int part = -1;       // index into Character::parts: part that holds most of its triangles
  int points = 0;      // number of welded points
  int triangles = 0;
  bool faces_inwards = false;  // whether its triangles are inside out
};

struct Roles {
  std::vector<Piece> pieces;
  std::vector<int> piece_of_triangle;  // one per triangle of the surface; -1 if two of its corners are equal
  std::vector<int> piece_of_point;     // one per welded point; -1 if no triangle uses it
  bool patches = false;                // whether all patches together are flesh, because none encloses something

  // Role of a welded point. Points without a triangle are rigid: nothing shows them.
  Role OfPoint(int point) const;
  bool Has(Role role) const;
  // Share of the points of pieces that have the role, 0 to 1.
  double Share(Role role) const;
};

// Finds the roles of a character's pieces. surface: of all parts. A role comes, in this order, from `given`, from the
// part's extras in the file ("sinew_role"), from the surface. Throws UsageError if `given` names a part that the
// character lacks, listing those that it has.
Roles FindRoles(const Character& character, const RestSurface& surface, const std::vector<GivenRole>& given = {});

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_ROLES_H_
