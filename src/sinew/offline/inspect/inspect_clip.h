// What is in a motion or a set of poses.
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
  double frames_per_second = 0;  // 0: poses that belong to no time
  double duration = 0;           // seconds from the first frame to the last
  int joints = 0;                // helpers, such as end sites, not counted
  int named = 0;                 // joints whose name says what they are
  int moving = 0;                // joints that differ from frame to frame
  Box root_path;                 // of the first joint's position; empty without frames
  // The largest rotation of one joint from one frame to the next. Only of motions: samples have no next.
  double largest_step = 0;  // radians
  std::string largest_step_joint;
  int largest_step_frame = -1;  // the later of the two
  int not_finite = 0;           // numbers that are NaN or infinite
  Findings findings;
};

// read_warnings: what the reader said.
ClipInspection InspectClip(const Clip& clip, const std::vector<std::string>& read_warnings = {});

Json ToJson(const ClipInspection& found);
std::string ToText(const ClipInspection& found);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_CLIP_H_
