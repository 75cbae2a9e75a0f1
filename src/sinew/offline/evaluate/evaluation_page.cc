#include "sinew/offline/evaluate/evaluation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/evaluate/evaluation_plots.h"
#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/evaluate/measure_table.h"
#include "sinew/offline/io/posed_meshes.h"
#include "sinew/offline/multires/training_shapes.h"
#include "sinew/offline/render/picture.h"

namespace sinew::evaluate {
namespace {

constexpr double kMillimetres = 1e3;

class PageMaker {
 public:
  PageMaker(const EvaluationPageInput& input, report::Page& page)
      : in_(input), e_(*input.evaluation), page_(page), to_mm_(kMillimetres * input.metres_per_unit) {}

  void Make() {
    if (!in_.set.empty()) {
      page_.FoldedSection(
          in_.set, fmt::format("Errors of every method and level in {} frames, frame by frame{}.", in_.frames->count(),
                               in_.worst_frames > 0 ? ", with pictures of the worst one" : ""));
    }
    Errors();
    Measures();
    Touching();
    Layers();
    Frames();
    if (in_.worst_frames > 0) Pictures();
  }

 private:
  void Heading(const std::string& title) {
    if (in_.set.empty()) {
      page_.Section(title);
    } else {
      page_.Subsection(title);
    }
  }

  void Errors() {
    Heading("Errors");
    page_.Paragraph(
        "Root mean square over the surface and all frames, and the largest of all, against the truth coarsened to the "
        "level; the share is of what linear blend skinning gets wrong.");
    ErrorTable(e_.errors, "");
    if (e_.AllSoft()) return;
    page_.Paragraph(fmt::format(
        "What is soft are all points but those of rigid pieces, whose truth is skinning itself. Roles of the finest "
        "level's points: {}.",
        RolesText(e_.role_shares.back())));
  }

  // One row per level and method. The column over what is soft is left out if everything is.
  void ErrorTable(const std::vector<std::vector<LevelError>>& errors, const std::string& caption) {
    const bool all_soft = e_.AllSoft();
    std::vector<std::string> header = {"", "method", "rms, mm"};
    if (!all_soft) header.emplace_back("over what is soft, mm");
    header.insert(header.end(), {"share", "largest, mm"});
    std::vector<std::vector<std::string>> rows;
    for (size_t i = 0; i < errors[0].size(); ++i) {
      for (size_t m = 0; m < e_.methods.size(); ++m) {
        const LevelError& error = errors[m][i];
        rows.push_back(
            {m == 0 ? fmt::format("level {}", i + 1) : "", e_.methods[m], fmt::format("{:.3f}", to_mm_ * error.rms)});
        const bool any_soft = e_.SoftShare(static_cast<int>(i) + 1) > 0;
        if (!all_soft) rows.back().push_back(any_soft ? fmt::format("{:.3f}", to_mm_ * error.soft_rms) : "-");
        rows.back().push_back(ShareText(error.rms, errors[0][i].rms, e_.exact()));
        rows.back().push_back(fmt::format("{:.2f}", to_mm_ * error.max));
      }
    }
    page_.Table(header, rows, {.caption = caption, .first_number_column = 2});
  }

  // Shares of the layers' points inside the flesh, one row per level and method.
  void Layers() {
    if (in_.layers == nullptr || in_.layers->empty()) return;
    const LayerTest& test = *in_.layers;
    Heading("Layers inside the flesh");
    page_.Paragraph(
        fmt::format("Share of the points of layers, such as clothes, that are more than {:.2f} mm inside the flesh "
                    "below them: mean "
                    "over {} frames, of the points that are not inside at rest already.",
                    to_mm_ * test.tolerance, test.frames));
    std::vector<std::vector<std::string>> rows;
    for (size_t i = 0; i < test.points.size(); ++i) {
      if (test.points[i] == 0) continue;
      rows.push_back({fmt::format("level {}", i + 1), std::to_string(test.points[i]), Percent(test.inside_at_rest[i])});
      for (size_t n = 0; n < test.names.size(); ++n) rows.back().push_back(Percent(test.inside[n][i]));
    }
    std::vector<std::string> header = {"", "points", "inside at rest"};
    header.insert(header.end(), test.names.begin(), test.names.end());
    page_.Table(header, rows);
  }

