#include "sinew/offline/graphnet/test_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"

namespace sinew::graphnet {
namespace {

// Sums over points and frames; areas are relative to the body's, so that every frame counts 1.
struct Sums {
  double first = 0, second = 0, max = 0;
  void Add(double distance, double share) {
    first += share * distance;
    second += share * distance * distance;
    max = std::max(max, distance);
  }
  void Add(const Sums& other) {
    first += other.first;
    second += other.second;
    max = std::max(max, other.max);
  }
};

struct FrameErrors {
  Sums skinning, network;
};

Errors ErrorsOf(const Sums& sums, int frames) {
  return {sums.first / frames, std::sqrt(sums.second / frames), sums.max};
}

FrameErrors MeasureFrame(const Predictor& predictor, const FrameSet& frames, const layers::Graph& graph, int entry) {
  const FrameSet::Entry& e = frames.entries()[entry];
  const Body& body = frames.bodies()[e.body];
  const double millimetres = 1e3 * frames.sources()[e.source].store->metres_per_unit();
  const Body::Frame frame = frames.Evaluate(entry);
  const Points truth = frames.Truth(entry), shape = predictor.Shape(body, graph, frame);
  const std::vector<float> areas = body.VertexShares();
  FrameErrors errors;
  for (Eigen::Index v = 0; v < truth.rows(); ++v) {
    errors.skinning.Add(millimetres * (frame.skinned.row(v) - truth.row(v)).norm(), areas[v]);
    errors.network.Add(millimetres * (shape.row(v) - truth.row(v)).norm(), areas[v]);
  }
  return errors;
}

// Means of rows, each of which counts the same.
TestRow Joined(const std::string& name, const std::vector<TestRow>& rows) {
  TestRow all;
  all.name = name;
  all.bodies = static_cast<int>(rows.size());
  const auto add = [&rows](Errors& sum, const Errors& one) {
    const auto count = static_cast<double>(rows.size());
    sum.mean += one.mean / count;
    sum.rms += one.rms * one.rms / count;
    sum.max = std::max(sum.max, one.max);
  };
  for (const TestRow& row : rows) {
    all.frames += row.frames;
    add(all.skinning, row.skinning);
    add(all.network, row.network);
  }
  all.skinning.rms = std::sqrt(all.skinning.rms);
  all.network.rms = std::sqrt(all.network.rms);
  return all;
}

std::string LineOf(const TestRow& row) {
  const double share = row.skinning.mean > 0 ? 100 * row.network.mean / row.skinning.mean : 0;
  return fmt::format("{:<28} {:>7} {:>7} {:>8.3f} {:>8.3f} {:>7.1f}% {:>8.3f} {:>8.3f} {:>8.2f} {:>8.2f}\n", row.name,
                     row.bodies, row.frames, row.skinning.mean, row.network.mean, share, row.skinning.rms,
                     row.network.rms, row.skinning.max, row.network.max);
}

Json JsonOf(const Errors& errors) { return {{"mean_mm", errors.mean}, {"rms_mm", errors.rms}, {"max_mm", errors.max}}; }

Json JsonOf(const TestRow& row) {
  return {{"name", row.name},
          {"family", row.family},
          {"bodies", row.bodies},
          {"frames", row.frames},
          {"skinning", JsonOf(row.skinning)},
          {"network", JsonOf(row.network)}};
}

Json JsonOf(const std::vector<TestRow>& rows) {
  Json list = Json::array();
  for (const TestRow& row : rows) list.push_back(JsonOf(row));
  return list;
}

}  // namespace

void RequireUnseen(const Predictor& predictor, const FrameSet& frames) {
  for (const FrameSource& source : frames.sources()) {
    std::vector<std::string> hashes;
    for (const int i : source.frames) hashes.push_back(source.store->HashOf(i));
    predictor.RequireUnseen(hashes, source.store->file());
  }
}

TestTable TestModel(const Predictor& predictor, const FrameSet& frames) {
  RequireUnseen(predictor, frames);
  return MeasureModel(predictor, frames);
}

TestTable MeasureModel(const Predictor& predictor, const FrameSet& frames) {
  for (const FrameSet::Entry& entry : frames.entries()) {
    predictor.RequireSkeleton(frames.bodies()[entry.body], frames.sources()[entry.source].store->file());
  }
  std::vector<layers::Graph> graphs;
  for (const Body& body : frames.bodies()) graphs.push_back(MakeBodyGraph(body));

  // Measure all frames.
  std::vector<FrameErrors> errors(frames.count());
  Progress progress("Testing", frames.count(), "frames");
  ParallelFor(frames.count(), 1, [&](int k) {
    errors[k] = MeasureFrame(predictor, frames, graphs[frames.entries()[k].body], k);
    progress.Advance();
  });

  // Join them by body, and bodies by family.
  TestTable table;
  std::map<std::string, std::vector<TestRow>> families;
  for (int b = 0; b < static_cast<int>(frames.bodies().size()); ++b) {
    TestRow row;
    FrameErrors sums;
    for (int k = 0; k < frames.count(); ++k) {
      const FrameSet::Entry& entry = frames.entries()[k];
      if (entry.body != b) continue;
      row.name = frames.NameOf(entry);
      row.family = frames.sources()[entry.source].family;
      ++row.frames;
      sums.skinning.Add(errors[k].skinning);
      sums.network.Add(errors[k].network);
    }
    row.skinning = ErrorsOf(sums.skinning, row.frames);
    row.network = ErrorsOf(sums.network, row.frames);
    table.bodies.push_back(row);
    if (!row.family.empty()) families[row.family].push_back(row);
  }
  for (const auto& [name, rows] : families) table.families.push_back(Joined(name, rows));
  table.all = Joined("all", table.bodies);
  return table;
}

void RecordTest(const TestTable& table, const std::string& corpus, learn::Model& model) {
  Json figures = *model.figures;
  figures["test"] = {{"corpus", corpus}, {"all", JsonOf(table.all)}, {"families", JsonOf(table.families)}};
  model.figures = JsonBox(figures);
}

std::string TextOf(const TestTable& table) {
  std::string text =
      fmt::format("{:<28} {:>7} {:>7} {:>17} {:>8} {:>17} {:>17}\n", "", "", "", "mean", "", "rms", "max");
  text += fmt::format("{:<28} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "body", "bodies", "frames",
                      "skinning", "network", "left", "skinning", "network", "skinning", "network");
  for (const TestRow& row : table.bodies) text += LineOf(row);
  for (const TestRow& row : table.families)
    text += LineOf({"family " + row.name, "", row.bodies, row.frames, row.skinning, row.network});
  if (table.bodies.size() > 1) text += LineOf(table.all);
  return text +
         "millimetres to the true shape; points count by their area, frames of a body the same, bodies the same\n";
}

Json JsonOf(const TestTable& table) {
  return {{"bodies", JsonOf(table.bodies)}, {"families", JsonOf(table.families)}, {"all", JsonOf(table.all)}};
}

}  // namespace sinew::graphnet
