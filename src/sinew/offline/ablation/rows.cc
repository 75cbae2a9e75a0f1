#include "sinew/offline/ablation/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/graphnet/describe.h"

namespace sinew::ablation {
namespace {

using graphnet::Answers;
using graphnet::Features;

// Loss of the networks that ship (models/teach.md).
constexpr double kEdges = 0.5, kHuber = 1;

class Maker {
 public:
  explicit Maker(const layers::RunOptions& run) : run_(run) {
    run_.edges = kEdges;
    run_.huber = kHuber;
  }

  Row& Add(const std::string& name, const std::string& network, const std::string& about) {
    Row& row = rows_.emplace_back();
    row.name = name;
    row.about = about;
    row.train.network = network;
    row.train.run = run_;
    row.body = graphnet::BodyOptionsFor(network);
    return row;
  }
  std::vector<Row> rows() const { return rows_; }

 private:
  layers::RunOptions run_;
  std::vector<Row> rows_;
};

std::vector<int> Thirds(int bodies) {
  std::set<int> counts;
  for (const int third : {1, 2}) counts.insert((third * bodies + 1) / 3);
  counts.erase(0);
  counts.erase(bodies);
  return {counts.begin(), counts.end()};
}

void AddFewerBodies(int bodies, std::vector<int> counts, Maker& maker) {
  if (counts.empty()) counts = Thirds(bodies);
  for (const int count : counts) {
    if (count < 1 || count >= bodies) {
      throw UsageError(
          fmt::format("--bodies {}: the number of bodies to train on is {}; ask for fewer", count, bodies));
    }
    maker.Add(fmt::format("bodies-{}", count), "hierarchy", fmt::format("ours, {} of {} bodies", count, bodies))
        .bodies = count;
  }
}

}  // namespace

std::vector<Row> MakeRows(const layers::RunOptions& run, int bodies, const std::vector<int>& counts) {
  Maker maker(run);
  maker.Add("ours", "hierarchy", "our network");

  // The paper's network, and what it is compared with in Table 2 and Fig. 10.
  maker.Add("paper", "paper", "the paper's network and features");
  maker.Add("single-resolution", "single-resolution", "paper, without the global branch");
  maker.Add("single-resolution-wide", "single-resolution-wide",
            "paper, without the global branch and with as many parameters");
  maker.Add("positions", "paper", "paper, positions in place of relative skinning").body.features =
      Features::kPositions;
  maker.Add("dense-gat", "dense-gat", "the blocks of single-resolution on positions");
  maker.Add("mlp", "mlp", "a network that sees every point alone, on the paper's features");
  AddFewerBodies(bodies, counts, maker);

  // Our switches.
  maker.Add("joints", "hierarchy", "ours, without cues of other methods").body.features = Features::kJoints;
  maker.Add("body-answers", "hierarchy", "ours, answers in the frame of the body, and so without mirror images")
      .body.answers = Answers::kBody;
  maker.Add("file-points", "hierarchy", "ours, on the points of the file").body.working_edge = 0;
  maker.Add("flat", "hierarchy-flat", "ours, all blocks on one level");
  maker.Add("tanhshrink", "hierarchy-tanhshrink", "ours, with the paper's activation");
  maker.Add("no-edges", "hierarchy", "ours, without differences of neighbours in the loss").train.run.edges = 0;
  maker.Add("no-huber", "hierarchy", "ours, with a squared loss").train.run.huber = 0;
  maker.Add("no-mirror", "hierarchy", "ours, without mirror images").train.mirror = false;
  return maker.rows();
}

std::vector<Row> ChooseRows(const std::vector<Row>& rows, const std::vector<std::string>& names) {
  if (names.empty()) return rows;
  std::vector<std::string> known;
  for (const Row& row : rows) known.push_back(row.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw UsageError(fmt::format("--rows: there is no row '{}'; the nearest is '{}', and all are {}", name,
                                 Nearest(name, known), fmt::join(known, ", ")));
  }
  std::vector<Row> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen),
               [&](const Row& row) { return std::find(names.begin(), names.end(), row.name) != names.end(); });
  return chosen;
}

std::vector<std::string> TrainWords(const Row& row, double rate) {
  const layers::RunOptions& run = row.train.run;
  const auto number = [](double value) { return fmt::format("{}", value); };
  std::vector<std::string> words = {"--network",      row.train.network,
                                    "--features",     graphnet::FeatureNames()[static_cast<size_t>(row.body.features)],
                                    "--answers",      graphnet::AnswerNames()[static_cast<size_t>(row.body.answers)],
                                    "--working-edge", number(row.body.working_edge),
                                    "--edges",        number(run.edges),
                                    "--huber",        number(run.huber),
                                    "--rate",         number(rate),
                                    "--steps",        fmt::format("{}", run.steps),
                                    "--batch",        fmt::format("{}", run.batch),
                                    "--seed",         fmt::format("{}", run.seed),
                                    "--device",       run.cuda ? "cuda" : "cpu"};
  if (!row.train.mirror) words.emplace_back("--no-mirror");
  if (row.bodies > 0) words.insert(words.end(), {"--bodies", fmt::format("{}", row.bodies)});
  return words;
}

}  // namespace sinew::ablation
