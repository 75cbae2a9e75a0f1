// Evaluation of bundles: errors are measured on the shapes that the runtime computes from the shipped file.
#ifndef SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_
#define SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_

#include <string>
#include <vector>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::evaluate {

// Makes a method of a bundle. Throws InputError, naming `file`, if the bundle does not fit the hierarchy (other numbers
// of levels, joints or vertices). Bundle and hierarchy must outlive the method.
Method BundleMethod(const std::string& name, const runtime::Bundle& bundle, const lod::Hierarchy& hierarchy,
                    const std::string& file);

// Returns the indices of the frames that the bundle was trained on.
std::vector<int> FindTrainedFrames(const runtime::Bundle& bundle, const dataset::TrainingFrames& frames);
// Leaves out the frames that the bundle was trained on, unless it was trained on all: a character that cannot bend,
// such as one with a single joint, has only one shape. Returns how many of the frames that are left were trained on.
int LeaveOutTrainedFrames(const runtime::Bundle& bundle, dataset::TrainingFrames& frames);
// Throws InputError if the bundle was trained on one of the frames: its error there would prove nothing.
void RefuseTrainedFrames(const runtime::Bundle& bundle, const dataset::TrainingFrames& frames);

// Number of poses that are so far from the training poses that some corrective fades.
int CountFaded(const runtime::Bundle& bundle, const std::vector<Pose>& poses);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_
