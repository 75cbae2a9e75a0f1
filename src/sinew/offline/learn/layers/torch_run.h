// Training of a described network with libtorch (learn/torch_trainer.h): the loop that all networks on meshes share,
// from the first step to the last, with looks at validation frames, checkpoints and a limit of time.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_TORCH_RUN_H_
#define SINEW_OFFLINE_LEARN_LAYERS_TORCH_RUN_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/layers/rig_loss.h"
#include "sinew/offline/learn/layers/shape_loss.h"
#include "sinew/offline/learn/torch_trainer.h"
#include "sinew/offline/learn/training_state.h"

namespace sinew::layers {

struct RunOptions {
  int64_t steps = 2000;
  double minutes = 0;  // after which training stops and can be resumed; 0: no limit
  // Whether the rate falls so fast that it comes to its end when the time is over, which then ends the training: time
  // before a checkpoint counts, too. Needs a limit of time and the cosine. The result depends on how fast the machine
  // is.
  bool anneal = false;
  int batch = 4;         // frames per step
  double rate = 3e-3;    // learning rate of the first step
  bool plateau = false;  // whether the rate falls where the loss stalls (learn::PlateauOptions), not along a cosine
  double decay = 1e-4;   // weight decay of matrices, multiplied by the rate
  double edges = 0;      // weight of differences between neighbours in the loss
  double huber = 0;      // residual from which on the loss grows linearly; 0: it is squared everywhere
  int shared = 0;        // last columns of the answer whose target is the same in all rows (SinewTorchOptions)
  int64_t patience = 0;  // steps without a better validation loss after which training ends; 0: never
  uint64_t seed = 1;
  bool cuda = false;
  int threads = 0;  // 0: all cores
};
// Throws UsageError for options that exclude each other.
void CheckOptions(const RunOptions& options);
// All of them that the result depends on.
Json JsonOf(const RunOptions& options);

// Loss of a network that rigs meshes, for TorchRun: what its parts count (rig_loss.h), and the poses that it is looked
// at in, drawn anew in every step.
struct RigRun {
  RigLossOptions loss;  // `influences` counts in all looks at validation frames, and in the last third of the steps
  bool alone = true;    // whether there is no other loss
  // Draws the rotations of one frame: poses x joints x 9 numbers.
  std::function<std::vector<float>(Random& random)> draw;
};

// Loss of a network that answers blend shapes, for TorchRun (shape_loss.h), alone. The parameters of the joints'
// networks follow those of the described network.
struct ShapeRun {
  JointNetworks networks;
  double rate = 1;   // factor of the learning rate of the joints' networks
  double scale = 1;  // of lengths
  int poses = 1;     // in which a frame is looked at in every step, drawn anew from its own
  // Draws the numbers of that many poses of a frame.
  std::function<std::vector<int>(int frame, Random& random)> draw;
};

class TorchRun {
 public:
  // inputs: all that the result depends on beside the options, as the hashes of frames; a checkpoint of others is
  // refused. rig, shapes: null for a network that does not rig meshes, or answers no shapes. Keeps references to the
  // network, the options and these. Throws UsageError for options that exclude each other.
  TorchRun(const DescribedNetwork& network, std::vector<float> parameters, const RunOptions& options,
           const Json& inputs, std::filesystem::path checkpoint, const RigRun* rig = nullptr,
           const ShapeRun* shapes = nullptr);

  // Frames are added here, and named by the numbers that it gives.
  learn::TorchTrainer& trainer() { return trainer_; }
  void SetFrames(std::vector<int> training, std::vector<int> validation);

  // Goes on from the checkpoint. Throws InputError for one of other inputs.
  void Resume();
  // Trains until all steps are done, patience or time is over. Returns whether it was not the time. The state is
  // written to the checkpoint twice a minute and when the time is over.
  bool Go();
  const learn::TrainingState& state() const { return state_; }
  // Parameters with the smallest validation loss.
  const std::vector<float>& best() const { return state_.best.empty() ? state_.parameters : state_.best; }

 private:
  bool Step();
  bool Look(double rate);
  double RateOf(int64_t step) const;
  double SpentShare() const;
  void NoteEpoch(int64_t step, double loss);
  void Fetch();
  void Save();
  std::vector<int> BatchOf(int64_t step);
  // Keeps what SinewTorchPoses points to.
  struct Drawn {
    std::vector<float> rotations;
    std::vector<int> numbers;
    SinewTorchPoses poses = {};
  };
  Drawn DrawPoses(uint64_t seed, int64_t first, std::span<const int> frames, int influences) const;

  const RunOptions& options_;
  const RigRun* rig_;
  const ShapeRun* shapes_;
  std::filesystem::path checkpoint_;
  learn::TorchTrainer trainer_;
  std::vector<int> training_, validation_;
  std::string inputs_;
  learn::TrainingState state_;
  int64_t look_every_ = 1;
  double minutes_ = 0;  // that were spent, those before the checkpoint included where the rate falls by the clock
  // Sums of losses, of steps, and their number.
  struct Sum {
    double sum = 0;
    int64_t count = 0;
    void Add(double loss) {
      sum += loss;
      ++count;
    }
    double Mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
  };
  Sum since_look_, since_epoch_;
  std::vector<int> order_;  // of the training frames, in the epoch
  int64_t epoch_ = -1;
};

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_TORCH_RUN_H_
