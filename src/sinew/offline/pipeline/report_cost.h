// Sections of a build's page about the time and memory of baked characters.
#ifndef SINEW_OFFLINE_PIPELINE_REPORT_COST_H_
#define SINEW_OFFLINE_PIPELINE_REPORT_COST_H_

#include "sinew/offline/pipeline/build_report.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

// Adds tables and a bar plot of the time per frame at every level, compared with skinning alone, the other
// method and the memory floor (the time to read and write a frame's bytes once). Adds nothing if Sinew's bundle was not
// timed.
void AddTimes(const BuildReportInput& input, report::Page& page);

// Returns the median time of a level's frame on one thread with warm caches, microseconds; 0 if it was not timed.
// level: 1 is the coarsest; 0: all levels in one call.
double FrameMicroseconds(const ReportedBundle& bundle, int level);

// Returns the size of the bundle's file without its textures, bytes.
size_t CharacterBytes(const ReportedBundle& bundle);

// Adds tables and a bar plot of what the bytes of the bundles are used for, per level.
void AddMemory(const BuildReportInput& input, report::Page& page);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REPORT_COST_H_
