// Builds the level-of-detail hierarchy of multires-deep-psd (section 3, figure 3): meshes M_1 (coarsest) to M_r (as
// given), and level 0, which is never shown and makes the regions (section 5).
#ifndef SINEW_OFFLINE_LOD_HIERARCHY_H_
#define SINEW_OFFLINE_LOD_HIERARCHY_H_

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/lod/upsampling.h"

namespace sinew::lod {

// One mesh of the hierarchy. Vertices are those of the file, split at seams; fields are defined on points (surface.h).
struct Level {
  Character character;
  int point_count = 0;
  std::vector<int> point_of_vertex;  // one per vertex of the character, parts in order

  int vertex_count() const { return static_cast<int>(point_of_vertex.size()); }
};

// Copies values from points, one row each, to the vertices of the level's file, one row each.
Points OnVertices(const Level& level, const Points& points);

struct Hierarchy {
  std::vector<Level> levels;  // levels[i - 1] is level i
  // Upsampling operators U_i, from level i to level i + 1, for i = 0 to r - 1. (The paper's equations 1 and 2 write U_i
  // where its own definition, followed here and in its equation 3, needs U_{i-1}.)
  std::vector<Upsampling> U;

  int level_count() const { return static_cast<int>(levels.size()); }
  const Level& level(int i) const { return levels[i - 1]; }
  int region_count() const { return U[0].coarse_count; }  // n_0
};

// Returns the partition of unity on level i >= 1 (equation 3): column k is psi_i^k, rows sum to 1. Zeros are left out.
Eigen::SparseMatrix<double, Eigen::RowMajor> BasisFunctions(const Hierarchy& hierarchy, int i);

struct HierarchyOptions {
  // Numbers of points of the levels below the finest one, finest first: levels r - 1 to 1. Each is smaller than the one
  // before.
  std::vector<int> points;
  int regions = 100;  // number of points of level 0
  // Whether islands that are smaller than a level's mean edge are left out of it and of all coarser ones. If not, every
  // island is kept, as a few triangles at least.
  bool drop_small_islands = false;
  // Extra density of the surface where skinning weights change, and it bends with the joints; 0: none.
  double joint_density = kDefaultJointDensity;
  // Poses in which the levels' weights are fitted to the finest level's shape (fit_weights.h); empty: weights are only
  // coarsened.
  std::vector<Pose> fit_poses = {};

  // Whether a level is left out that has hardly fewer points than the one above it, because islands, seams and topology
  // allow no fewer: it would cost memory and look the same.
  bool leave_out_alike = false;

  static constexpr double kDefaultJointDensity = 0.3;
};

// Returns HierarchyOptions::points for `levels` levels, each with `ratio` times the finer level's points.
std::vector<int> PointsByRatio(int finest_points, int levels, double ratio);

struct LevelNotes {
  int asked = 0, reached = 0;  // numbers of points
  int dropped_islands = 0;
};
// Level that could not be made.
struct LeftOutLevel {
  int points = 0;   // number that was asked for
  std::string why;  // as a clause
};
// Returns a sentence about it.
std::string Sentence(const LeftOutLevel& level);

struct HierarchyNotes {
  std::vector<LevelNotes> levels;  // one per level, in the order of Hierarchy::levels
  LevelNotes regions;              // level 0
  int joined_islands = 0;          // too small for regions of their own: each follows the nearest large one
  std::vector<LeftOutLevel> left_out = {};
};

// Returns the number of points of a character's surface.
int CountPoints(const Character& character, const std::string& file);

// Builds a character's hierarchy. A level whose operators cannot be made is left out, which the notes tell, and the
// others are made without it. file: name of the character in errors. notes: may be null. Throws InputError for a
// character without a skin, without triangles, with positions that are not finite, or with too few points for the
// levels that are asked for.
Hierarchy BuildHierarchy(const Character& character, const std::string& file, const HierarchyOptions& options,
                         HierarchyNotes* notes = nullptr);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_HIERARCHY_H_
