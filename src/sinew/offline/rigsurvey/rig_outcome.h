// Rigs a body whose true rig is known, as a user would: distances from the true rig, verdicts, and the time.
#ifndef SINEW_OFFLINE_RIGSURVEY_RIG_OUTCOME_H_
#define SINEW_OFFLINE_RIGSURVEY_RIG_OUTCOME_H_

#include <string>
#include <vector>

#include "sinew/offline/autorig/known_body.h"
#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/character/clip.h"

namespace sinew::rigsurvey {

struct RigOutcome {
  std::string name, group, family;
  int vertices = 0;
  std::string refusal;  // why the body was refused; empty: it was not
  std::string failure;  // why there was no answer at all: its file cannot be read, say; empty: there was one
  // All distances are shares of the stature. Entries are negative where the truth is not known.
  std::vector<double> joints;      // per known joint
  double mean = -1, largest = -1;  // of these
  double weights = -1;             // mean over the surface of the sum of |w - w'|, 0 to 2
  double posed = -1;               // mean distance of the surface in stances, both rigs turned alike
  double heat_weights = -1;        // the same two of bone heat, given the true joints
  double heat_posed = -1;
  // Mean displacement of the surface by Delta Mush in stances: of the true weights on the true joints, and of optimised
  // weights (RigWeights::kSkinCells) on those found.
  double true_mush = -1, skincells_mush = -1;
  int unheated = 0;                   // vertices that bone heat leaves without weights, which count in neither
  double turned = -1;                 // degrees between the true axes of the body and those found
  int outside = 0;                    // joints that are not inside of the body
  double volume = -1;                 // mean change of volume in everyday poses
  double motion_volume = -1;          // the same in a motion
  std::vector<std::string> warnings;  // checks whose verdict is bad
  double seconds = 0;                 // for the whole rig, reading and writing files left out

  bool refused() const { return !refusal.empty(); }
  bool failed() const { return !failure.empty(); }
  bool rigged() const { return !refused() && !failed(); }
};

struct OutcomeOptions {
  autorig::RigOptions rig;
  bool heat = false;             // whether bone heat is compared, too
  bool delta_mush = false;       // whether optimised weights are compared by Delta Mush, too
  const Clip* motion = nullptr;  // in which the change of volume is measured, or null
};

// Rigs the body and compares. rig: set to what was found, unless it is null or the body is not rigged.
RigOutcome RigAndCompare(const autorig::KnownBody& body, const autorig::RigNetwork& network,
                         const OutcomeOptions& options, autorig::Rig* rig = nullptr);

// Returns the outcome of a body whose file cannot be read.
RigOutcome Failed(const std::string& name, const std::string& group, const std::string& why);

// Returns the weights of a rig's only part, one row per vertex.
learn::RowMatrix WeightsOf(const autorig::Rig& rig);

// One line per outcome, after a line of names.
std::string CsvOf(const std::vector<RigOutcome>& outcomes);

}  // namespace sinew::rigsurvey

#endif  // SINEW_OFFLINE_RIGSURVEY_RIG_OUTCOME_H_
