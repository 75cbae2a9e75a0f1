// From a simplified surface back to a character that any program can read.
#ifndef SINEW_OFFLINE_LOD_LEVEL_CHARACTER_H_
#define SINEW_OFFLINE_LOD_LEVEL_CHARACTER_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/lod/surface.h"

namespace sinew::lod {

// What C carries from level to level: a row per point.
struct LevelFields {
  Eigen::MatrixXd weights;  // a column per joint of the skeleton
  Eigen::MatrixXd morphs;   // three columns per entry of MorphFields
};

// Which morph attributes share columns: targets of the primitives of one glTF mesh are one field over all of them.
struct MorphField {
  int source = 0;  // parts of one source share their fields
  int target = 0;
  enum class What { kPositions, kNormals, kTangents } what = What::kPositions;
  auto operator<=>(const MorphField&) const = default;
};
std::vector<MorphField> ListMorphFields(const Character& character);

// The finest level's: at a point with several vertices, their mean.
LevelFields FinestFields(const Character& character, const Surface& surface, const std::vector<MorphField>& morphs);

struct LevelCharacter {
  Character character;
  std::vector<int> point_of_vertex;
};

// The finest character with the level's surface in place of its own: vertices in the order of the finest vertices that
// they descend from; attributes from the wedges; weights and morph targets from the fields, weights clipped to be
// positive, cut to as many influences as the part had, and summing to 1; normals and tangents computed anew, with hard
// edges where the surface folds by more than crease_angle.
LevelCharacter MakeLevelCharacter(const Character& finest, const Surface& surface, const LevelFields& fields,
                                  const std::vector<MorphField>& morphs, double crease_angle);

// One vertex's weights from a row of joint weights: at most `influences`, positive, sum 1, strongest first.
// allowed: one per joint. Where nothing positive is allowed, the first allowed joint gets 1.
std::vector<std::pair<int, float>> ToInfluences(const Eigen::VectorXd& row, int influences,
                                                const std::vector<bool>& allowed);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_LEVEL_CHARACTER_H_
