// Inspection of a character: what it contains, and what is wrong with it.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_CHARACTER_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_CHARACTER_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/inspect/finding.h"
#include "sinew/offline/inspect/inspect_surface.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/mesh/clearance.h"

namespace sinew::inspect {

struct PartInspection {
  std::string name;
  SurfaceInspection surface;
  bool skinned = false;   // has skinning weights of its own
  bool attached = false;  // moves rigidly with one joint
  std::string role;       // role that the file gives it, which may not exist; empty: none
  bool normals = false, tangents = false, texture_coordinates = false;
  int morphs = 0;
};

struct SkeletonInspection {
  int joints = 0;   // joints of a skin
  int helpers = 0;  // nodes of no skin that move joints
  int roots = 0;
  int named = 0;  // joints recognized by their names
  bool quadruped = false;
  std::vector<std::string> without_weight;  // joints that move no vertex
  // Whether any skin's joints were tested for being inside its surface: only possible for watertight surfaces, since an
  // open one has no inside.
  bool inside_tested = false;
  std::vector<std::string> outside_skin;  // joints outside the surface of their skin, in the bind pose
  std::vector<std::string> scaled;        // joints with a rest scale other than 1
};

struct WeightInspection {
  int vertices = 0;            // vertices of parts with weights
  std::vector<int> histogram;  // [k]: number of vertices with k influences
  double mean_influences = 0;
  WeightRepairs repairs;  // sums over all parts
};

// Orientation of a character. Directions are written as "+Y", "-Z", or "0.1 0.9 0.4" if no axis is near.
struct AxesInspection {
  bool known = false;                                  // found from joints recognized by name; else glTF's convention
  std::string up = "+Y", forward = "+Z", left = "+X";  // of the character as displayed
  std::string data_up = "+Y";                          // of the mesh data before the skeleton's rest pose turns it
};

struct BindInspection {
  std::string skin;
  BindComparison comparison;
  std::string furthest_joint;  // joint that differs most between rest and bind pose; empty if none differs
};

// Islands of a part that have the same role.
struct RoleRow {
  std::string part;
  Role role = Role::kFlesh;
  int islands = 0;
  int points = 0;      // number of welded points
  std::string reason;  // why the island with the most points has the role, as a clause
};

struct RolesInspection {
  std::array<double, kRoles> shares = {};  // one per Role: share of the welded points, 0 to 1
  bool patches = false;                    // whether the skin is in patches, none of which encloses something by itself
  std::vector<RoleRow> rows;               // one per part and role, most points first
};

struct AnimationInspection {
  std::string name;
  double duration = 0;  // seconds
  int curves = 0;
  int keys = 0;    // sum over all curves
  int joints = 0;  // joints with at least one curve
};

// Number of intersecting pairs of triangles after which no more are looked for: many copies of one triangle have as
// many pairs as the square of their number.
constexpr int kMaxIntersections = 100'000;

// Results of the tests that take seconds (InspectOptions::deep).
struct DeepInspection {
  struct JointPairs {
    // Joint of largest weight at the first corner of the pair's lower triangle; empty in parts without weights.
    std::string joint;
    int pairs = 0;
  };
  struct Containment {
    std::string part, inside_of;
    double share = 0;  // share of the part's vertices that are inside, 0 to 1
  };
  // A triangle, given as (part, triangle of that part).
  using TriangleOfPart = std::array<int, 2>;
  std::vector<std::array<TriangleOfPart, 2>> intersections;  // the first kMaxIntersections
  bool more_intersections = false;                           // whether there are more than these
  std::vector<JointPairs> intersections_by_joint;            // most pairs first
  std::optional<Clearance> clearance;        // its vertex and triangle index the welded whole: not for output
  std::string clearance_from, clearance_to;  // joints of largest weight on the two sides
  TriangleQuality quality;                   // of the welded whole
  std::vector<Containment> containment;      // parts that are partly or wholly inside another, watertight one
};

struct CharacterInspection {
  std::string name;
  int meshes = 0;  // meshes of the file; each may be several parts, one per material
  int skins = 0;   // skins of the file
  std::vector<PartInspection> parts;
  SurfaceInspection whole;  // all parts together, welded where they meet
  Box box;                  // bounding box as displayed: in the rest pose, in model space
  LikelyUnit unit;
  AxesInspection axes;
  SkeletonInspection skeleton;
  WeightInspection weights;
  std::vector<BindInspection> bind;      // one per skin of the file
  std::optional<RolesInspection> roles;  // see InspectRoles() for when there are none
  std::vector<AnimationInspection> animations;
  std::vector<gltf::OtherAnimation> unused_animations;  // animations of the file that move no joint
  std::optional<DeepInspection> deep;
  Findings findings;
};

struct InspectOptions {
  bool deep = false;  // also run tests of seconds: intersections, clearance, quality, containment
  std::vector<std::string> read_warnings = {};  // warnings of the reader: become findings
  std::vector<GivenRole> roles = {};            // roles that the user gives to parts
};

// Throws UsageError for roles that cannot be given; see InspectRoles().
CharacterInspection InspectCharacter(const Character& character, const InspectOptions& options = {});

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_CHARACTER_H_
