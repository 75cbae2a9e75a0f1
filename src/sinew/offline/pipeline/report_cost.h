// Time and memory of baked characters, as a part of a build's page.
#ifndef SINEW_OFFLINE_PIPELINE_REPORT_COST_H_
#define SINEW_OFFLINE_PIPELINE_REPORT_COST_H_

#include "sinew/offline/pipeline/build_report.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

// Tables and bars of what a frame takes at every level, beside skinning alone, the single-level method and the memory
// floor. Nothing where nothing was timed.
void AddTimes(const ReportedBundle& sinew, const ReportedBundle& single_level, report::Page& page);

// Of a level's frame on one thread with warm caches, in the median; 0 if it was not timed. level 0: all of them.
double FrameMicroseconds(const ReportedBundle& bundle, int level);

// Of the bundle's file, without textures.
size_t CharacterBytes(const ReportedBundle& bundle);

// What the bytes of the bundles are for, level by level.
void AddMemory(const ReportedBundle& sinew, const ReportedBundle& single_level, report::Page& page);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REPORT_COST_H_
