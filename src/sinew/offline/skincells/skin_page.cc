#include "sinew/offline/skincells/skin_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/render/picture.h"
#include "sinew/offline/report/page.h"
#include "sinew/offline/report/plot.h"
#include "sinew/offline/skincells/bleed.h"

namespace sinew::skincells {
namespace {

// Offset of the seed, which keeps the poses here apart from those of the optimisation; any number will do.
constexpr uint64_t kOtherPoses = 4711;

// One set of weights and its quality.
struct Measured {
  SkinWeights weights;
  Quality quality;
  QualityDetail detail;
  std::vector<JointBleed> bleed;

  int Bleeding() const {
    int sum = 0;
    for (const JointBleed& joint : bleed) sum += joint.vertices;
    return sum;
  }
};

class PageMaker {
 public:
  explicit PageMaker(const SkinPageInput& input)
      : input_(input),
        subject_(MakeSubject(*input.after, input.file)),
        query_(subject_.surface),
        bones_(FindBones(subject_, query_)),
        poses_(poses::SamplePoses(Articulation(input.after->skeleton), FindLimits(*input.after, input.file),
                                  {.count = input.poses, .seed = input.seed + kOtherPoses})),
        set_(MakeTrainingSet(subject_, MakeSprings(subject_, bones_, query_), input.after->skeleton, poses_)),
        before_(Measure(*input.before)),
        after_(Measure(*input.after)),
        page_(input.file, fmt::format("Skinning weights: {} beside {}", input.after_name, input.before_name)) {}

  SkinPage Make() {
    Head();
    QualityTable();
    LossPlots();
    Influences();
    WorstVertices();
    Bleed();
    SkinPage result;
    Pictures(result);
    result.html = page_.Html();
    result.before = before_.quality;
    result.after = after_.quality;
    result.bleeding_before = before_.Bleeding();
    result.bleeding_after = after_.Bleeding();
    return result;
  }

 private:
  Measured Measure(const Character& character) const {
    Measured out;
    out.weights = SurfaceWeights(subject_, character);
    out.quality = MeasureQuality(subject_, set_, out.weights, &out.detail);
    out.bleed = FindBleed(subject_, bones_, out.weights);
    return out;
  }

  void Head() {
    const SkinReport& report = *input_.report;
    std::vector<std::pair<std::string, std::string>> facts = {
        {"vertices (seams closed)", std::to_string(report.vertices)},
        {"joints", std::to_string(report.joints)},
        {"most influences", std::to_string(after_.quality.max_influences)}};
    if (!report.optimization.history.empty()) {
      facts.emplace_back("steps", std::to_string(report.optimization.steps));
      facts.emplace_back("springs", std::to_string(report.springs));
    }
    page_.Facts(facts);
    for (const std::string& warning : report.warnings) page_.Warning(warning);
  }

  void QualityTable() {
    page_.Section("Quality");
    page_.Paragraph(
        fmt::format("On {} poses sampled inside the joint limits, none of which was optimised on. Less is better "
                    "everywhere, and no line means anything alone: rigid binding wins volume and location.",
                    poses_.size()));
    const auto row = [&](const char* name, double before, double after, int digits) {
      const std::string change = before > 0 ? fmt::format("{:+.0f}%", 100 * (after / before - 1)) : "";
      return std::vector<std::string>{name, fmt::format("{:.{}f}", before, digits),
                                      fmt::format("{:.{}f}", after, digits), change};
    };
    const Quality &a = before_.quality, &b = after_.quality;
    page_.Table(
        {"", input_.before_name, input_.after_name, "change"},
        {row("Delta Mush displacement, thousandths of the body", a.delta_mush, b.delta_mush, 3),
         row("edge stretch, 99th percentile", a.stretch_99, b.stretch_99, 3),
         row("change of volume, mean", a.volume, b.volume, 4), row("location (equation 5)", a.location, b.location, 4),
         row("influences, mean", a.influences, b.influences, 2)});
  }

