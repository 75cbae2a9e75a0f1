// A character and the networks that teach it: its shape in a pose, and how far the pose is from what they have learned.
#ifndef SINEW_OFFLINE_TEACH_TAUGHT_BODY_H_
#define SINEW_OFFLINE_TEACH_TAUGHT_BODY_H_

#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/graphnet/tune_to_examples.h"
#include "sinew/offline/teach/teacher.h"

namespace sinew::teach {

// How far a frame is from what was learned.
struct Score {
  // Distance of the frame's features from those that were trained on (graphnet/familiarity.h), mean of the members; 0
  // where none knows.
  double distance = 0;
  // The larger of that distance and the disagreement, each over what 95% of the validation frames stay below: above 1
  // the frame is stranger than these. Disagreement counts where the teacher has a limit for it.
  double value = 0;
  // Root mean square distance of the members from their mean, over area and as a share of the body's size; 0 for one
  // member.
  double disagreement = 0;
  // What tells the error best (docs/teach.md): mean distance of the shape to linear blend skinning over area, as a
  // share of the body's size, times `distance`. It ranks frames and does not count in `value`: where much is corrected
  // there is much to learn.
  double expected_error = 0;

  // How much the frame should count in training: 1 at home, a half where `value` is 1.
  double weight() const { return 1 / (1 + value * value); }
  bool beyond() const { return value > 1; }
};

struct Lesson {
  Points shape;               // model space, one row per vertex of the file: mean of the members
  std::vector<float> spread;  // per vertex, root mean square distance of the members from their mean; empty for one
  Score score;
};

// What true shapes of a character taught its teachers.
struct Tuned {
  // Mean distance to the truth over the body's size, mean of the members: as they are, and tuned to other examples than
  // those that they are measured on.
  double error_before = 0, error_after = 0;
  std::vector<std::string> faded;  // joints around which the networks are worse than skinning
};

class TaughtBody {
 public:
  // The teacher must outlive this object. file: name of the character in messages. roles: given to its parts; rigid
  // ones follow their joints, whatever networks answer. Throws InputError if the networks are not for this character.
  TaughtBody(const Teacher& teacher, Character character, const std::string& file,
             const std::vector<GivenRole>& roles = {});
  ~TaughtBody();

  // Tunes all members to true shapes of this character. Then it looks at the regions of all joints, each of which has
  // the vertices that the joint moves most: where the error of networks that are tuned to other examples is larger than
  // 1.1 times that of skinning, the correction fades out with the joint's weight. Throws UsageError for fewer than two
  // examples. Not while another thread uses this object.
  Tuned Tune(const std::vector<graphnet::Example>& examples);

  // All below may be called from several threads at once.
  Lesson Teach(const Pose& pose) const;
  // Score of a pose by its features alone, without asking the networks: disagreement is 0.
  Score Judge(const Pose& pose) const;
  // Distance of the features of every vertex from those that were trained on, mean of the members; 0 where none knows.
  std::vector<float> VertexDistances(const Pose& pose) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::teach

#endif  // SINEW_OFFLINE_TEACH_TAUGHT_BODY_H_
