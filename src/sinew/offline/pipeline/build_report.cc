#include "sinew/offline/pipeline/build_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sinew/offline/core/json_text.h"
#include "sinew/offline/evaluate/bundle_method.h"
#include "sinew/offline/evaluate/evaluation_page.h"
#include "sinew/offline/evaluate/evaluation_text.h"
#include "sinew/offline/pipeline/everyday.h"
#include "sinew/offline/pipeline/judged_set.h"
#include "sinew/offline/pipeline/report_contact.h"
#include "sinew/offline/pipeline/report_cost.h"
#include "sinew/offline/pipeline/report_opening.h"
#include "sinew/offline/pipeline/report_rig.h"
#include "sinew/offline/pipeline/report_training.h"
#include "sinew/offline/render/picture.h"
#include "sinew/offline/report/page.h"

namespace sinew::pipeline {
namespace {

constexpr size_t kMaxFailures = 40;

std::string Count(size_t count, const char* of) { return fmt::format("{} {}{}", count, of, count == 1 ? "" : "s"); }

// Returns the name of a set as a heading or a sentence begins.
std::string Heading(const JudgedSet& set) { return report::Capitalized(set.name); }

class ReportMaker {
 public:
  explicit ReportMaker(const BuildReportInput& input)
      : in_(input), page_(input.name, "What a build came to: skinning and Sinew against the truth") {
    methods_.push_back(evaluate::SkinningMethod(*in_.hierarchy, true));
    methods_.push_back(evaluate::BundleMethod(evaluate::kSinew, *in_.sinew.bundle, *in_.hierarchy, "the bundle"));
    if (in_.compared.bundle != nullptr) {
      methods_.push_back(evaluate::BundleMethod(in_.compared_name, *in_.compared.bundle, *in_.hierarchy,
                                                "the bundle to compare with"));
    }
    for (const ReportedDataset& unseen : in_.unseen) {
      sets_.push_back(JudgeSet(unseen.name, *unseen.dataset, *in_.hierarchy, *in_.sinew.bundle, methods_));
    }
    if (in_.everyday != nullptr) {
      everyday_ = JudgeEveryday(*in_.everyday, *in_.hierarchy, *in_.sinew.bundle, methods_);
    }
  }

  std::string Make() {
    Pictures();
    Conclusion();
    Next();
    Everyday();
    VerdictTables();
    AddRig(in_.rig, in_.rig_picture, page_);
    WhatWentIn();
    Levels();
    Sets();
    AddContact(in_.contact, in_.contact_pictures, page_);
    AddDimensions(in_, page_);
    AddTimes(in_, page_);
    AddMemory(in_, page_);
    AddTraining(in_.sinew, page_);
    FailedFrames();
    HowItWasMade();
    return page_.Html();
  }

 private:
  OpeningInput Opening() const {
    OpeningInput opening{.hierarchy = in_.hierarchy, .bundle = in_.sinew.bundle};
    if (everyday_) opening.everyday = &*everyday_;
    for (const JudgedSet& set : sets_) opening.unseen.push_back(&set);
    opening.picture_height = in_.picture_height;
    return opening;
  }

  void Pictures() {
    if (in_.pictures) AddOpening(Opening(), page_);
    if (in_.no_pictures.empty()) return;
    page_.Warning(fmt::format("There are no pictures: {}. Then build again with --redo report.", in_.no_pictures));
  }

  void Next() {
    NextSteps steps = in_.next_steps;
    const auto exact = [](const JudgedSet& set) { return set.BothExact(set.evaluation.level_count()); };
    if (!sets_.empty() && std::all_of(sets_.begin(), sets_.end(), exact)) steps.training_poses = 0;
    AddNextSteps(steps, page_);
  }

  void Everyday() {
    if (in_.everyday == nullptr) return;
    page_.FoldedSection("Everyday poses", fmt::format("How near skinning and Sinew come to the truth when it sits, "
                                                      "kneels, reaches and bends, pose by pose{}.",
                                                      in_.pictures ? ", with pictures" : ""));
    page_.Paragraph("Poses that everyone knows. Nothing was learned from them, and no setting was chosen by them.");
    AddEverydayTable(*in_.everyday, everyday_, page_);
    if (in_.pictures && everyday_) AddEverydayPictures(Opening(), page_);
  }

