// Bundles as methods to be measured: what is reported is what ships.
#ifndef SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_
#define SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_

#include <string>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew {

// Throws InputError (naming `file`) where the bundle is not of the hierarchy's character. Both must outlive the method.
Method BundleMethod(const std::string& name, const runtime::Bundle& bundle, const Hierarchy& hierarchy,
                    const std::string& file);

// Throws InputError if a frame was trained on: an error on it would say nothing.
void RefuseTrainedFrames(const runtime::Bundle& bundle, const TrainingFrames& frames);

// How many of the poses are far enough from what was trained for some corrective to fade.
int CountFaded(const runtime::Bundle& bundle, const std::vector<Pose>& poses);

}  // namespace sinew

#endif  // SINEW_OFFLINE_EVALUATE_BUNDLE_METHOD_H_
