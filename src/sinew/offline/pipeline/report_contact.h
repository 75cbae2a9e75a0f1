// Section of a build's page about contact with colliders.
#ifndef SINEW_OFFLINE_PIPELINE_REPORT_CONTACT_H_
#define SINEW_OFFLINE_PIPELINE_REPORT_CONTACT_H_

#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

// Adds what was learned of each collider, how well, and which skin was pressed. Adds nothing if `facts`, as
// contact.json has them, are empty. pictures: one per collider, which may be empty.
void AddContact(const Json& facts, const std::vector<Bytes>& pictures, report::Page& page);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_REPORT_CONTACT_H_
