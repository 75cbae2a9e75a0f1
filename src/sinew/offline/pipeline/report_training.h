// Sections of a build's page about the results of training.
#ifndef SINEW_OFFLINE_PIPELINE_REPORT_TRAINING_H_
#define SINEW_OFFLINE_PIPELINE_REPORT_TRAINING_H_

#include "sinew/offline/pipeline/build_report.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

// Adds the numbers of networks and retained dimensions of every level, and their distribution over the regions.
void AddDimensions(const BuildReportInput& input, report::Page& page);

// Adds for every level the displacements to be learned, the residuals after bases and networks, and the loss curves
// summed over the networks of the level, and says whether more poses would help. Adds nothing if sinew.training is
// empty.
void AddTraining(const ReportedBundle& sinew, report::Page& page);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REPORT_TRAINING_H_