  void Conclusion() {
    page_.Section("Conclusion");
    if (!in_.conclusion.empty()) page_.Paragraph(in_.conclusion);
    for (const JudgedSet& set : sets_) Verdict(set);
    if (in_.compared.bundle != nullptr) AgainstOther();
    if (sets_.empty()) page_.Warning("Nothing was measured: there are no unseen frames.");
  }

  // Adds a sentence about one dataset; a warning that names the levels if Sinew does not beat skinning on some.
  void Verdict(const JudgedSet& set) {
    std::vector<int> lost;
    int exact = 0;
    for (int i = 1; i <= set.evaluation.level_count(); ++i) {
      if (set.BothExact(i)) {
        ++exact;
      } else if (!set.Wins(i)) {
        lost.push_back(i);
      }
    }
    const auto frames = static_cast<size_t>(set.frames.count());
    if (exact == set.evaluation.level_count()) {
      page_.Paragraph(
          fmt::format("{} ({}): linear blend skinning is exact on every level, and so is Sinew; there is "
                      "nothing to correct.",
                      Heading(set), Count(frames, "frame")));
      return;
    }
    const int worse = set.evaluation.errors[kSinew].back().worse_frames;
    const std::string some =
        worse == 0
            ? std::string(set.BothExact(set.evaluation.level_count())
                              ? "on the finest level both are exact"
                              : "in none of them it is farther than linear blend skinning on the finest level")
            : fmt::format("on the finest level it is farther from the truth than linear blend skinning in {} of them",
                          worse);
    if (lost.empty()) {
      page_.Paragraph(fmt::format("{} ({}): Sinew is nearer to the truth than both skinnings on every level{}; {}.",
                                  Heading(set), Count(frames, "frame"), exact > 0 ? " on which they are not exact" : "",
                                  some));
      return;
    }
    std::string where;
    for (const int i : lost) {
      const size_t best = set.BestSkinning(i);
      where += fmt::format("{}level {} ({:.2f} mm against {:.2f} mm of {} skinning)", where.empty() ? "" : ", ", i,
                           set.Mm(kSinew, i), set.Mm(best, i), set.evaluation.methods[best]);
    }
    page_.Warning(
        fmt::format("{} ({}): Sinew does not beat skinning on {}; {}. Skin there, or train on more poses, or on "
                    "poses that are more like these.",
                    Heading(set), Count(frames, "frame"), where, some));
  }

  // Compares with the other method: what levels gain or lose by building on coarser ones.
  void AgainstOther() {
    std::string text = fmt::format("Against the {} method: {:.2f} MB where that has {:.2f} MB", in_.compared_name,
                                   static_cast<double>(CharacterBytes(in_.sinew)) / 1e6,
                                   static_cast<double>(CharacterBytes(in_.compared)) / 1e6);
    const double ours = FrameMicroseconds(in_.sinew, 0), theirs = FrameMicroseconds(in_.compared, 0);
    if (ours > 0 && theirs > 0) text += fmt::format(", {:.2f} times its time for all levels", ours / theirs);
    for (size_t i = 0; i < sets_.size(); ++i) {
      const JudgedSet& set = sets_[i];
      const int finest = set.evaluation.level_count();
      text += fmt::format("; {}: {:.2f} mm where that has {:.2f} mm on the finest level", in_.unseen[i].name,
                          set.Mm(kSinew, finest), set.Mm(kSingle, finest));
    }
    page_.Paragraph(fmt::format("{}.", text));
  }

  void VerdictTables() {
    if (sets_.empty()) return;
    page_.FoldedSection("Level by level", "Which levels beat skinning, and how far each method is from the truth.");
    for (const JudgedSet& set : sets_) VerdictTable(set);
  }

