// What a method was trained on, and how far a body and its poses are from the nearest of it.
#ifndef SINEW_OFFLINE_SURVEY_TRAINING_BODIES_H_
#define SINEW_OFFLINE_SURVEY_TRAINING_BODIES_H_

#include <Eigen/Geometry>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sinew/offline/survey/body.h"
#include "sinew/offline/survey/body_shape.h"

namespace sinew::survey {

struct NearestBody {
  std::string name;
  BodyDistance distance;
};

class TrainingBodies {
 public:
  // Reads the poses of the bodies' frames that count (Body::frames), and their proportions. Throws InputError as
  // LoadedBody does.
  explicit TrainingBodies(const std::vector<Body>& bodies);

  int body_count() const { return static_cast<int>(shapes_.size()); }
  int pose_count() const;

  // Returns the distance of each pose from the nearest training pose, in radians (poses::PoseMetric). Poses of another
  // skeleton are first carried over to this one as motions are (retarget/retarget.h). Empty if no training skeleton has
  // joints that can be matched.
  std::vector<double> PoseDistances(const Skeleton& skeleton, const std::vector<Pose>& poses) const;

  // Returns how many of the frames of a body that count are training frames, by their hashes. dataset: that of the
  // body.
  int CountTrained(const Body& body, const dataset::Dataset& dataset) const;

  // Returns the training body of least BodyDistance::Total(), the first of equal ones; none if no body can be compared.
  std::optional<NearestBody> Nearest(const BodyShape& shape) const;

 private:
  // Rotations away from rest, one per joint (Articulation::Deltas()).
  using Deltas = std::vector<Eigen::Quaterniond>;
  // Poses of skeletons with the same joints and rest orientations, whatever the lengths of their bones.
  struct Group {
    Skeleton skeleton;
    std::vector<Pose> poses;
    std::vector<Deltas> deltas;
  };

  std::vector<Deltas> DeltasFor(const Skeleton& skeleton, const Group& group) const;

  std::vector<Group> groups_;
  std::vector<std::pair<std::string, BodyShape>> shapes_;  // by name
  std::set<std::string> hashes_;                           // of all frames (DatasetFrame::hash)
};

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_TRAINING_BODIES_H_
