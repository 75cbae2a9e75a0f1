// Ground truth in the form that training needs: on the points of every level, as displacements before skinning.
#ifndef SINEW_OFFLINE_MULTIRES_TRAINING_SHAPES_H_
#define SINEW_OFFLINE_MULTIRES_TRAINING_SHAPES_H_

#include <memory>
#include <vector>

#include "sinew/offline/learn/dense.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::multires {

// Points of one level with linear blend skinning by the level's weights.
class LevelSkin {
 public:
  // The level must outlive this object. Throws InputError if a part of the character has no weights.
  explicit LevelSkin(const lod::Level& level);

  int point_count() const { return static_cast<int>(rest_.rows()); }
  // Rest positions, one row per point, in mesh data space.
  const Points& rest() const { return rest_; }
  // Blended matrices of linear blend skinning, one per point: from mesh data space at rest to model space in the pose.
  std::vector<Eigen::Affine3f> Blend(const Pose& pose) const;

 private:
  const Character& character_;
  Points rest_;
  struct Influence {
    int skin = 0, joint = 0;
    float weight = 0;
  };
  std::vector<int> first_;  // index of each point's first influence, and the end
  std::vector<Influence> influences_;
};

// Displacement u before skinning that leads closest to the target after it: M (rest + u) = target if M is well
// conditioned. Where skinning compresses a direction to less than a quarter, as in a joint that is twisted by half a
// turn, the inverse would grow without bound and amplify noise; there the gain falls to zero with the singular value
// instead. M: blended skinning matrix. scale: factor by which M changes lengths where nothing is compressed; differs
// from 1 if a mesh is in another unit than its skeleton.
Eigen::Vector3f InverseSkinning(const Eigen::Affine3f& M, const Eigen::Vector3f& rest, const Eigen::Vector3f& target,
                                float scale = 1);

// Ground truth of a frame on every level, computed from that on the finest level's vertices.
class TruthLevels {
 public:
  // The hierarchy must outlive this object.
  explicit TruthLevels(const lod::Hierarchy& hierarchy);
  ~TruthLevels();

  int level_count() const;
  const LevelSkin& skin(int i) const;
  // Converts positions of the finest level from vertices (in the order of its file, parts in order) to points.
  Points ToPoints(const Points& finest_vertices) const;
  // Coarsens positions of the finest level to the points of every level: [i - 1] is C_{i+1} ... C_r x.
  std::vector<Points> Coarsened(const Points& finest_points) const;
  // X_i^j: displacement to add to the rest shape of level i before skinning to get the ground truth after it; zero if
  // the ground truth is the rest shape. The points of a level do not lie exactly where coarsening the finest level's
  // rest shape puts them; that offset belongs to the level, and is not part of the displacement. coarsened: ground
  // truth of level i, from Coarsened().
  Points Displacements(int i, const Pose& pose, const Points& coarsened) const;
  // Shape in model space that level i is compared with: the coarsened ground truth, plus that offset transformed by the
  // linear part of the skinning matrices.
  Points Truth(int i, const Pose& pose, const Points& coarsened) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_TRAINING_SHAPES_H_
