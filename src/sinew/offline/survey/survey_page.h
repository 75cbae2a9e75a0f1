// Report page of a survey: tables, and bars of every method's share by family, region and body.
#ifndef SINEW_OFFLINE_SURVEY_SURVEY_PAGE_H_
#define SINEW_OFFLINE_SURVEY_SURVEY_PAGE_H_

#include "sinew/offline/report/page.h"
#include "sinew/offline/survey/survey_tables.h"

namespace sinew::survey {

// Adds a survey to a page. Of more than 24 bodies, the bars show those on which the last method is worst.
void AddSurvey(const Survey& survey, report::Page& page);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_SURVEY_PAGE_H_
