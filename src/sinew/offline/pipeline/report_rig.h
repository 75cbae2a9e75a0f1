// Section of a build's page about the skeleton that a mesh was given.
#ifndef SINEW_OFFLINE_PIPELINE_REPORT_RIG_H_
#define SINEW_OFFLINE_PIPELINE_REPORT_RIG_H_

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

// Adds where the skeleton is from, what speaks for and against it, and the picture, which may be empty. Adds nothing if
// `facts`, as rig.json has them, are empty.
void AddRig(const Json& facts, const Bytes& picture, report::Page& page);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REPORT_RIG_H_
