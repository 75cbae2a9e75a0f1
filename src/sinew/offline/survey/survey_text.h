// Output of a survey as JSON and as text.
#ifndef SINEW_OFFLINE_SURVEY_SURVEY_TEXT_H_
#define SINEW_OFFLINE_SURVEY_SURVEY_TEXT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/survey/survey_tables.h"

namespace sinew::survey {

// Returns the survey as docs/formats/survey.md describes it.
Json SurveyJson(const Survey& survey);

// Returns the tables as text: all bodies with the worst body and family of each method, then families, regions,
// quarters by distance to training, and bodies.
std::string SurveyText(const Survey& survey);

// Cells that text and page share. Millimetres with three digits; a share as "0.412", "-" without one.
std::string MillimetreText(double mm);
std::string ShareCell(const std::optional<double>& share);
// "6.1 (14.9)": mean and largest distance to the nearest training pose, degrees; "-" without one.
std::string PoseCell(const Nearness& nearness);
// "12.4 (0.71%)": distance to the nearest training body in millimetres and of stature; "-" without one.
std::string BodyCell(const Nearness& nearness);
// Says how far the survey is from training, with a full stop; empty if nothing is known of training.
std::string TrainingSentence(const Survey& survey);
// "9 bodies of 3 families, 270 frames".
std::string SizeText(const Survey& survey);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_SURVEY_TEXT_H_
