// The poses that a dataset is made of, one after another, and which motion each comes from.
#ifndef SINEW_OFFLINE_DATASET_SEQUENCE_H_
#define SINEW_OFFLINE_DATASET_SEQUENCE_H_

#include <string>
#include <vector>

#include "sinew/offline/character/clip.h"
#include "sinew/offline/dataset/manifest.h"

namespace sinew::dataset {

struct PoseSequence {
  std::vector<Pose> poses;  // for all joints of the skeleton, in its order
  DatasetPoses entry;
  std::vector<DatasetMotion> motions;
  std::vector<DatasetFrame> frames;  // one per pose: index, motion and motion_frame; character and poses are 0

  int frame_count() const { return static_cast<int>(poses.size()); }
};

// where: pose files, BVH files, glTF files (all animations, or FILE.glb#NAME), in this order. Throws InputError for
// poses of another skeleton and for numbers that are no pose.
PoseSequence ReadPoseSequence(const std::vector<std::string>& where, const Skeleton& skeleton);

// The same from clips that are read already; names[i] is what errors call clips[i].
PoseSequence MakePoseSequence(const std::vector<Clip>& clips, const std::vector<std::string>& names,
                              const Skeleton& skeleton);

struct FrameRange;
// Frames of one motion that follow each other, in order; all of the sequence.
std::vector<FrameRange> ClipsOf(const PoseSequence& sequence);

// "a:b": frames a to b - 1; either may be left out, and b may be beyond the end. Throws UsageError if that is not what
// it says, or is no frame at all.
struct FrameRange {
  int begin = 0, end = 0;
};
FrameRange ParseFrameRange(const std::string& text, int frame_count);

// The range in parts of about so many frames, for several machines. whole_clips: no clip is cut in two, so a part may
// have more.
std::vector<FrameRange> SplitWork(const PoseSequence& sequence, const FrameRange& range, int frames, bool whole_clips);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SEQUENCE_H_
