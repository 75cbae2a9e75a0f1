// Pose sequences: the list of poses that a dataset is simulated from, with the motion that each pose comes from, and
// its division into clips and into parts for several machines.
#ifndef SINEW_OFFLINE_DATASET_SEQUENCE_H_
#define SINEW_OFFLINE_DATASET_SEQUENCE_H_

#include <string>
#include <vector>

#include "sinew/offline/character/clip.h"
#include "sinew/offline/dataset/manifest.h"

namespace sinew::dataset {

struct PoseSequence {
  std::vector<Pose> poses;             // each with one transform per joint of the skeleton, in its order
  DatasetPoses entry;                  // manifest entry of this list of poses
  std::vector<DatasetMotion> motions;  // manifest entries of the motions, which DatasetFrame::motion refers to
  // Manifest entries, one per pose. Only index, motion and motion_frame are set.
  std::vector<DatasetFrame> frames;

  int frame_count() const { return static_cast<int>(poses.size()); }
};

// Reads the poses of several files for the given skeleton. where: paths of pose files, BVH files or glTF files (all
// animations, or the one named by FILE.glb#NAME; sampled at 30 frames per second), concatenated in this order. Throws
// InputError for poses of another skeleton, for numbers that are not a valid pose (pose_array.h), and if there is no
// pose at all.
PoseSequence ReadPoseSequence(const std::vector<std::string>& where, const Skeleton& skeleton);

// Makes the sequence from clips that have been read already. names: one per clip, the file it is from: for error
// messages, for the name of `entry`, and for the motion's file where the clip does not know its sources. Throws as
// ReadPoseSequence(), but the sequence may be empty.
PoseSequence MakePoseSequence(const std::vector<Clip>& clips, const std::vector<std::string>& names,
                              const Skeleton& skeleton);

struct FrameRange;
// Partitions the sequence into clips, in order: the longest runs of frames of one motion whose motion_frame increases
// (numbers may be skipped). Of motions with a rate, which may be higher than their file's, numbers may also repeat.
std::vector<FrameRange> ClipsOf(const PoseSequence& sequence);

// Range of frames, from begin to end - 1.
struct FrameRange {
  int begin = 0, end = 0;
};
// Parses "a:b": frames a to b - 1. Either number may be left out, a `b` beyond the end is cut to frame_count, and empty
// text means all frames. Throws UsageError if the text has another form or the range contains no frame.
FrameRange ParseFrameRange(const std::string& text, int frame_count);

// Splits a range into parts of at most `frames` frames, for several machines. whole_clips: clips (ClipsOf) are not
// divided between parts, so a clip of more than `frames` frames makes a larger part by itself.
std::vector<FrameRange> SplitWork(const PoseSequence& sequence, const FrameRange& range, int frames, bool whole_clips);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SEQUENCE_H_
