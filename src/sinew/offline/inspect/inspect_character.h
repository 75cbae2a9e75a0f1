// What is in a character, and what is wrong with it.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_CHARACTER_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_CHARACTER_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/inspect/finding.h"
#include "sinew/offline/inspect/inspect_surface.h"
#include "sinew/offline/mesh/clearance.h"

namespace sinew::inspect {

struct PartInspection {
  std::string name;
  SurfaceInspection surface;
  bool skinned = false;   // has weights of its own
  bool attached = false;  // moves rigidly with one joint
  bool normals = false, tangents = false, texture_coordinates = false;
  int morphs = 0;
};

struct SkeletonInspection {
  int joints = 0;   // in a skin
  int helpers = 0;  // in none, but they move joints
  int roots = 0;
  int named = 0;  // joints whose name says what they are
  bool quadruped = false;
  std::vector<std::string> without_weight;  // joints that move no vertex
  // Only for skins whose surface is watertight: an open one has no inside.
  bool inside_tested = false;
  std::vector<std::string> outside_skin;  // stand outside the surface that they move, in the bind pose
  std::vector<std::string> scaled;        // a rest scale that is not 1
};

struct WeightInspection {
  int vertices = 0;            // with weights
  std::vector<int> histogram;  // [k]: vertices with k influences
  double mean_influences = 0;
  WeightRepairs repairs;  // of all parts together
};

// Directions as "+Y", "-Z", or "0.1 0.9 0.4" where no axis is near.
struct AxesInspection {
  bool known = false;                                  // from joints whose names are known; otherwise glTF's convention
  std::string up = "+Y", forward = "+Z", left = "+X";  // of the character as displayed
  std::string data_up = "+Y";                          // of the mesh data before the skeleton turns it
};

struct BindInspection {
  std::string skin;
  BindComparison comparison;
  std::string furthest_joint;  // empty if none moved
};

struct AnimationInspection {
  std::string name;
  double duration = 0;  // seconds
  int curves = 0;
  int keys = 0;    // of all curves
  int joints = 0;  // with at least one curve
};

struct DeepInspection {
  struct JointPairs {
    std::string joint;  // that moves the lower triangle's first corner most; empty in unskinned parts
    int pairs = 0;
  };
  struct Containment {
    std::string part, inside_of;
    double share = 0;  // of the part's vertices
  };
  // Triangles as (part, triangle of that part).
  using TriangleOfPart = std::array<int, 2>;
  std::vector<std::array<TriangleOfPart, 2>> intersections;
  std::vector<JointPairs> intersections_by_joint;  // most first
  std::optional<Clearance> clearance;              // vertex and triangle are those of the welded whole: not for output
  std::string clearance_from, clearance_to;        // the joints that move the two sides most
  TriangleQuality quality;                         // of the welded whole
  std::vector<Containment> containment;            // parts that stand partly or wholly inside a watertight other
};

struct CharacterInspection {
  std::string name;
  int meshes = 0;  // of the file; each may be several parts, one a material
  int skins = 0;   // of the file
  std::vector<PartInspection> parts;
  SurfaceInspection whole;  // all parts together, welded to each other where they meet
  Box box;                  // as displayed: in the rest pose, in model space
  LikelyUnit unit;
  AxesInspection axes;
  SkeletonInspection skeleton;
  WeightInspection weights;
  std::vector<BindInspection> bind;  // one per skin of the file
  std::vector<AnimationInspection> animations;
  std::optional<DeepInspection> deep;
  Findings findings;
};

struct InspectOptions {
  bool deep = false;  // also what takes seconds: intersections, clearance, quality, containment
  std::vector<std::string> read_warnings = {};  // what the reader said: these become findings
};

CharacterInspection InspectCharacter(const Character& character, const InspectOptions& options = {});

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_CHARACTER_H_