  void LossPlots() {
    const std::vector<LossRecord>& history = input_.report->optimization.history;
    if (history.size() < 2) return;
    page_.Section("What each loss did");
    page_.Paragraph(
        "Left: the sparse field, as it would be shipped, on poses kept for measuring. Right: the field that a step "
        "works on, whose joints still reach a little everywhere in the first half, on that step's poses.");
    report::LinePlot measured{.title = "Measured on the sparse field", .x_label = "step", .y_label = "loss"};
    report::LinePlot batch{.title = "During optimisation", .x_label = "step", .y_label = "loss"};
    measured.log_y = batch.log_y = true;
    const std::pair<const char*, double Losses::*> terms[] = {{"total", &Losses::total},  {"smoothness", &Losses::dm},
                                                              {"location", &Losses::loc}, {"sparsity", &Losses::sp},
                                                              {"guides", &Losses::guide}, {"collision", &Losses::col}};
    for (const auto& [name, term] : terms) {
      report::Series on_measured{.name = name}, on_batch{.name = name};
      for (const LossRecord& record : history) {
        on_measured.points.emplace_back(record.step, record.measured.*term);
        on_batch.points.emplace_back(record.step, record.batch.*term);
      }
      const auto any = [](const report::Series& series) {
        return std::any_of(series.points.begin(), series.points.end(), [](const auto& p) { return p.second > 0; });
      };
      if (any(on_measured)) measured.series.push_back(std::move(on_measured));
      if (any(on_batch)) batch.series.push_back(std::move(on_batch));
    }
    page_.Plots({report::DrawLines(measured), report::DrawLines(batch)});
  }

  std::vector<double> Histogram(const SkinWeights& weights, size_t most) const {
    std::vector<double> counts(most, 0.0);
    for (int v = 0; v < subject_.surface.vertex_count(); ++v) {
      const auto begin = weights.weights.begin() + static_cast<long>(v) * weights.influences;
      const auto count = std::count_if(begin, begin + weights.influences, [](float w) { return w > 0; });
      if (count > 0) ++counts[count - 1];
    }
    return counts;
  }

  void Influences() {
    page_.Section("Influences");
    const size_t most = std::max({before_.quality.max_influences, after_.quality.max_influences, 1});
    report::BarPlot bars{.title = "Vertices by number of joints", .y_label = "vertices"};
    for (size_t k = 1; k <= most; ++k) bars.names.push_back(std::to_string(k));
    bars.series = {{input_.before_name, Histogram(before_.weights, most)},
                   {input_.after_name, Histogram(after_.weights, most)}};
    report::BarPlot poses{.title = "Delta Mush displacement in the worst poses", .y_label = "thousandths of the body"};
    std::vector<double> old_values, new_values;
    for (const int p : WorstPoses(8)) {
      poses.names.push_back(std::to_string(p));
      old_values.push_back(before_.detail.pose_delta_mush[p]);
      new_values.push_back(after_.detail.pose_delta_mush[p]);
    }
    poses.series = {{input_.before_name, old_values}, {input_.after_name, new_values}};
    page_.Plots({report::DrawBars(bars), report::DrawBars(poses)});
  }

