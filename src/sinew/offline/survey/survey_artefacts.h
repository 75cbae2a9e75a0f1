// Artefacts of methods in a survey, which a mean distance hides: flicker, crossing triangles, and regions in which a
// method is worse than linear blend skinning.
#ifndef SINEW_OFFLINE_SURVEY_SURVEY_ARTEFACTS_H_
#define SINEW_OFFLINE_SURVEY_SURVEY_ARTEFACTS_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/survey/survey.h"

namespace sinew::survey {

// Region of a body, the points that one joint moves most, in which a method is worse than linear blend skinning.
struct WorseRegion {
  std::string body, joint;
  double surface = 0;  // share of the body's surface
  double share = 0;    // root mean square distance over that of linear blend skinning
};

// Artefacts of one method over all bodies, each of which counts the same.
struct Artefacts {
  // Root mean square of the second difference over time of the error (evaluate::LevelError::flicker), millimetres, over
  // the bodies with motions; none if no frames follow each other.
  std::optional<double> flicker;
  std::optional<double> flicker_share;  // of linear blend's; none if that is 0
  // Pairs of triangles that cross and do not at rest, mean over frames; none if they were not counted.
  std::optional<double> crossings;
  std::optional<double> crossings_share;  // of linear blend's; none if that is 0
  double worse_surface = 0;               // share of the surface in worse regions, mean over bodies
  std::vector<WorseRegion> worse;         // largest share first

  // A region counts as worse where the error is more than this many times that of linear blend skinning.
  static constexpr double kWorse = 1.1;
};

// Returns the artefacts of each method of the survey.
std::vector<Artefacts> FindArtefacts(const Survey& survey);

// Pairs of crossing triangles of the true shapes; none if they were not counted.
std::optional<double> CrossingsOfTruth(const Survey& survey);

// Cells of a table, one row per method under ArtefactHeader(). most: number of worse regions that are named.
std::vector<std::string> ArtefactHeader();
std::vector<std::vector<std::string>> ArtefactCells(const Survey& survey, size_t most);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_SURVEY_ARTEFACTS_H_
