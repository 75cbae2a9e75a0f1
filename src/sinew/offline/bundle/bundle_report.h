// Reports on the contents of a bundle, as JSON and as text. file_bytes: size of the file.
#ifndef SINEW_OFFLINE_BUNDLE_BUNDLE_REPORT_H_
#define SINEW_OFFLINE_BUNDLE_BUNDLE_REPORT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::bundle {

Json BundleJson(const runtime::Bundle& bundle, size_t file_bytes);
std::string BundleText(const runtime::Bundle& bundle, size_t file_bytes);

}  // namespace sinew::bundle

#endif  // SINEW_OFFLINE_BUNDLE_BUNDLE_REPORT_H_
