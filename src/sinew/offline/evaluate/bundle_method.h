// Bundles as methods to be measured: what is reported is what ships.
#ifndef SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_
#define SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_

#include <string>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::evaluate {

// Throws InputError (naming `file`) where the bundle is not of the hierarchy's character. Both must outlive the method.
Method BundleMethod(const std::string& name, const runtime::Bundle& bundle, const lod::Hierarchy& hierarchy,
                    const std::string& file);

// Throws InputError if a frame was trained on: an error on it would say nothing.
void RefuseTrainedFrames(const runtime::Bundle& bundle, const dataset::TrainingFrames& frames);

// How many of the poses are far enough from what was trained for some corrective to fade.
int CountFaded(const runtime::Bundle& bundle, const std::vector<Pose>& poses);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_