  static std::string Percent(double share) { return fmt::format("{:.2f}%", 100 * share); }

  void Touching() {
    const auto count = std::count(e_.touches.begin(), e_.touches.end(), true);
    if (count == 0) return;
    Heading("Limb against limb");
    page_.Paragraph(fmt::format(
        "In {} of {} frames limbs that are not neighbours pass through each other when skinned. No network that sees a "
        "few joints can know of that, so these frames are also counted apart.",
        count, e_.touches.size()));
    ErrorTable(e_.touching, "frames in which limbs touch");
    if (static_cast<size_t>(count) == e_.touches.size()) return;
    ErrorTable(e_.free, "the others");
  }

  // Add the table of visible errors on the finest level, one row per measure.
  void Measures() {
    Heading("What is seen of it");
    page_.Paragraph("On the finest level, over all frames. The nearer to 0, the better; crossings: to the truth's.");
    std::vector<std::string> header = {"", "how to read it"};
    header.insert(header.end(), e_.methods.begin(), e_.methods.end());
    std::vector<std::vector<std::string>> rows;
    for (const MeasureRow& measure : MeasureRows(e_, e_.level_count(), to_mm_)) {
      rows.push_back({measure.name, measure.reading});
      rows.back().insert(rows.back().end(), measure.cells.begin(), measure.cells.end());
    }
    page_.Table(header, rows, {.first_number_column = 2});
    Regions();
  }

  // Regions of the finest level that gain and lose most.
  void Regions() {
    constexpr size_t kMost = 5;
    const std::vector<JointRegion>& regions = e_.regions.back();
    const RegionChanges changes = FindChanges(regions, e_.judged(), e_.exact(), kMost);
    if (changes.gains.empty() && changes.losses.empty()) return;
    std::vector<std::string> header = {"region by joint", "share of the surface"};
    for (const std::string& method : e_.methods) header.push_back(method + ", mm");
    const auto table = [&](const std::vector<size_t>& list, const std::string& caption) {
      std::vector<std::vector<std::string>> rows;
      for (const size_t r : list) {
        rows.push_back({regions[r].joint, Percent(regions[r].share)});
        for (const double rms : regions[r].rms) rows.back().push_back(fmt::format("{:.3f}", to_mm_ * rms));
      }
      if (!rows.empty()) page_.Table(header, rows, {.caption = caption});
    };
    page_.Paragraph(
        fmt::format("Root mean square distance from the truth where one joint is strongest, soft parts only.{}",
                    changes.losses.empty() ? fmt::format(" No region is farther from the truth with {} than with "
                                                         "linear blend skinning.",
                                                         e_.methods[e_.judged()])
                                           : ""));
    table(changes.gains, fmt::format("where {} gains most", e_.methods[e_.judged()]));
    table(changes.losses, fmt::format("where {} loses most", e_.methods[e_.judged()]));
  }

  void Frames() {
    Heading("Frames");
    page_.Plots(FramePlots(e_, in_.frames->motions, to_mm_));
    if (!in_.plots.empty()) page_.Plots(in_.plots);
  }

  // Draws every method and the ground truth on the finest level, coloured by distance from the ground truth.
  void Pictures() {
    Heading("Shapes");
    const std::vector<int> worst = WorstFrames(e_);
    std::vector<std::pair<int, std::string>> shown;
    for (int k = 0; k < in_.worst_frames && k < static_cast<int>(worst.size()); ++k) {
      shown.emplace_back(worst[k], k == 0 ? "the worst frame" : "another of the worst");
    }
    shown.emplace_back(worst[worst.size() / 2], "a typical frame");
    for (const auto& [frame, kind] : shown) Compare(frame, kind);
  }