  std::vector<int> WorstPoses(int count) const {
    std::vector<int> order(poses_.size());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<double>& values = after_.detail.pose_delta_mush;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] > values[b]; });
    order.resize(std::min<size_t>(count, order.size()));
    return order;
  }

  // Text that names the first vertex of the file at this vertex of the surface.
  std::string FileVertex(int vertex) const {
    for (size_t i = 0; i < subject_.parts.size(); ++i) {
      const std::vector<int>& of = subject_.surface_of[i];
      const auto at = std::find(of.begin(), of.end(), vertex);
      if (at == of.end()) continue;
      const std::string& part = input_.after->parts[subject_.parts[i]].name;
      return fmt::format("{}{}", subject_.parts.size() > 1 ? part + ": " : "", at - of.begin());
    }
    return "";
  }

  void WorstVertices() {
    page_.Section("Worst vertices");
    page_.Paragraph("Those that Delta Mush would move the most, mean over the poses, with the joints that drive them.");
    const std::vector<float>& values = after_.detail.vertex_delta_mush;
    std::vector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] > values[b]; });
    order.resize(std::min<size_t>(input_.worst_vertices, order.size()));
    std::vector<std::vector<std::string>> rows;
    for (const int v : order) {
      const Eigen::Vector3f x = subject_.surface.positions.row(v);
      rows.push_back({FileVertex(v), fmt::format("{:.3f} {:.3f} {:.3f}", x.x(), x.y(), x.z()), Drivers(v),
                      fmt::format("{:.2f}", before_.detail.vertex_delta_mush[v]), fmt::format("{:.2f}", values[v]),
                      fmt::format("{:.2f}", after_.detail.vertex_stretch[v])});
    }
    page_.Table({"vertex", "place", "joints", input_.before_name, input_.after_name, "largest stretch"}, rows,
                {.first_number_column = 3});
  }

  std::string Drivers(int vertex) const {
    std::string text;
    for (int k = 0; k < after_.weights.influences; ++k) {
      const size_t slot = static_cast<size_t>(vertex) * after_.weights.influences + k;
      const float w = after_.weights.weights[slot];
      if (w < 0.005f) continue;
      text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ",
                          subject_.skeleton.joints[after_.weights.joints[slot]].name, 100 * w);
    }
    return text;
  }

  void Bleed() {
    page_.Section("Bleed");
    const BleedOptions defaults;
    page_.Paragraph(
        fmt::format("Vertices driven by a joint (by {:.0f}% or more) whose bones are farther from them than their "
                    "nearest bone by {:.0f}% of the body's longest side: {} with {}, {} with {}.",
                    100 * defaults.least_weight, 100 * defaults.reach, before_.Bleeding(), input_.before_name,
                    after_.Bleeding(), input_.after_name));
    std::vector<std::vector<std::string>> rows;
    for (const JointBleed& bleed : after_.bleed) {
      const auto other = std::find_if(before_.bleed.begin(), before_.bleed.end(),
                                      [&](const JointBleed& b) { return b.joint == bleed.joint; });
      rows.push_back({subject_.skeleton.joints[bleed.joint].name,
                      std::to_string(other == before_.bleed.end() ? 0 : other->vertices),
                      std::to_string(bleed.vertices), fmt::format("{:.0f}%", 100 * bleed.largest_weight),
                      fmt::format("{:.0f}%", 100 * bleed.farthest)});
      if (rows.size() == 12) break;
    }
    if (rows.empty()) return;
    page_.Table({"joint", "vertices, " + input_.before_name, "vertices, " + input_.after_name, "largest weight",
                 "farthest, of the body"},
                rows);
  }

  // Spreads values per vertex of the surface to the vertices of the file; not a number (grey) where a part takes no
  // weights.
  std::vector<float> AtFileVertices(const std::vector<float>& values) const {
    std::vector<std::vector<float>> parts;
    for (const Part& part : input_.after->parts) {
      parts.emplace_back(part.mesh.vertex_count(), std::numeric_limits<float>::quiet_NaN());
    }
    for (size_t i = 0; i < subject_.parts.size(); ++i) {
      for (size_t v = 0; v < subject_.surface_of[i].size(); ++v) {
        parts[subject_.parts[i]][v] = values[subject_.surface_of[i][v]];
      }
    }
    std::vector<float> out;
    for (const std::vector<float>& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
  }

  void AddPicture(const std::vector<render::PictureInput>& inputs, render::PictureOptions options,
                  const std::string& name, const std::string& caption, SkinPage& result) {
    options.sheet.height = input_.picture_height;
    options.sheet.common_scale = true;
    options.drawing.textures = false;
    result.pictures.emplace_back(name, render::MakePicture(inputs, options).file);
    page_.Picture(result.pictures.back().second, caption, caption);
  }

  void Pictures(SkinPage& result) {
    page_.Section("Pictures");
    try {
      WeightPicture(result);
      PosePictures(result);
    } catch (const FailedError& error) {
      page_.Warning(fmt::format("No pictures could be drawn here: {}", error.what()));
    }
  }

  void WeightPicture(SkinPage& result) {
    render::PictureOptions options;
    options.views = {render::ParseView("front"), render::ParseView("back")};
    options.drawing.weights = true;
    const Pose rest = input_.after->skeleton.RestPose();
    AddPicture({{.character = input_.before, .label = input_.before_name, .poses = {rest}},
                {.character = input_.after, .label = input_.after_name, .poses = {rest}}},
               options, "weights", "Weights: each joint has a colour, and a vertex the mixture of its joints' colours",
               result);
  }

  void PosePictures(SkinPage& result) {
    render::PictureOptions options;
    options.views = {render::ParseView("three-quarter")};
    options.heat_title = "Delta Mush displacement";
    options.heat_unit = "thousandths of the body";
    for (const int p : WorstPoses(input_.worst_poses)) {
      const std::vector<float> old_heat = AtFileVertices(DeltaMushDisplacements(subject_, set_, before_.weights, p));
      const std::vector<float> new_heat = AtFileVertices(DeltaMushDisplacements(subject_, set_, after_.weights, p));
      AddPicture({{.character = input_.before, .label = input_.before_name, .poses = {poses_[p]}, .heat = {old_heat}},
                  {.character = input_.after, .label = input_.after_name, .poses = {poses_[p]}, .heat = {new_heat}}},
                 options, fmt::format("pose_{}", p),
                 fmt::format("Pose {}: {:.2f} with {}, {:.2f} with {}, mean over the vertices", p,
                             before_.detail.pose_delta_mush[p], input_.before_name, after_.detail.pose_delta_mush[p],
                             input_.after_name),
                 result);
    }
  }

  const SkinPageInput& input_;
  const Subject subject_;
  const SurfaceQuery query_;
  const std::vector<Bone> bones_;
  const std::vector<Pose> poses_;
  const TrainingSet set_;
  const Measured before_, after_;
  report::Page page_;
};

}  // namespace

SkinPage MakeSkinPage(const SkinPageInput& input) { return PageMaker(input).Make(); }

}  // namespace sinew::skincells
