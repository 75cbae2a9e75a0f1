// Truths beside a bundle, for the page that shows both: poses and, for every level, the shape that the character should
// have. docs/formats/truth.md.
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

// Where frames come from.
struct TruthClip {
  std::string name;
  bool motion = false;  // frames whose numbers follow each other follow each other in time
  double rate = 0;      // frames a second; 0: not known
};

// Which frame of which clip.
struct TruthFrameName {
  int clip = 0, number = 0;

  bool operator==(const TruthFrameName&) const = default;
};

struct TruthHead {
  std::vector<std::string> joints;  // names, in the order of poses
  std::vector<int> vertices;        // of each level, coarsest first
  std::vector<TruthClip> clips;
  std::vector<TruthFrameName> frames;
};

struct TruthFrame {
  Pose pose;                   // one a joint
  std::vector<Points> levels;  // [i - 1]: level i in model space, in the order of its file
};

// Bytes of one frame's record.
size_t TruthRecordBytes(const TruthHead& head);
// A record: the pose as it is, positions in 16 bits within the frame's and level's own box.
Bytes FormatTruthFrame(const TruthFrame& frame);
// records: one a frame, of TruthRecordBytes() each.
Bytes FormatTruth(const TruthHead& head, std::span<const Bytes> records);

struct TruthFile {
  TruthHead head;
  std::span<const std::byte> records;  // into the bytes that were parsed
};
// Throws InputError for anything that docs/formats/truth.md does not allow. The bytes must outlive the result.
TruthFile ParseTruth(std::span<const std::byte> bytes, const std::string& file);
TruthFrame ReadTruthFrame(const TruthFile& truth, int frame);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_TRUTH_FILE_H_
