// Split of frames into training, validation and test sides, for `sinew dataset split` and for training.
//
// A motion is cut into blocks of consecutive frames, each of which goes to one side as a whole. Of two frames of a
// motion that are near to each other and on different sides, the later one is left out: it would be almost the same as
// its neighbour. Samples, which have no order, are split frame by frame.
#ifndef SINEW_OFFLINE_DATASET_SPLIT_FRAMES_H_
#define SINEW_OFFLINE_DATASET_SPLIT_FRAMES_H_

#include <array>
#include <cstdint>
#include <vector>

namespace sinew::dataset {

enum class Side { kTrain, kValidation, kTest };
constexpr int kSides = 3;
const char* Name(Side side);

// Position of a frame within its motion.
struct FramePlace {
  int motion = 0;      // identifies the motion
  int number = 0;      // number of the frame within the motion
  bool timed = false;  // whether the frames of the motion have an order in time
};

struct DealOptions {
  std::array<double, kSides> shares = {0.8, 0.1, 0.1};  // shares of the sides, which sum to 1
  bool by_motion = false;  // whether motions go to one side as a whole, instead of block by block
  int block = 16;          // maximum number of frames per block; a tenth of a short motion's frames, but at least 3
  int gap = 1;             // frames of one motion whose numbers differ by at most this are never on different sides
  uint64_t seed = 1;
};

struct Deal {
  std::vector<int> sides;  // one per frame: a Side, or -1 for frames left out
  int between = 0;         // number of frames left out because they are too near to a frame of another side
};

// Assigns every frame to a side. fixed: one per motion: the Side to which it goes as a whole, or -1 for motions that
// are split like the others; empty: all are split.
Deal DealFrames(const std::vector<FramePlace>& frames, const DealOptions& options, const std::vector<int>& fixed = {});

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SPLIT_FRAMES_H_