  void Compare(int frame, const std::string& kind) {
    const std::vector<Shape> shapes = ShapesIn(frame);
    std::string names;
    for (const Shape& shape : shapes) names += (names.empty() ? "" : ", ") + shape.name;
    const std::string alt = fmt::format("Methods and truth side by side in frame {}", frame);
    const std::string caption = fmt::format("Frame {}: {}. From left to right: {}.", frame, kind, names);
    if (in_.plain) page_.Picture(Picture(shapes, false), alt, caption);
    page_.Picture(Picture(shapes, true), alt,
                  fmt::format("{} Colours: distance from the truth, one scale for all pictures.",
                              in_.plain ? std::string("The same.") : caption));
  }

  // Shape of a method on the finest level; the ground truth is the last one of ShapesIn().
  struct Shape {
    std::string name;
    Points positions;
    Character character;
  };
  std::vector<Shape> ShapesIn(int frame) const {
    const lod::Level& finest = in_.hierarchy->levels.back();
    const Pose& pose = in_.frames->poses[frame];
    std::vector<Method> methods = {SkinningMethod(*in_.hierarchy, false)};
    methods.insert(methods.end(), in_.methods.begin(), in_.methods.end());
    std::vector<Shape> shapes;
    shapes.reserve(methods.size() + 1);
    for (const Method& method : methods) {
      shapes.push_back({method.name, lod::OnVertices(finest, method.Shapes(pose, frame).back()), {}});
    }
    shapes.push_back({"truth", in_.frames->truth(frame), {}});
    for (Shape& shape : shapes) shape.character = Shown(finest.character, shape.positions);
    return shapes;
  }

  Bytes Picture(const std::vector<Shape>& shapes, bool heat) const {
    std::vector<render::PictureInput> inputs;
    for (const Shape& shape : shapes) {
      render::PictureInput& input = inputs.emplace_back();
      input.character = &shape.character;
      input.label = shape.name;
      input.poses = {shape.character.skeleton.RestPose()};
      if (!heat) continue;
      input.heat = {render::Distances(shape.positions, shapes.back().positions, static_cast<float>(to_mm_))};
    }
    render::PictureOptions options;
    options.views = {render::ParseView("three-quarter")};
    options.sheet.common_scale = true;
    options.sheet.height = in_.picture_height;
    options.sheet.max_width = 2200;
    options.heat_title = "distance from the truth";
    options.heat_unit = "mm";
    options.heat_scale = render::HeatScale{0, static_cast<float>(Scale()), render::ColorMap::kSequential};
    return render::MakePicture(inputs, options).file;
  }

  double Scale() const { return in_.heat_mm > 0 ? in_.heat_mm : HeatScaleMm(e_, in_.metres_per_unit); }

  static Character Shown(const Character& character, const Points& shape) {
    PosedCharacter posed;
    int first = 0;
    for (const Part& part : character.parts) {
      const int count = part.mesh.vertex_count();
      posed.parts.emplace_back();
      posed.parts.back().positions = shape.middleRows(first, count);
      first += count;
    }
    return PosedMesh(character, posed);
  }

  const EvaluationPageInput& in_;
  const Evaluation& e_;
  report::Page& page_;
  double to_mm_;
};

}  // namespace

double HeatScaleMm(const Evaluation& evaluation, double metres_per_unit) {
  const double rms_mm = kMillimetres * metres_per_unit * evaluation.errors[0].back().rms;
  return std::max(1.0, std::ceil(2 * 3 * rms_mm) / 2);
}

std::vector<int> WorstFrames(const Evaluation& evaluation) {
  const std::vector<double>& rms = evaluation.errors[evaluation.judged()].back().frame_rms;
  std::vector<int> order(rms.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rms[a] > rms[b]; });
  return order;
}

void AddEvaluation(const EvaluationPageInput& input, report::Page& page) { PageMaker(input, page).Make(); }

}  // namespace sinew::evaluate
