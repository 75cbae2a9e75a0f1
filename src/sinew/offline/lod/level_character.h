// Turns a simplified surface back into a character that any program can read.
#ifndef SINEW_OFFLINE_LOD_LEVEL_CHARACTER_H_
#define SINEW_OFFLINE_LOD_LEVEL_CHARACTER_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/lod/surface.h"

namespace sinew::lod {

// Fields that the coarsening C carries from level to level: one row per point.
struct LevelFields {
  Eigen::MatrixXd weights;  // one column per joint of the skeleton
  Eigen::MatrixXd morphs;   // three columns per entry of MorphFields
};

// Key of the morph attributes that share columns: a target is one field over all primitives of a glTF mesh.
struct MorphField {
  int source = 0;  // parts of one source share their fields
  int target = 0;
  enum class What { kPositions, kNormals, kTangents } what = What::kPositions;
  auto operator<=>(const MorphField&) const = default;
};
std::vector<MorphField> ListMorphFields(const Character& character);

// Returns the finest level's fields: at a point with several vertices, their mean.
LevelFields FinestFields(const Character& character, const Surface& surface, const std::vector<MorphField>& morphs);

struct LevelCharacter {
  Character character;
  std::vector<int> point_of_vertex;
};

// Returns the finest character with the level's surface in place of its own. Vertices are in the order of the finest
// vertices that they descend from; attributes come from the wedges, weights and morph targets from the fields. Weights
// are clipped to be positive, cut to as many influences as the part had, and sum to 1. Normals and tangents are
// computed anew, with hard edges where the surface folds by more than crease_angle (radians).
LevelCharacter MakeLevelCharacter(const Character& finest, const Surface& surface, const LevelFields& fields,
                                  const std::vector<MorphField>& morphs, double crease_angle);

// Returns one vertex's pairs of joint and weight from a row of joint weights: at most `influences`, positive, sum 1,
// strongest first. allowed: one per joint. Where no allowed joint has a positive weight, the first allowed joint gets
// 1.
std::vector<std::pair<int, float>> ToInfluences(const Eigen::VectorXd& row, int influences,
                                                const std::vector<bool>& allowed);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_LEVEL_CHARACTER_H_
