// Truth files: ground truth for the page that shows it beside a bundle. A file holds poses and, for every level, the
// shape that the character should have in them. Format: docs/formats/truth.md.
#ifndef SINEW_OFFLINE_VIEW_TRUTH_FILE_H_
#define SINEW_OFFLINE_VIEW_TRUTH_FILE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::view {

// Motion or set of poses that frames come from.
struct TruthClip {
  std::string name;
  bool motion = false;  // frames with consecutive numbers are consecutive in time
  double rate = 0;      // frames per second; 0: unknown
};

// Identifies a frame: index of its clip, and its number in the clip.
struct TruthFrameName {
  int clip = 0, number = 0;

  bool operator==(const TruthFrameName&) const = default;
};

struct TruthHead {
  std::vector<std::string> joints;  // names, in the order of the poses
  std::vector<int> vertices;        // number per level, coarsest level first
  std::vector<TruthClip> clips;
  std::vector<TruthFrameName> frames;
};

struct TruthFrame {
  Pose pose;                   // one transform per joint
  std::vector<Points> levels;  // [i - 1]: vertices of level i in model space, in the order of its file
};

// Returns the size of one frame's record, bytes.
size_t TruthRecordBytes(const TruthHead& head);
// Encodes one frame as a record: the pose as it is, positions in 16 bits per coordinate relative to the bounding box of
// that frame and level.
Bytes FormatTruthFrame(const TruthFrame& frame);
// Encodes a whole file. records: one per frame, of TruthRecordBytes() each.
Bytes FormatTruth(const TruthHead& head, std::span<const Bytes> records);

struct TruthFile {
  TruthHead head;
  std::span<const std::byte> records;  // refers to the bytes that were parsed
};
// Parses a file. Throws InputError for anything that docs/formats/truth.md does not allow. The bytes must outlive the
// result. file: name for messages.
TruthFile ParseTruth(std::span<const std::byte> bytes, const std::string& file);
// Decodes a frame, 0 to head.frames.size() - 1.
TruthFrame ReadTruthFrame(const TruthFile& truth, int frame);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_TRUTH_FILE_H_
