// Computes a character's skinning weights in one call, by an optimised field or a simpler method.
#ifndef SINEW_OFFLINE_SKINCELLS_SKIN_CHARACTER_H_
#define SINEW_OFFLINE_SKINCELLS_SKIN_CHARACTER_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/skincells/guidance.h"
#include "sinew/offline/skincells/optimize.h"

namespace sinew::skincells {

enum class Method { kSkinCells, kProximity, kVoxel, kTransfer };

// Largest number of joints that weights are optimised for: more than film characters have. Memory and time grow with
// vertices times joints.
constexpr int kMaxJoints = 2000;

struct SkinOptions {
  Method method = Method::kSkinCells;
  int max_influences = 4;  // l, per vertex
  int sites = 6;           // m, sites per joint
  // Weight of following the skeleton relative to smoothness: 1 is balanced, 10 holds volume, 0.1 folds softly.
  double smooth_vs_follow = 1;
  int steps = 1500;
  uint64_t seed = 1;
  int pose_count = 1024;    // number of poses sampled inside the joint limits; with `collide` a quarter of them
  std::vector<Pose> poses;  // poses to use instead of sampled ones, of the character's skeleton; may be empty
  // For kSkinCells alone:
  std::optional<Paint> paint;          // weights that the field is pulled toward
  bool mirror = false;                 // whether both sides of the body get mirrored weights
  const Character* collide = nullptr;  // body that this garment is worn on; null: none
  std::string collide_file = {};       // its file, for messages
  double collision = 1;                // factor on the collision loss
  // For every method: what keeps its weights, joints by name, and one entry per vertex of the character, parts in
  // order. Both may be empty.
  std::vector<std::string> locks = {};
  std::vector<bool> mask = {};
  std::filesystem::path checkpoint;  // empty: none
  double checkpoint_seconds = 20;
  bool progress = true;
};

struct SkinReport {
  int vertices = 0;                   // number of vertices of the welded surface
  int joints = 0;                     // number of joints that may carry weight
  std::vector<int> influences;        // entry k: number of vertices of the surface with k joints
  std::vector<std::string> warnings;  // for the user; also logged as they come
  // For kSkinCells alone:
  int springs = 0;  // number of springs that were kept
  OptimizeResult optimization;
};

// Replaces the weights of every skinned part. file: name of the character in errors. from, from_file: the character
// that kTransfer takes weights from, and its file's name; null for the other methods. Throws InputError for a character
// that MakeSubject() refuses, and for more than kMaxJoints joints with kSkinCells.
SkinReport SkinCharacter(Character& character, const std::string& file, const SkinOptions& options,
                         const Character* from = nullptr, const std::string& from_file = "");

// Gives another mesh a saved field's weights. A character with a skeleton must have the field's joints, by name, and is
// aligned with the field by its bind pose; one without gets the field's skeleton. scale: length of one unit of the
// character in units of the field (0.01 for centimetres under a field in metres); where sizes or places differ so much
// that it is likely wrong, the report warns. The report has no optimisation.
SkinReport ApplyField(const SkinField& field, const std::string& field_file, Character& character,
                      const std::string& file, double scale = 1);

// Returns a saved field's weights of points without a mesh, which are in the field's space but for their unit. Joints
// are those of the field's skeleton.
SkinWeights ApplyField(const SkinField& field, const std::string& field_file, const Points& points,
                       const std::string& file, double scale, SkinReport& report);

// Returns the length in metres of the unit that the field's skeleton is likely in.
double LikelyMetres(const SkinField& field);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SKIN_CHARACTER_H_
