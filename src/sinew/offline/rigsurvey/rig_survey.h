// Survey of a rigging network: many bodies whose rig is known are rigged as a user would, in groups that differ in what
// is hard about them. docs/rig.md says what the tables mean.
#ifndef SINEW_OFFLINE_RIGSURVEY_RIG_SURVEY_H_
#define SINEW_OFFLINE_RIGSURVEY_RIG_SURVEY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/autorig/train.h"
#include "sinew/offline/rigsurvey/rig_outcome.h"

namespace sinew::rigsurvey {

// Groups of bodies, by name.
inline constexpr const char* kGroupT = "T-pose";
inline constexpr const char* kGroupA = "A-pose";
inline constexpr const char* kGroupTurned = "turned and tilted";
inline constexpr const char* kGroupAxes = "other axes and units";
inline constexpr const char* kGroupDressed = "dressed";
inline constexpr const char* kGroupOthers = "no biped";
inline constexpr const char* kGroupFiles = "given bipeds";
inline constexpr const char* kGroupRemeshed = "remeshed";

struct SurveyOptions {
  int bodies = 60;    // test bodies of the recipe, remeshed each; undressed ones stand in four ways
  int fewest = 2000;  // vertices of these
  int most = 20000;
  int others = 14;                                // random shapes per embedded kind that is no biped
  int remeshings = 12;                            // of one body
  int remesh_fewest = 2000, remesh_most = 75000;  // their vertices, evenly in the logarithm
  bool heat = false;                              // whether bone heat is measured in the group kGroupT
  bool delta_mush = false;                        // whether optimised weights are, by Delta Mush, in that group
  uint64_t seed = 1;
};

// Rigs test bodies of a recipe, each on a mesh of its own: as they are, in an A-pose, turned and tilted, and with other
// axes and units; dressed ones as they are. Bodies that cannot be made are left out with a warning.
std::vector<RigOutcome> SurveyRecipe(const autorig::RigNetwork& network, const autorig::ExampleSource& source,
                                     const SurveyOptions& options);

// Rigs embedded characters that are no bipeds; all should be refused.
std::vector<RigOutcome> SurveyOthers(const autorig::RigNetwork& network, const SurveyOptions& options);

// Spread of the rigs of one body over its meshes.
struct RemeshSpread {
  std::vector<RigOutcome> outcomes;
  double joints = 0;   // largest distance of a joint from the mean of all remeshings, share of the stature
  double weights = 0;  // mean over the surface, and over pairs of remeshings, of the sum of |w - w'|, 0 to 2
};
// Rigs one body on several meshes, one after the other. character: with all joints of BipedJoints(), upright.
RemeshSpread SurveyRemeshings(const autorig::RigNetwork& network, const Character& character,
                              const SurveyOptions& options, const std::string& file);

struct RigSurvey {
  std::vector<RigOutcome> outcomes;  // of all groups
  RemeshSpread remeshed;             // empty: not measured
};
// Returns the tables as Markdown.
std::string MarkdownOf(const RigSurvey& survey);

}  // namespace sinew::rigsurvey

#endif  // SINEW_OFFLINE_RIGSURVEY_RIG_SURVEY_H_
