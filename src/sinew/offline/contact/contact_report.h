// Report about a learned contact: its errors and coverage as text and as JSON, and a picture of the skin that was
// pressed.
#ifndef SINEW_OFFLINE_CONTACT_CONTACT_REPORT_H_
#define SINEW_OFFLINE_CONTACT_CONTACT_REPORT_H_

#include <string>

#include "sinew/offline/contact/learn_contact.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/render/picture.h"

namespace sinew::contact {

Json ContactJson(const LearnedContact& learned);
// bundle: name of the file that has the contact.
std::string ContactText(const LearnedContact& learned, const std::string& bundle);
// Draws the character at rest from the front and from behind, coloured by how many contacts reached each vertex. Throws
// FailedError on a machine that cannot draw.
render::Picture DrawCoverage(const Character& character, const LearnedContact& learned);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_CONTACT_REPORT_H_
