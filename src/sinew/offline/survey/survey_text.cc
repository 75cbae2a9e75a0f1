#include "sinew/offline/survey/survey_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/survey/survey_artefacts.h"

namespace sinew::survey {
namespace {

Json Optional(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json ToJson(const Figures& figures) {
  return {{"mean_mm", figures.mean},
          {"rms_mm", figures.rms},
          {"p99_mm", figures.p99},
          {"max_mm", figures.max},
          {"of_linear_blend", Optional(figures.share)}};
}

Json ToJson(const Nearness& nearness) {
  return {{"pose_mean_degrees", Optional(nearness.pose_mean)},
          {"pose_max_degrees", Optional(nearness.pose_max)},
          {"body", nearness.body.empty() ? Json() : Json(nearness.body)},
          {"body_mm", Optional(nearness.body_mm)},
          {"joints_mm", Optional(nearness.joints_mm)},
          {"surface_mm", Optional(nearness.surface_mm)},
          {"body_percent", Optional(nearness.body_percent)}};
}

Json ToJson(const Row& row, const Survey& survey) {
  Json json = {{"name", row.name}, {"bodies", row.bodies}, {"frames", row.frames}, {"surface_share", row.surface}};
  json["methods"] = Json::object();
  for (size_t m = 0; m < survey.methods.size(); ++m) json["methods"][survey.methods[m]] = ToJson(row.methods[m]);
  json["nearest_training"] = ToJson(row.nearness);
  return json;
}

Json ToJson(const std::vector<Row>& rows, const Survey& survey) {
  Json json = Json::array();
  for (const Row& row : rows) json.push_back(ToJson(row, survey));
  return json;
}

Json BodiesJson(const Survey& survey) {
  Json json = ToJson(ByBody(survey), survey);
  for (size_t b = 0; b < survey.bodies.size(); ++b) {
    const MeasuredBody& body = survey.bodies[b];
    json[b]["family"] = body.body.family;
    json[b]["identity"] = body.body.identity;
    json[b]["dataset"] = body.body.dataset.string();
    json[b]["vertices"] = body.vertices;
    json[b]["stature_mm"] = 1e3 * body.shape.stature;
    json[b]["measures"] = evaluate::EvaluationJson(body.evaluation, body.to_mm).back();
  }
  return json;
}

Json BinsJson(const Survey& survey) {
  Json json = Json::array();
  for (const PoseBin& bin : ByPoseDistance(survey)) {
    Json one = {{"from_degrees", bin.from}, {"to_degrees", bin.to}, {"frames", bin.frames}};
    for (size_t m = 0; m < survey.methods.size(); ++m) {
      one["methods"][survey.methods[m]] = {{"rms_mm", bin.rms[m]}, {"of_linear_blend", Optional(bin.shares[m])}};
    }
    json.push_back(std::move(one));
  }
  return json;
}

Json WorstJson(const std::vector<Row>& rows, size_t method) {
  const std::optional<size_t> worst = WorstRow(rows, method);
  if (!worst) return {};
  return {{"name", rows[*worst].name}, {"of_linear_blend", *rows[*worst].methods[method].share}};
}

Json ToJson(const Artefacts& artefacts) {
  Json worse = Json::array();
  for (const WorseRegion& region : artefacts.worse) {
    worse.push_back({{"body", region.body},
                     {"joint", region.joint},
                     {"surface_share", region.surface},
                     {"of_linear_blend", std::isfinite(region.share) ? Json(region.share) : Json()}});
  }
  return {{"flicker_mm", Optional(artefacts.flicker)},
          {"flicker_of_linear_blend", Optional(artefacts.flicker_share)},
          {"crossing_pairs", Optional(artefacts.crossings)},
          {"crossings_of_linear_blend", Optional(artefacts.crossings_share)},
          {"worse_surface_share", artefacts.worse_surface},
          {"worse_regions", worse}};
}

Json ArtefactsJson(const Survey& survey) {
  Json json = {{"crossing_pairs_of_truth", Optional(CrossingsOfTruth(survey))}, {"methods", Json::object()}};
  const std::vector<Artefacts> all = FindArtefacts(survey);
  for (size_t m = 0; m < all.size(); ++m) json["methods"][survey.methods[m]] = ToJson(all[m]);
  return json;
}

// Pads columns to equal widths; the first `left` are aligned to the left.
std::string Aligned(const std::vector<std::vector<std::string>>& rows, size_t left) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      line += c < left ? fmt::format("{:<{}}  ", row[c], widths[c]) : fmt::format("{:>{}}  ", row[c], widths[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string WorstText(const std::vector<Row>& rows, size_t method) {
  const std::optional<size_t> worst = WorstRow(rows, method);
  return worst ? fmt::format("{} {:.3f}", rows[*worst].name, *rows[*worst].methods[method].share) : "-";
}

std::string MethodsText(const Survey& survey) {
  const Row all = AllBodies(survey);
  const std::vector<Row> bodies = ByBody(survey), families = ByFamily(survey);
  std::vector<std::vector<std::string>> rows = {
      {"method", "worst body", "worst family", "mean mm", "rms mm", "p99 mm", "max mm", "share"}};
  for (size_t m = 0; m < survey.methods.size(); ++m) {
    const Figures& figures = all.methods[m];
    rows.push_back({survey.methods[m], m == 0 ? "" : WorstText(bodies, m), m == 0 ? "" : WorstText(families, m),
                    MillimetreText(figures.mean), MillimetreText(figures.rms), MillimetreText(figures.p99),
                    MillimetreText(figures.max), ShareCell(figures.share)});
  }
  return Aligned(rows, 3);
}

// A table of rms and share per method, with the distances to training if there are any.
std::string RowsText(const std::string& title, const std::vector<Row>& rows, const Survey& survey) {
  const bool trained = survey.training_bodies > 0;
  std::vector<std::vector<std::string>> cells = {{title, "bodies", "frames"}};
  if (trained) cells[0].insert(cells[0].end(), {"to pose", "to body mm"});
  for (const std::string& method : survey.methods) cells[0].insert(cells[0].end(), {method + " mm", "share"});
  for (const Row& row : rows) {
    std::vector<std::string>& line = cells.emplace_back();
    line = {row.name, std::to_string(row.bodies), std::to_string(row.frames)};
    if (trained) line.insert(line.end(), {PoseCell(row.nearness), BodyCell(row.nearness)});
    for (const Figures& figures : row.methods) {
      line.push_back(MillimetreText(figures.rms));
      line.push_back(ShareCell(figures.share));
    }
  }
  return fmt::format("\n{}", Aligned(cells, 1));
}

std::string BinsText(const Survey& survey) {
  const std::vector<PoseBin> bins = ByPoseDistance(survey);
  if (bins.empty()) return "";
  std::vector<std::vector<std::string>> cells = {{"frames by distance to the nearest training pose", "frames"}};
  for (const std::string& method : survey.methods) cells[0].insert(cells[0].end(), {method + " mm", "share"});
  for (const PoseBin& bin : bins) {
    cells.push_back({fmt::format("{:.1f} to {:.1f} degrees", bin.from, bin.to), std::to_string(bin.frames)});
    for (size_t m = 0; m < bin.rms.size(); ++m) {
      cells.back().push_back(MillimetreText(bin.rms[m]));
      cells.back().push_back(ShareCell(bin.shares[m]));
    }
  }
  return fmt::format("\n{}", Aligned(cells, 1));
}

std::string ArtefactsText(const Survey& survey) {
  constexpr size_t kNamed = 3;
  std::vector<std::vector<std::string>> rows = ArtefactCells(survey, kNamed);
  rows.insert(rows.begin(), ArtefactHeader());
  return fmt::format("\n{}", Aligned(rows, 1));
}

std::string Count(size_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

}  // namespace

std::string MillimetreText(double mm) { return fmt::format("{:.3f}", mm); }

std::string ShareCell(const std::optional<double>& share) { return share ? fmt::format("{:.3f}", *share) : "-"; }

std::string PoseCell(const Nearness& nearness) {
  return nearness.pose_mean ? fmt::format("{:.1f} ({:.1f})", *nearness.pose_mean, *nearness.pose_max) : "-";
}

std::string BodyCell(const Nearness& nearness) {
  if (!nearness.body_mm) return "-";
  return fmt::format("{:.1f} ({:.2f}%)", *nearness.body_mm, nearness.body_percent.value_or(0));
}

std::string TrainingSentence(const Survey& survey) {
  if (survey.training_bodies == 0) return "";
  const Nearness nearness = AllBodies(survey).nearness;
  return fmt::format(
      "From the nearest of {} a pose is {} degrees away on average (and at most), from the nearest of {} a body {} mm "
      "(and "
      "of stature).",
      Count(static_cast<size_t>(survey.training_poses), "training pose", "training poses"), PoseCell(nearness),
      Count(static_cast<size_t>(survey.training_bodies), "training body", "training bodies"), BodyCell(nearness));
}

std::string SizeText(const Survey& survey) {
  size_t frames = 0;
  for (const MeasuredBody& body : survey.bodies) frames += static_cast<size_t>(body.frame_count());
  return fmt::format("{} of {}, {}", Count(survey.bodies.size(), "body", "bodies"),
                     Count(ByFamily(survey).size(), "family", "families"), Count(frames, "frame", "frames"));
}

Json SurveyJson(const Survey& survey) {
  const std::vector<Row> bodies = ByBody(survey), families = ByFamily(survey);
  Json json = {{"methods", survey.methods},
               {"training", {{"bodies", survey.training_bodies}, {"poses", survey.training_poses}}},
               {"all", ToJson(AllBodies(survey), survey)},
               {"families", ToJson(families, survey)},
               {"regions", ToJson(ByRegion(survey), survey)},
               {"by_pose_distance", BinsJson(survey)},
               {"artefacts", ArtefactsJson(survey)},
               {"bodies", BodiesJson(survey)}};
  json["worst"] = Json::object();
  for (size_t m = 1; m < survey.methods.size(); ++m) {
    json["worst"][survey.methods[m]] = {{"body", WorstJson(bodies, m)}, {"family", WorstJson(families, m)}};
  }
  return json;
}

std::string SurveyText(const Survey& survey) {
  std::string text = fmt::format("{}\n\n{}", SizeText(survey), MethodsText(survey));
  if (const std::string sentence = TrainingSentence(survey); !sentence.empty()) text += sentence + "\n";
  text += RowsText("family", ByFamily(survey), survey) + RowsText("region", ByRegion(survey), survey);
  text += ArtefactsText(survey) + BinsText(survey) + RowsText("body", ByBody(survey), survey);
  text +=
      "\nmm: root mean square distance from the truth over the surface and all frames, every body counting the same;\n"
      "share: of what linear blend skinning with the file's own weights gets wrong; p99: 99th percentile\n"
      "flicker: second difference of the error between frames of motions; crossing pairs: of triangles, not counted\n"
      "without --crossings; worse: regions of joints with more than 1.1 times the error of linear blend skinning\n";
  if (survey.training_bodies == 0) return text;
  text +=
      "to pose: mean (and largest) distance to the nearest training pose, degrees a joint; to body: distance to the\n"
      "nearest training body, mm (and % of stature)\n";
  return text;
}

}  // namespace sinew::survey
