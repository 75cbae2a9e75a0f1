// The one way in which frames are set aside, to validate or to test with: dataset split and training use it.
//
// A motion is cut into blocks of consecutive frames, which stay whole, and of two frames of a motion that are near to
// each other and on different sides, the later one is left out: it would be known by its neighbour. Samples, which have
// no order, are split frame by frame.
#ifndef SINEW_OFFLINE_DATASET_SPLIT_FRAMES_H_
#define SINEW_OFFLINE_DATASET_SPLIT_FRAMES_H_

#include <array>
#include <cstdint>
#include <vector>

namespace sinew::dataset {

enum class Side { kTrain, kValidation, kTest };
constexpr int kSides = 3;
const char* Name(Side side);

// What splitting knows of a frame.
struct FramePlace {
  int motion = 0;      // frames of one motion have the same number
  int number = 0;      // in its motion
  bool timed = false;  // whether the motion has an order
};

struct DealOptions {
  std::array<double, kSides> shares = {0.8, 0.1, 0.1};  // sum to 1
  bool by_motion = false;                               // motions stay whole, instead of their blocks
  int block = 16;                                       // frames at most; a tenth of a short motion
  int gap = 1;  // frames of one motion that are so near, or nearer, are never on different sides
  uint64_t seed = 1;
};

struct Deal {
  std::vector<int> sides;  // one per frame: a Side; -1: left out
  int between = 0;         // frames that were left out because they lie between two sides
};

// fixed: one per motion that goes to one side as a whole, a Side; -1: dealt with the others. Empty: all are dealt.
Deal DealFrames(const std::vector<FramePlace>& frames, const DealOptions& options, const std::vector<int>& fixed = {});

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SPLIT_FRAMES_H_
