// Frames that networks teach, kept in memory: for a fit that follows at once, without a dataset on disk.
#ifndef SINEW_OFFLINE_TEACH_TEACH_FRAMES_H_
#define SINEW_OFFLINE_TEACH_TEACH_FRAMES_H_

#include <span>
#include <string>
#include <vector>

#include "sinew/offline/teach/taught_body.h"

namespace sinew::teach {

// Looks at some of the poses, evenly spaced, by their features alone. Throws InputError if most are stranger than what
// the networks have learned: then the character is. file: name of the character in the message. limit: score above
// which a pose is strange; 1 is what 95% of the validation frames stay below.
void RequireKnown(const TaughtBody& body, const std::string& file, std::span<const Pose> poses, double limit = 1);
// Throws that InputError.
[[noreturn]] void RefuseStranger(const std::string& file, int beyond, int frames, double limit = 1);

struct TaughtFrames {
  // Frames that can be learned from, in the order of the poses that were asked for.
  std::vector<int> poses;      // index of the pose
  std::vector<Points> shapes;  // model space, one row per vertex of the file
  std::vector<float> weights;  // Score::weight()
  int asked = 0;               // number of poses that were asked for
  int beyond = 0;              // number of those that are stranger than the limit
  double score = 0;            // median of the scores of all that were asked for
};

// Teaches all poses. Those that are stranger than the limit (RequireKnown()) are left out unless keep_all is set, and
// those whose shape is not finite in any case. Throws InputError as RequireKnown() does, also if that only shows when
// networks answer, unless keep_all is set.
TaughtFrames TeachFrames(const TaughtBody& body, const std::string& file, std::span<const Pose> poses, bool keep_all,
                         double limit = 1);

// Returns the middle one of some scores, of an even number the larger of the two; 0 of none.
double MedianScore(std::vector<double> scores);

}  // namespace sinew::teach

#endif  // SINEW_OFFLINE_TEACH_TEACH_FRAMES_H_
