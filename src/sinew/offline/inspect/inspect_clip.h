// Inspection of a motion or a set of poses.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_CLIP_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_CLIP_H_

#include <string>
#include <vector>

#include "sinew/offline/character/clip.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/inspect/finding.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::inspect {

struct ClipInspection {
  std::string name;
  int frames = 0;
  double frames_per_second = 0;  // 0: a set of poses without times
  double duration = 0;           // seconds from the first frame to the last
  int joints = 0;                // without helpers such as end sites
  int named = 0;                 // joints recognized by their names
  int moving = 0;                // joints that change between any two consecutive frames
  Box root_path;                 // bounding box of the first joint's positions; empty without frames
  // Largest rotation of any joint from one frame to the next. Only for motions: a set of poses has no order.
  double largest_step = 0;  // radians
  std::string largest_step_joint;
  int largest_step_frame = -1;  // the later frame of the two; -1: none
  int not_finite = 0;           // number of values that are NaN or infinite
  Findings findings;
};

// read_warnings: warnings of the file's reader; each becomes a finding.
ClipInspection InspectClip(const Clip& clip, const std::vector<std::string>& read_warnings = {});

Json ToJson(const ClipInspection& found);
std::string ToText(const ClipInspection& found);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_CLIP_H_
