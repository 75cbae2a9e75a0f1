// Features that a network sees of a body, and the form of its answers. A model file keeps these choices beside the
// layers.
#ifndef SINEW_OFFLINE_GRAPHNET_BODY_OPTIONS_H_
#define SINEW_OFFLINE_GRAPHNET_BODY_OPTIONS_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::graphnet {

enum class Features {
  kPaper,      // relative skinning, normal, distances to all joints (Eqs. 2 to 4): for one skeleton
  kPositions,  // the same with the skinned place of the point in the model in place of relative skinning (Fig. 10)
  kJoints,     // what the four strongest joints of a point do: for any skeleton
  kCues,       // the same, and what other methods than linear blend skinning make of the point
};

// Whether a body is seen by distances to all joints of one skeleton, which a network is then for.
inline bool NeedsOneSkeleton(Features features) {
  return features == Features::kPaper || features == Features::kPositions;
}

enum class Answers {
  kBody,  // displacements in the frame of the pelvis, or of the joint that moves most: added after skinning
  kLimb,  // displacements in the frame that the joints of each point turn together: they follow the limb
};

struct BodyOptions {
  Features features = Features::kPaper;
  Answers answers = Answers::kBody;
  // Mean length of the edges of the working level over the body's size, on which features and answers are; 0: these are
  // on the points of the file.
  double working_edge = 0;
  int coarser_levels = 0;  // below it, for networks that pool along fixed maps

  bool operator==(const BodyOptions&) const = default;
};

// Names of Features and Answers, in order.
const std::vector<std::string>& FeatureNames();
const std::vector<std::string>& AnswerNames();

Json JsonOf(const BodyOptions& options);
// Reads what JsonOf() wrote; an empty object is the default. Throws InputError, naming `file`.
BodyOptions BodyOptionsOf(const Json& json, const std::string& file);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_BODY_OPTIONS_H_
