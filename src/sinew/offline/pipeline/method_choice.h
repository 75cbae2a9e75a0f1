// Which trained method a build ships (training.method): Sinew's, whose levels build on coarser ones, the single-level
// method, which learns every level by itself, or blend shapes of joints.
#ifndef SINEW_OFFLINE_PIPELINE_METHOD_CHOICE_H_
#define SINEW_OFFLINE_PIPELINE_METHOD_CHOICE_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/pipeline/config.h"

namespace sinew::pipeline {

// Values of training.method.
inline constexpr const char* kMethodSinew = "sinew";
inline constexpr const char* kMethodSingleLevel = "single-level";
inline constexpr const char* kMethodAuto = "auto";
inline constexpr const char* kMethodBlendShape = "blendshape";

// The methods to train and to ship, by the settings training.method and single_level.compare.
struct MethodPlan {
  bool trains_sinew = true;   // by the method whose levels build on coarser ones
  bool trains_single = true;  // by the single-level method
  bool chooses = false;       // both are trained, and the better one ships
  bool blends = false;        // blend shapes are trained and ship; Sinew's method is what they are compared with

  // Whether tables and the page have a second method beside the one that ships.
  bool compares() const { return trains_sinew && (trains_single || blends); }
  // Whether the deformer that ships is a copy of the one that a stage trained under the name of its method.
  bool copies() const { return chooses || (!trains_sinew && !blends); }
  // Whether Sinew's own method has files under its own name, since what ships is or may be another one.
  bool names_sinew() const { return chooses || blends; }
};

// Throws UsageError if the two settings contradict each other.
MethodPlan PlanMethods(const Config& config);

// A method that can ship, as the files of its stages describe it.
struct Candidate {
  Json training;         // training.json of its deformer
  Json facts;            // its entry of bundle.json
  bool limited = false;  // whether the bundle was made to fit a size (bundle.budget_kb)
};

struct MethodChoice {
  bool single_level = false;  // whether the single-level method ships
  std::string why;            // a sentence for the conclusion
};

// Chooses by the error of the finest level in frames that training kept for validation, in the bundle's precision.
// If the errors differ by less than kBetter (advice.h), the smaller file is chosen. If the files are equally large, it
// is the one that reads fewer bytes for a frame of the finest level, since bytes take the time; if that is equal, too,
// Sinew's. No clock is asked, so a build gives the same files on every machine.
MethodChoice ChooseMethod(const Candidate& sinew, const Candidate& single_level);

// Returns the bytes that the correctives of one level need at run time. memory: entry "memory" of bundle.json.
// incremental: levels build on coarser ones, whose correctives are needed, too.
size_t CorrectiveBytes(const Json& memory, int level, bool incremental);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_METHOD_CHOICE_H_
