#include "sinew/offline/ablation/ablation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/report/plot.h"
#include "sinew/offline/survey/survey_methods.h"
#include "sinew/offline/survey/survey_text.h"

namespace sinew::ablation {
namespace {

std::string AboutSkinning(const std::string& name) {
  if (name == evaluate::kDeltaMush) return "after linear blend";
  if (name == survey::kVoxelWeights) return "linear blend with weights by distances through the body, the paper's base";
  if (name == survey::kSkincells) return "linear blend with the weights of a field";
  return "weights of the file";
}

std::vector<const PartFigures*> FamiliesOf(const MethodResult& result) {
  std::vector<const PartFigures*> families;
  for (const PartFigures& part : result.parts) {
    if (part.kind == "family") families.push_back(&part);
  }
  return families;
}

// Results of all methods, those with moved roots too.
std::vector<const MethodResult*> AllResults(const Ablation& ablation) {
  std::vector<const MethodResult*> results;
  for (const MethodResult& method : ablation.skinning) results.push_back(&method);
  for (const RowResult& row : ablation.rows) {
    for (const MethodResult& method : row.methods) results.push_back(&method);
  }
  return results;
}

bool IsMoved(const Ablation& ablation) {
  return std::any_of(ablation.rows.begin(), ablation.rows.end(),
                     [](const RowResult& row) { return row.methods.size() > 1; });
}

std::string TrainingText(const Ablation& ablation) {
  std::string text = fmt::format(
      "Trained on {} frames of {} bodies of {}; every row {} steps of {} frames, at each of the rates {}, of which the "
      "best by the mean distance in validation frames counts. Rows with fewer bodies take as many steps.",
      ablation.frames, ablation.bodies, ablation.read, ablation.steps, ablation.batch, fmt::join(ablation.rates, ", "));
  if (ablation.packed) {
    text += " Rows without a working level were trained on the points of the pack, and are tested on those of files.";
  }
  return text + "\n";
}

std::string TestText(const Ablation& ablation) {
  const PartFigures& all = ablation.skinning[0].parts[0];
  return fmt::format(
      "Tested on {} frames of {} bodies of {} families. Distances to the true shape, points by their area, each body "
      "counts the same; shares, also those of families, are root mean squares over linear blend's.\n",
      all.frames, all.bodies, FamiliesOf(ablation.skinning[0]).size());
}

std::string FailuresText(const Ablation& ablation) {
  std::string text;
  for (const auto& [trial, reason] : ablation.failures) {
    text += fmt::format("- {} failed: {}\n", trial, reason);
  }
  return text.empty() ? "" : "\n" + text;
}

std::string TrainingCells(const RowResult& row) {
  return fmt::format("{} | {} | {} | {} | {:.3f} |", row.parameters, row.bodies, row.frames, row.rate, row.validation);
}

// Cells of a method's test, empty ones for a row that was not tested.
std::string TestCells(const Ablation& ablation, const MethodResult* result) {
  std::string text;
  if (result == nullptr) {
    for (size_t k = 0; k < 4 + FamiliesOf(ablation.skinning[0]).size(); ++k) text += " |";
    return text;
  }
  const survey::Figures& all = result->all();
  text = fmt::format(" {:.3f} | {:.3f} | {:.2f} | {} |", all.mean, all.rms, all.max, survey::ShareCell(all.share));
  for (const PartFigures* family : FamiliesOf(*result)) {
    text += fmt::format(" {} |", survey::ShareCell(family->figures.share));
  }
  return text;
}

std::string TableOf(const Ablation& ablation) {
  std::vector<std::string> head = {"row", "what it is", "parameters", "bodies", "poses", "rate", "validation, mm"};
  const bool tested = !ablation.skinning.empty(), moved = IsMoved(ablation);
  if (tested) {
    head.insert(head.end(), {"mean, mm", "rms, mm", "max, mm", "share"});
    for (const PartFigures* family : FamiliesOf(ablation.skinning[0])) head.push_back(family->name);
    if (moved) head.emplace_back("moved, mean, mm");
  }
  std::string text = "|", rule = "|";
  for (const std::string& cell : head) text += " " + cell + " |", rule += "---|";
  text += "\n" + rule + "\n";
  for (const MethodResult& method : ablation.skinning) {
    text += fmt::format("| {} | {} | | | | | |", method.method, AboutSkinning(method.method));
    text += TestCells(ablation, &method) + (moved ? " |\n" : "\n");
  }
  for (const RowResult& row : ablation.rows) {
    text += fmt::format("| {} | {} | {}", row.name, row.about, TrainingCells(row));
    if (tested) text += TestCells(ablation, row.methods.empty() ? nullptr : &row.methods[0]);
    if (tested && moved) {
      text += row.methods.size() > 1 ? fmt::format(" {:.3f} |", row.methods[1].all().mean) : " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string MarkdownOf(const Ablation& ablation) {
  std::string text = TrainingText(ablation);
  if (!ablation.skinning.empty()) text += "\n" + TestText(ablation);
  return text + "\n" + TableOf(ablation) + FailuresText(ablation);
}

std::string CsvOf(const Ablation& ablation) {
  std::string text = "method,part,name,bodies,frames,mean_mm,rms_mm,p99_mm,max_mm,share\n";
  for (const RowResult& row : ablation.rows) {
    for (const auto& [rate, error] : row.tried) {
      text += fmt::format("\"{}\",validation,{},{},{},{:.6g},,,,\n", row.name, rate, row.bodies, row.frames, error);
    }
  }
  for (const MethodResult* result : AllResults(ablation)) {
    for (const PartFigures& part : result->parts) {
      const survey::Figures& figures = part.figures;
      text += fmt::format("\"{}\",{},\"{}\",{},{},{:.6g},{:.6g},{:.6g},{:.6g},{}\n", result->method, part.kind,
                          part.name, part.bodies, part.frames, figures.mean, figures.rms, figures.p99, figures.max,
                          figures.share ? fmt::format("{:.6g}", *figures.share) : "");
    }
  }
  return text;
}

std::string PlotOf(const Ablation& ablation) {
  const bool tested = !ablation.skinning.empty();
  report::BarPlot plot;
  std::vector<double> values;
  const auto add = [&](const std::string& name, double value) {
    plot.names.push_back(name);
    values.push_back(value);
  };
  for (const MethodResult& method : ablation.skinning) add(method.method, method.all().share.value_or(0));
  for (const RowResult& row : ablation.rows) {
    if (tested && !row.methods.empty()) add(row.name, row.methods[0].all().share.value_or(0));
    if (!tested) add(row.name, row.validation);
  }
  plot.title = tested ? "Share of linear blend's error that is left" : "Mean distance in validation frames";
  plot.y_label = tested ? "share" : "millimetres";
  plot.series = {{plot.y_label, values}};
  return report::DrawBars(plot);
}

Json JsonOf(const Ablation& ablation) {
  Json json = {{"read", ablation.read},         {"packed", ablation.packed}, {"bodies", ablation.bodies},
               {"frames", ablation.frames},     {"steps", ablation.steps},   {"batch", ablation.batch},
               {"finished", ablation.finished}, {"rates", ablation.rates},   {"skinning", Json::array()},
               {"rows", Json::array()},         {"failures", Json::array()}};
  for (const MethodResult& method : ablation.skinning) json["skinning"].push_back(JsonOf(method));
  for (const RowResult& row : ablation.rows) json["rows"].push_back(JsonOf(row));
  for (const auto& [trial, reason] : ablation.failures) {
    json["failures"].push_back({{"trial", trial}, {"reason", reason}});
  }
  return json;
}

}  // namespace sinew::ablation
