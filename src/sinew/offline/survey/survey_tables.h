// Tables of a survey: over all bodies, by body, by family, by region of the body, and by how far poses are from
// training.
#ifndef SINEW_OFFLINE_SURVEY_SURVEY_TABLES_H_
#define SINEW_OFFLINE_SURVEY_SURVEY_TABLES_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/survey/survey.h"

namespace sinew::survey {

// Distance of a method's shapes from the truth, over the area of the rest surface and all frames, in millimetres.
struct Figures {
  double mean = 0, rms = 0, p99 = 0, max = 0;
  // rms divided by that of linear blend skinning with the file's own weights; none if that is exact.
  std::optional<double> share;
};

// Distances to what was trained on. Over several bodies: means over bodies, but pose_max, which is the largest.
struct Nearness {
  std::optional<double> pose_mean, pose_max;             // over the frames, degrees
  std::optional<double> body_mm, joints_mm, surface_mm;  // BodyDistance
  std::optional<double> body_percent;                    // BodyDistance::Total() as a percentage of stature
  std::string body = {};                                 // name of the nearest training body; empty over several
};

struct Row {
  std::string name;
  std::string family = {};  // of a body
  int bodies = 0, frames = 0;
  double surface = 1;            // share of the bodies' surfaces that it is about
  std::vector<Figures> methods;  // as in Survey::methods
  Nearness nearness;
};

// In every row over several bodies each body counts the same, whatever its number of frames and vertices.
Row AllBodies(const Survey& survey);
std::vector<Row> ByBody(const Survey& survey);
// In the order in which families first appear; bodies without one are a family named "-".
std::vector<Row> ByFamily(const Survey& survey);
// In the order of BodyRegion; regions that no body has are left out.
std::vector<Row> ByRegion(const Survey& survey);

// Frames whose nearest training pose is about equally far.
struct PoseBin {
  double from = 0, to = 0;  // degrees
  int frames = 0;
  std::vector<double> rms;                    // per method: root mean square over these frames, millimetres
  std::vector<std::optional<double>> shares;  // per method: of linear blend's on the same frames
};
// Returns quarters of all frames by distance to the nearest training pose, nearest first; empty without distances. Each
// frame counts the same. Fewer than four frames make as many bins.
std::vector<PoseBin> ByPoseDistance(const Survey& survey);

// Returns the index of the row with the largest share of a method; none if no row has one.
std::optional<size_t> WorstRow(const std::vector<Row>& rows, size_t method);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_SURVEY_TABLES_H_
