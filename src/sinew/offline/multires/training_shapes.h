// Truths as training wants them: on the points of every level, before skinning.
#ifndef SINEW_OFFLINE_MULTIRES_TRAINING_SHAPES_H_
#define SINEW_OFFLINE_MULTIRES_TRAINING_SHAPES_H_

#include <memory>
#include <vector>

#include "sinew/offline/learn/dense.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::multires {

// The points of one level, and how skinning moves them: linear blend skinning of the level's weights.
class LevelSkin {
 public:
  // Throws InputError where a part of the character has no weights.
  explicit LevelSkin(const lod::Level& level);

  int point_count() const { return static_cast<int>(rest_.rows()); }
  const Points& rest() const { return rest_; }
  // From the rest pose to the pose, one per point: the blended matrices of linear blend skinning.
  std::vector<Eigen::Affine3f> Blend(const Pose& pose) const;

 private:
  const Character& character_;
  Points rest_;
  struct Influence {
    int skin = 0, joint = 0;
    float weight = 0;
  };
  std::vector<int> first_;  // of each point's influences, and the end
  std::vector<Influence> influences_;
};

// The displacement before skinning that leads closest to the target after it: M (rest + u) = target, where M can be
// inverted. Where skinning squeezes a direction to less than a quarter, as in a joint that is twisted by half a turn,
// the inverse grows without bound and so would noise; there the gain falls to zero with the stretch instead. scale:
// what M does to lengths where nothing is squeezed; not 1 where a mesh is in another unit than its skeleton.
Eigen::Vector3f InverseSkinning(const Eigen::Affine3f& M, const Eigen::Vector3f& rest, const Eigen::Vector3f& target,
                                float scale = 1);

// A frame's truth on every level, from the truth on the finest level's vertices.
class TruthLevels {
 public:
  explicit TruthLevels(const lod::Hierarchy& hierarchy);
  ~TruthLevels();

  int level_count() const;
  const LevelSkin& skin(int i) const;
  // From vertices in the order of the finest level's file, parts in order, to points.
  Points ToPoints(const Points& finest_vertices) const;
  // The truth on the points of every level, [i - 1] that of level i: C_{i+1} ... C_r x.
  std::vector<Points> Coarsened(const Points& finest_points) const;
  // X_i^j: what to add to the level's rest shape before skinning to get the truth's shape after it; zero where the
  // truth is the rest shape. A level's points do not lie exactly where coarsening the finest level's rest shape puts
  // them; that offset is part of the level, and stays.
  Points Displacements(int i, const Pose& pose, const Points& coarsened) const;
  // The shape that level i is measured against: coarsened, plus that offset, turned as skinning turns it.
  Points Truth(int i, const Pose& pose, const Points& coarsened) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAINING_SHAPES_H_