  void VerdictTable(const JudgedSet& set) {
    const bool compared = set.evaluation.methods.size() > kSingle, all_soft = set.evaluation.AllSoft();
    const auto mm = [](double length) { return fmt::format("{:.3f}", length); };
    std::vector<std::string> header = {
        "", "beats skinning", "vertices", "linear blend, mm", "dual quaternion, mm", "Sinew, mm", "of linear blend"};
    if (!all_soft) header.insert(header.end(), {"over what is soft: linear blend, mm", "Sinew, mm", "of linear blend"});
    if (compared) header.push_back(in_.compared_name + ", mm");
    std::vector<std::vector<std::string>> rows;
    for (int i = 1; i <= set.evaluation.level_count(); ++i) {
      const auto of_linear = [&](double sinew, double linear) {
        if (linear > set.to_mm() * set.evaluation.exact()) return fmt::format("{:.0f}%", 100 * sinew / linear);
        return std::string(set.BothExact(i) ? "exact" : "-");
      };
      const double linear = set.Mm(kLinear, i), sinew = set.Mm(kSinew, i);
      std::vector<std::string>& row = rows.emplace_back();
      row = {fmt::format("level {}", i),
             set.BothExact(i) ? "both exact"
             : set.Wins(i)    ? "yes"
                              : "NO",
             std::to_string(in_.hierarchy->level(i).vertex_count()),
             mm(linear),
             mm(set.Mm(kDual, i)),
             mm(sinew),
             of_linear(sinew, linear)};
      if (!all_soft) {
        const double soft_linear = set.SoftMm(kLinear, i), soft_sinew = set.SoftMm(kSinew, i);
        const bool any = set.evaluation.SoftShare(i) > 0;
        row.push_back(any ? mm(soft_linear) : "-");
        row.push_back(any ? mm(soft_sinew) : "-");
        row.push_back(any ? of_linear(soft_sinew, soft_linear) : "-");
      }
      if (compared) row.push_back(mm(set.Mm(kSingle, i)));
    }
    page_.Table(header, rows,
                {.caption = fmt::format("{}: root mean square distance from the truth", Heading(set)),
                 .first_number_column = 2});
    const std::string layers = evaluate::LayerSentence(set.layers, set.to_mm());
    if (!layers.empty()) page_.Paragraph(fmt::format("{}, {}.", Heading(set), layers));
  }

  void WhatWentIn() {
    page_.FoldedSection("What went in", "The character, its unit, and how many poses were learned from and judged by.");
    auto facts = in_.facts;
    if (facts.empty() || facts[0].first != "character") facts.insert(facts.begin(), {"character", in_.name});
    if (!sets_.empty()) {
      facts.emplace_back("roles of its points", evaluate::RolesText(sets_[0].evaluation.role_shares.back()));
    }
    for (const ReportedDataset& dataset : in_.training) {
      facts.emplace_back(dataset.name, Frames(*dataset.dataset));
    }
    for (const ReportedDataset& dataset : in_.unseen) facts.emplace_back(dataset.name, Frames(*dataset.dataset));
    facts.emplace_back("seed", std::to_string(in_.seed));
    page_.Facts(facts);
  }

  static std::string Frames(const dataset::Dataset& dataset) {
    const size_t ok = dataset.OkFrames().size(), all = static_cast<size_t>(dataset.frame_count());
    return ok == all ? Count(all, "frame") : fmt::format("{} of {}", ok, Count(all, "frame"));
  }

  void Levels() {
    page_.FoldedSection("Levels of detail", "The meshes from the coarsest to the finest, and their sizes.");
    if (in_.pictures) {
      std::vector<render::PictureInput> inputs;
      for (const lod::Level& level : in_.hierarchy->levels) {
        inputs.push_back({.character = &level.character,
                          .label = fmt::format("level {}: {} vertices", inputs.size() + 1, level.vertex_count()),
                          .poses = {level.character.skeleton.RestPose()}});
      }
      render::PictureOptions options;
      options.views = {render::ParseView("three-quarter")};
      options.sheet.common_scale = true;
      options.sheet.height = in_.picture_height;
      options.sheet.max_width = kPictureWidth;
      page_.Picture(render::MakePicture(inputs, options).file, "The character at every level, at rest",
                    "At rest, from the coarsest level to the finest.");
    }
    std::vector<std::vector<std::string>> rows;
    for (int i = 1; i <= in_.hierarchy->level_count(); ++i) {
      const lod::Level& level = in_.hierarchy->level(i);
      rows.push_back({fmt::format("level {}", i), std::to_string(level.vertex_count()),
                      std::to_string(level.point_count), std::to_string(level.character.triangle_count())});
    }
    page_.Table({"", "vertices", "points", "triangles"}, rows);
  }

