// What training came to, as a part of a build's page.
#ifndef SINEW_OFFLINE_PIPELINE_REPORT_TRAINING_H_
#define SINEW_OFFLINE_PIPELINE_REPORT_TRAINING_H_

#include "sinew/offline/pipeline/build_report.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

// Networks and retained dimensions of every level, and how they are spread over the regions.
void AddDimensions(const ReportedBundle& sinew, const ReportedBundle& single_level, report::Page& page);

// What was to be learned, what bases and networks left of it, and the losses of all networks of a level together as
// training went on. Nothing without a summary of training.
void AddTraining(const ReportedBundle& sinew, report::Page& page);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REPORT_TRAINING_H_
