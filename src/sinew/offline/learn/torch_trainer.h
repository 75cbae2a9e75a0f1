// Training of a network on meshes with libtorch, through libsinew_torch (torch/sinew_torch.h), on the CPU or on a CUDA
// device. What the state of a training is, and what may differ between devices, is said there.
#ifndef SINEW_OFFLINE_LEARN_TORCH_TRAINER_H_
#define SINEW_OFFLINE_LEARN_TORCH_TRAINER_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/learn/torch/sinew_torch.h"

namespace sinew::learn {

// A layer of sinew_torch.h that owns its list of inputs.
struct TorchLayer {
  SinewTorchLayer layer = {};     // without inputs and parents, and their numbers
  std::vector<int> inputs;        // 0: the features; k: output of layer k - 1
  std::vector<int> parents = {};  // of the joints, for a layer that works on a skeleton
};

// The three arrays of a training's state, of TorchTrainer::size() numbers each.
struct TorchState {
  std::vector<float> values, first_moments, second_moments;
  bool operator==(const TorchState&) const = default;
};

// A level of a mesh (SinewTorchLevel). All are empty or of the level's size, rings four times it per set.
struct TorchLevel {
  std::span<const int> starts, neighbours;  // neighbours of vertex i are neighbours[starts[i]] up to starts[i + 1]
  std::span<const int> coarser = {};        // vertex of the next level of each vertex; empty in the coarsest level
  std::span<const float> shares = {};       // in the means of these; empty: equal ones
  std::span<const int> rings = {};          // sets of four edges around each edge, one set after another
};

// A frame whose rig is known (sinew_torch_add_rig). All are row by row.
struct TorchRig {
  std::span<const float> points, weights, shares, joints;
};

// A frame whose shapes are learned (sinew_torch_add_masks), and a pose of it (sinew_torch_add_pose).
struct TorchMasks {
  std::span<const float> masks, shares;
};
struct TorchPose {
  std::span<const float> rotations, turns, off;
};

class TorchTrainer {
 public:
  // Throws FailedError if the library or the device is missing, or the layers do not fit together.
  TorchTrainer(const std::vector<TorchLayer>& layers, const SinewTorchOptions& options);
  ~TorchTrainer();
  TorchTrainer(TorchTrainer&&) noexcept;

  size_t size() const;
  int outputs() const;

  // Copies a mesh of one level: neighbours of vertex i are neighbours[starts[i]] up to starts[i + 1], without i. rings:
  // for networks on edges, four edges around each edge, -1 where there is none (layers/mesh_conv.h), then those of
  // further sets of rings; rows are then edges. Returns its number.
  int AddMesh(std::span<const int> starts, std::span<const int> neighbours, std::span<const int> rings = {});
  // Copies a mesh of several levels, finest first.
  int AddMesh(std::span<const TorchLevel> levels);
  // Copies a frame of a mesh, row by row: features, targets, and one weight per row of the targets, which are joints if
  // the network pools to joints. Targets of SinewTorchOptions::shared columns are one row behind the others. Returns
  // its number.
  int AddFrame(int mesh, std::span<const float> features, std::span<const float> targets,
               std::span<const float> weights);

  // For the loss of a rig (SinewTorchRig): the two points that each row of a mesh ends at, and, for a frame of that
  // mesh, its true rig. With SinewTorchOptions::rig_alone frames have no targets and no weights.
  void AddPoints(int mesh, std::span<const int> ends, int points);
  void AddRig(int frame, const TorchRig& rig);

  // For the loss of shapes (SinewTorchShapes), after AddPoints(): masks of a frame, then its poses, which are numbered
  // from 0 on. With SinewTorchOptions::rig_alone frames have no targets and no weights.
  void AddMasks(int frame, const TorchMasks& masks);
  int AddPose(int frame, const TorchPose& pose);

  TorchState State() const;
  void SetState(const TorchState& state);

  // Does one step of Adam on the frames and returns their mean loss before it. step counts from 1. poses: for the loss
  // of a rig or of shapes. Throws FailedError, with the state left as it was, if the loss is not finite.
  double Step(std::span<const int> frames, long long step, double rate, const SinewTorchPoses* poses = nullptr);
  // Returns the loss of each frame, with stored statistics.
  std::vector<double> Look(std::span<const int> frames, const SinewTorchPoses* poses = nullptr) const;
  // Returns the output of the network for a frame, with stored statistics: `rows` rows.
  std::vector<float> Apply(int frame, int rows) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  int shared_;
  bool rig_alone_;
  int joints_;                              // of the loss of a rig or of shapes
  std::vector<std::pair<int, int>> sizes_;  // rows and points of every mesh
  std::vector<int> mesh_of_;                // of every frame
};

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_TORCH_TRAINER_H_
