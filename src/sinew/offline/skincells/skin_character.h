// From a mesh and a skeleton to a skinned character, in one go.
#ifndef SINEW_OFFLINE_SKINCELLS_SKIN_CHARACTER_H_
#define SINEW_OFFLINE_SKINCELLS_SKIN_CHARACTER_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/skincells/guidance.h"
#include "sinew/offline/skincells/optimize.h"

namespace sinew::skincells {

enum class Method { kSkinCells, kProximity, kTransfer };

struct SkinOptions {
  Method method = Method::kSkinCells;
  int max_influences = 4;  // l
  int sites = 6;           // m, per joint
  // How much following the skeleton counts against smoothness: 1 is balanced, 10 holds volume, 0.1 folds softly.
  double smooth_vs_follow = 1;
  int steps = 1500;
  uint64_t seed = 1;
  int pose_count = 1024;    // sampled inside the joint limits; with `collide` a quarter of them
  std::vector<Pose> poses;  // to use instead; of the character's skeleton
  // With skincells alone:
  std::optional<Paint> paint;          // weights to be pulled toward
  bool mirror = false;                 // the same on both sides of the body
  const Character* collide = nullptr;  // the body that this garment is worn on
  std::string collide_file = {};
  double collision = 1;  // how much keeping off the body counts
  // With every method: what stays as it is, joints by name and vertices of the character, parts in order.
  std::vector<std::string> locks = {};
  std::vector<bool> mask = {};
  std::filesystem::path checkpoint;  // empty: none
  double checkpoint_seconds = 20;
  bool progress = true;
};

struct SkinReport {
  int vertices = 0;  // of the welded surface
  int joints = 0;
  std::vector<int> influences;        // entry k: vertices of the surface with k joints
  std::vector<std::string> warnings;  // what the user should know; also shown as they come
  // Of skincells alone:
  int springs = 0;
  OptimizeResult optimization;
};

// Replaces the weights of every skinned part. from: the character that kTransfer takes weights of, with its file's
// name; null otherwise. `file` names the character in errors.
SkinReport SkinCharacter(Character& character, const std::string& file, const SkinOptions& options,
                         const Character* from = nullptr, const std::string& from_file = "");

// A saved field's weights on another mesh. A character with a skeleton must have the field's joints, by name, and is
// laid over the field by its bind pose; one without gets the field's skeleton. scale: how many of the field's units one
// of the character's is (0.01 for centimetres under a field in metres); where sizes or places differ so much that it is
// likely wrong, the report warns. The report has no optimisation.
SkinReport ApplyField(const SkinField& field, const std::string& field_file, Character& character,
                      const std::string& file, double scale = 1);

// The same for points alone, in the field's space but for their unit. Joints are those of the field's skeleton.
SkinWeights ApplyField(const SkinField& field, const std::string& field_file, const Points& points,
                       const std::string& file, double scale, SkinReport& report);

// The unit that the field's skeleton is likely in, in metres.
double LikelyMetres(const SkinField& field);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_SKIN_CHARACTER_H_
