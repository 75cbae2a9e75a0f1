#include "sinew/offline/survey/survey_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/report/plot.h"
#include "sinew/offline/survey/survey_artefacts.h"
#include "sinew/offline/survey/survey_text.h"

namespace sinew::survey {
namespace {

constexpr size_t kMaxBars = 24;

class PageMaker {
 public:
  PageMaker(const Survey& survey, report::Page& page)
      : survey_(survey), page_(page), families_(ByFamily(survey)), bodies_(ByBody(survey)) {}

  void Make() {
    Methods();
    page_.Section("Families");
    Bars(families_, "error by family");
    Table("family", families_);
    page_.Section("Regions of the body");
    page_.Paragraph("A point belongs to the region of the joint that is strongest there; every body counts the same.");
    const std::vector<Row> regions = ByRegion(survey_);
    Bars(regions, "error by region");
    Table("region", regions);
    MakeArtefacts();
    Distances();
    page_.Section("Bodies");
    Bars(WorstFirst(), "error by body");
    Table("body", bodies_);
  }

 private:
  void Methods() {
    page_.Section("Methods");
    page_.Paragraph(
        "Distance from the truth over the surface, by area, and all frames; every body counts the same. The share is "
        "of "
        "the root mean square of linear blend skinning with the file's own weights: below 1 is better than that. The "
        "worst body and family are those of the largest share.");
    const Row all = AllBodies(survey_);
    std::vector<std::vector<std::string>> rows;
    for (size_t m = 0; m < survey_.methods.size(); ++m) {
      const Figures& figures = all.methods[m];
      rows.push_back({survey_.methods[m], m == 0 ? "" : Worst(bodies_, m), m == 0 ? "" : Worst(families_, m),
                      MillimetreText(figures.mean), MillimetreText(figures.rms), MillimetreText(figures.p99),
                      MillimetreText(figures.max), ShareCell(figures.share)});
    }
    page_.Table(
        {"method", "worst body", "worst family", "mean, mm", "rms, mm", "99th percentile, mm", "largest, mm", "share"},
        rows, {.first_number_column = 3});
    if (const std::string sentence = TrainingSentence(survey_); !sentence.empty()) page_.Paragraph(sentence);
  }

  static std::string Worst(const std::vector<Row>& rows, size_t method) {
    const std::optional<size_t> worst = WorstRow(rows, method);
    return worst ? fmt::format("{} ({:.3f})", rows[*worst].name, *rows[*worst].methods[method].share) : "-";
  }

  // Bars of the shares of all methods but linear blend, whose share is 1; of millimetres if there are no others.
  void Bars(const std::vector<Row>& rows, const std::string& title) {
    const bool alone = survey_.methods.size() == 1;
    report::BarPlot plot{.title = title, .y_label = alone ? "rms, mm" : "share of linear blend"};
    for (const Row& row : rows) plot.names.push_back(row.name);
    for (size_t m = alone ? 0 : 1; m < survey_.methods.size(); ++m) {
      std::vector<double> values;
      for (const Row& row : rows) {
        values.push_back(alone ? row.methods[m].rms : row.methods[m].share.value_or(0));
      }
      plot.series.emplace_back(survey_.methods[m], std::move(values));
      plot.colors.push_back(m);
    }
    page_.Plots({report::DrawBars(plot)});
  }

  void Table(const std::string& title, const std::vector<Row>& rows) {
    const bool trained = survey_.training_bodies > 0, single = title == "body";
    std::vector<std::string> header = {title, "frames"};
    header.insert(header.begin() + 1, single ? "family" : "bodies");
    if (!single) header.emplace_back("of the surface");
    if (trained) header.insert(header.end(), {"to the nearest pose, degrees", "to the nearest body, mm"});
    if (trained && single) header.emplace_back("nearest body");
    for (const std::string& method : survey_.methods) header.insert(header.end(), {method + ", mm", "share"});
    std::vector<std::vector<std::string>> cells;
    for (const Row& row : rows) {
      std::vector<std::string>& line = cells.emplace_back();
      line = {row.name, single ? row.family : std::to_string(row.bodies), std::to_string(row.frames)};
      if (!single) line.push_back(fmt::format("{:.1f}%", 100 * row.surface));
      if (trained) line.insert(line.end(), {PoseCell(row.nearness), BodyCell(row.nearness)});
      if (trained && single) line.push_back(row.nearness.body);
      for (const Figures& figures : row.methods) {
        line.push_back(MillimetreText(figures.rms));
        line.push_back(ShareCell(figures.share));
      }
    }
    page_.Table(header, cells);
  }

  void MakeArtefacts() {
    constexpr size_t kNamed = 6;
    page_.Section("Artefacts");
    page_.Paragraph(
        "Flicker is the second difference of the error between frames of motions. Crossing pairs of triangles are "
        "those that do not cross at rest, per frame. Worse regions are the points around a joint with more than 1.1 "
        "times the error of linear blend skinning, which stands behind each, and the surface that they cover.");
    page_.Table(ArtefactHeader(), ArtefactCells(survey_, kNamed));
  }

  void Distances() {
    const std::vector<PoseBin> bins = ByPoseDistance(survey_);
    if (bins.empty()) return;
    page_.Section("Distance from training");
    page_.Paragraph(
        fmt::format("All frames in quarters by their distance to the nearest of {} training poses: the root mean "
                    "square over joints "
                    "of the angle between rotations, larger bones counting more.",
                    survey_.training_poses));
    std::vector<std::string> header = {"distance, degrees", "frames"};
    for (const std::string& method : survey_.methods) header.insert(header.end(), {method + ", mm", "share"});
    std::vector<std::vector<std::string>> cells;
    for (const PoseBin& bin : bins) {
      cells.push_back({fmt::format("{:.1f} to {:.1f}", bin.from, bin.to), std::to_string(bin.frames)});
      for (size_t m = 0; m < bin.rms.size(); ++m) {
        cells.back().push_back(MillimetreText(bin.rms[m]));
        cells.back().push_back(ShareCell(bin.shares[m]));
      }
    }
    page_.Table(header, cells);
  }

  // Bodies as given, or if they are too many for bars those on which the last method is worst.
  std::vector<Row> WorstFirst() const {
    std::vector<Row> rows = bodies_;
    if (rows.size() <= kMaxBars) return rows;
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return a.methods.back().share.value_or(0) > b.methods.back().share.value_or(0);
    });
    rows.resize(kMaxBars);
    return rows;
  }

  const Survey& survey_;
  report::Page& page_;
  const std::vector<Row> families_, bodies_;
};

}  // namespace

void AddSurvey(const Survey& survey, report::Page& page) { PageMaker(survey, page).Make(); }

}  // namespace sinew::survey