  void Sets() {
    double heat_mm = 0;
    for (const JudgedSet& set : sets_)
      heat_mm = std::max(heat_mm, evaluate::HeatScaleMm(set.evaluation, set.metres_per_unit));
    for (const JudgedSet& set : sets_) {
      evaluate::AddEvaluation({.hierarchy = in_.hierarchy,
                               .frames = &set.frames,
                               .evaluation = &set.evaluation,
                               .layers = &set.layers,
                               .methods = methods_,
                               .metres_per_unit = set.metres_per_unit,
                               .worst_frames = in_.pictures ? 1 : 0,
                               .plain = true,
                               .picture_height = in_.picture_height,
                               .set = Heading(set),
                               .heat_mm = heat_mm},
                              page_);
      const int faded = evaluate::CountFaded(*in_.sinew.bundle, set.frames.poses);
      const std::string frames = Count(static_cast<size_t>(set.frames.count()), "frame");
      page_.Paragraph(faded == 0
                          ? fmt::format("All of the {} are within what was trained: no corrective is faded.", frames)
                          : fmt::format("In {} of {} some corrective is faded, because the pose is beyond what was "
                                        "trained.",
                                        faded, frames));
    }
  }

  void FailedFrames() {
    page_.FoldedSection("Failed frames", "Poses that the simulation found no true shape for, and why.");
    std::vector<std::vector<std::string>> rows;
    size_t failed = 0;
    const auto add = [&](const std::string& name, const dataset::Dataset& dataset) {
      for (int i = 0; i < dataset.frame_count(); ++i) {
        const dataset::DatasetFrame& frame = dataset.frame(i);
        if (frame.ok() || ++failed > kMaxFailures) continue;
        rows.push_back(
            {name, dataset.manifest().motions[frame.motion].name, std::to_string(frame.motion_frame), frame.failure});
      }
    };
    for (const ReportedDataset& dataset : in_.training) add(dataset.name, *dataset.dataset);
    for (const JudgedSet& set : sets_) add(Heading(set), *set.dataset);
    if (failed == 0) return page_.Paragraph("None: every pose has its true shape.");
    page_.Paragraph(fmt::format("{} without a true shape, which nothing was learned from or measured on{}.",
                                Count(failed, "frame"),
                                failed > kMaxFailures ? fmt::format("; the first {} of them", kMaxFailures) : ""));
    page_.Table({"dataset", "motion", "frame", "why"}, rows, {.first_number_column = 4});
  }

  void HowItWasMade() {
    page_.FoldedSection("How it was made", "How long each stage took, and every setting.");
    if (!in_.stage_seconds.empty()) {
      std::vector<std::vector<std::string>> rows;
      double sum = 0;
      for (const auto& [stage, seconds] : in_.stage_seconds) {
        rows.push_back({stage, fmt::format("{:.1f}", seconds)});
        sum += seconds;
      }
      rows.push_back({"all", fmt::format("{:.1f}", sum)});
      page_.Table({"stage", "seconds"}, rows);
    }
    std::vector<std::vector<std::string>> rows = {{"seed", std::to_string(in_.seed)}};
    AddFlat("", in_.settings, rows);
    page_.Table({"setting", "value"}, rows, {.caption = "every setting", .first_number_column = 2});
    rows.clear();
    AddFlat("", in_.versions, rows);
    if (!rows.empty()) page_.Table({"version of", ""}, rows, {.first_number_column = 2});
  }

  // Adds one row per value; nested objects become names of the form section.key.
  static void AddFlat(const std::string& before, const Json& json, std::vector<std::vector<std::string>>& rows) {
    for (const auto& [key, value] : json.items()) {
      const std::string name = before.empty() ? key : fmt::format("{}.{}", before, key);
      if (value.is_object()) {
        AddFlat(name, value, rows);
      } else {
        rows.push_back({name, value.is_string() ? value.get<std::string>() : JsonText(value)});
      }
    }
  }

  const BuildReportInput& in_;
  report::Page page_;
  std::vector<evaluate::Method> methods_;
  std::vector<JudgedSet> sets_;
  std::optional<JudgedSet> everyday_;
};

}  // namespace

void WriteBuildReport(const BuildReportInput& input, const std::filesystem::path& path) {
  WriteFileAtomic(path, ReportMaker(input).Make());
}

}  // namespace sinew::pipeline
