// sinew_shapes_quality DATASET... [--rig MODEL] [--teacher MODEL] [--poses N] [--shapes N] [--steps N] [--true-joints]:
// how near blend shapes that are predicted from the mesh alone come to simulated flesh. Each dataset has the truths of
// one rigged body; the body is stripped of its rig, rigged by the network, and posed as the truths are. With
// --true-joints the network only finds weights. docs/benchmarks.md says what the columns are.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/autorig/known_body.h"
#include "sinew/offline/autorig/predict_shapes.h"
#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/learn/model_file.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/teach/taught_body.h"

namespace sinew::autorig {
namespace {

constexpr const char* kUsage =
    "usage: sinew_shapes_quality DATASET... [--rig MODEL] [--teacher MODEL] [--poses N] [--shapes N] [--steps N] "
    "[--true-joints]";

struct Options {
  std::vector<std::string> datasets;
  std::string rig = "models/rig.model", teacher = "models/teach.model";
  ShapeOptions shapes;
  bool true_joints = false;
};

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word[0] != '-') {
      options.datasets.push_back(word);
      continue;
    }
    if (word == "--true-joints") {
      options.true_joints = true;
      continue;
    }
    if (i + 1 == argc) throw UsageError(kUsage);
    const char* const value = argv[++i];
    if (word == "--rig") {
      options.rig = value;
    } else if (word == "--teacher") {
      options.teacher = value;
    } else if (word == "--poses") {
      options.shapes.poses = std::atoi(value);
    } else if (word == "--shapes") {
      options.shapes.shapes = std::atoi(value);
    } else if (word == "--steps") {
      options.shapes.steps = std::atoi(value);
    } else {
      throw UsageError(kUsage);
    }
  }
  if (options.datasets.empty()) throw UsageError(kUsage);
  return options;
}

// Poses of one skeleton on another one of the same joints: every joint turns away from rest as it does there, in the
// space of the model, and the root moves as far.
class SamePose {
 public:
  SamePose(const Skeleton& from, const Skeleton& to, const std::string& file) : from_(from), to_(to) {
    const std::array<int, kJoints> theirs = FindBipedJoints(from, file), ours = FindBipedJoints(to, file);
    theirs_.assign(to.joints.size(), -1);
    for (int j = 0; j < kJoints; ++j) theirs_[ours[j]] = theirs[j];
    rest_from_ = LocalToModel(from, from.RestPose());
    rest_to_ = LocalToModel(to, to.RestPose());
  }

  // Mean distance of the joints at rest.
  double JointError() const {
    double sum = 0;
    for (size_t j = 0; j < theirs_.size(); ++j) {
      sum += (rest_to_[j].translation() - rest_from_[theirs_[j]].translation()).norm();
    }
    return sum / static_cast<double>(theirs_.size());
  }

  Pose operator()(const Pose& pose) const {
    const std::vector<Eigen::Affine3f> posed = LocalToModel(from_, pose);
    Pose result = to_.RestPose();
    std::vector<Eigen::Matrix3f> turned(theirs_.size());
    for (size_t j = 0; j < theirs_.size(); ++j) {
      const int theirs = theirs_[j], parent = to_.joints[j].parent;
      const Eigen::Matrix3f turn = posed[theirs].linear() * rest_from_[theirs].linear().transpose();
      turned[j] = turn * rest_to_[j].linear();
      const Eigen::Matrix3f local = parent < 0 ? turned[j] : Eigen::Matrix3f(turned[parent].transpose() * turned[j]);
      result[j].rotation = ToQuaternion(Eigen::Quaternionf(local).normalized());
      if (parent < 0) {
        result[j].translation =
            ToFloat3(ToEigen(result[j].translation) + posed[theirs].translation() - rest_from_[theirs].translation());
      }
    }
    return result;
  }

 private:
  const Skeleton& from_;
  const Skeleton& to_;
  std::vector<int> theirs_;  // per joint of `to`
  std::vector<Eigen::Affine3f> rest_from_, rest_to_;
};

// Share of the area per vertex.
std::vector<double> SharesOf(const Character& character) {
  std::vector<double> shares;
  double total = 0;
  for (const Part& part : character.parts) {
    for (const double area : VertexAreas(part.mesh)) {
      shares.push_back(area);
      total += area;
    }
  }
  for (double& share : shares) share /= total;
  return shares;
}

// Distances to the truth over area and frames.
struct Distance {
  double mean = 0, square = 0;

  // weight: of the frame. unit: metres per unit of the shapes.
  void Add(const Points& shape, const Points& truth, const std::vector<double>& shares, double weight, double unit) {
    for (Eigen::Index v = 0; v < truth.rows(); ++v) {
      const double distance = unit * (shape.row(v) - truth.row(v)).norm();
      mean += weight * shares[v] * distance;
      square += weight * shares[v] * distance * distance;
    }
  }
  void Add(const Distance& other) {
    mean += other.mean;
    square += other.square;
  }
};

// Columns of the table, in this order.
enum Measured { kTrueSkinning, kEnvelope, kShapes, kTaught, kMeasured };

struct Row {
  std::string name;
  double joints = 0, score = 0, seconds = 0;  // joints: share of the height
  std::array<Distance, kMeasured> distances = {};
};

void Print(const Row& row) {
  const auto& d = row.distances;
  const auto mm = [](double length) { return 1e3 * length; };
  fmt::print("{:<20}{:>8.2f}%{:>7.2f}{:>9.2f}{:>10.2f}{:>9.2f}{:>9.2f}{:>13.3f}{:>13.3f}{:>9.1f}\n", row.name,
             100 * row.joints, row.score, mm(d[kTrueSkinning].mean), mm(d[kEnvelope].mean), mm(d[kTaught].mean),
             mm(d[kShapes].mean), d[kShapes].mean / d[kEnvelope].mean, d[kShapes].mean / d[kTrueSkinning].mean,
             row.seconds);
  fmt::print("{:<20}{:>9}{:>7}{:>9.2f}{:>10.2f}{:>9.2f}{:>9.2f}{:>13.3f}{:>13.3f}\n", "  root mean square", "", "",
             mm(std::sqrt(d[kTrueSkinning].square)), mm(std::sqrt(d[kEnvelope].square)),
             mm(std::sqrt(d[kTaught].square)), mm(std::sqrt(d[kShapes].square)),
             std::sqrt(d[kShapes].square / d[kEnvelope].square),
             std::sqrt(d[kShapes].square / d[kTrueSkinning].square));
  std::fflush(stdout);
}

// Joints of a character where they rest, as if placed by hand.
std::map<int, Eigen::Vector3d> JointsOf(const Character& character, const std::string& file) {
  const std::array<int, kJoints> joints = FindBipedJoints(character.skeleton, file);
  const std::vector<Eigen::Affine3f> rest = LocalToModel(character.skeleton, character.skeleton.RestPose());
  std::map<int, Eigen::Vector3d> placed;
  for (int j = 0; j < kJoints; ++j) placed[j] = rest[joints[j]].translation().cast<double>();
  return placed;
}

Row Measure(const std::string& path, const RigNetwork& network, const teach::Teacher& teacher, const Options& chosen) {
  const ShapeOptions& options = chosen.shapes;
  const dataset::Dataset truths(path);
  const Character character = truths.ReadCharacter(0);
  Row row;
  row.name = truths.manifest().characters[0].name;
  const std::clock_t start = std::clock();
  RigOptions how;
  if (chosen.true_joints) how.placed = JointsOf(character, row.name);
  const Rig rig = RigCharacter(WithoutRig(character), network, how, row.name);
  const PredictedShapes predicted = PredictShapes(rig, teacher, options, row.name);
  row.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const bake::BakedBundle baked =
      bake::BuildBundle(predicted.hierarchy, predicted.training.deformer, {}, {.precision = options.precision});
  const SamePose same(character.skeleton, rig.character.skeleton, row.name);
  row.joints = same.JointError() / rig.frame.height;
  row.score = predicted.score;
  const teach::TaughtBody taught(teacher, rig.character, row.name);
  const std::vector<double> shares = SharesOf(character);
  const std::vector<int> frames = truths.OkFrames();
  std::vector<std::array<Distance, kMeasured>> of_frames(frames.size());
  ParallelFor(static_cast<int>(frames.size()), 1, [&](int f) {
    const Points truth = truths.Shape(frames[f]);
    const Pose pose = truths.pose(frames[f]), posed = same(pose);
    const int finest = baked.bundle.level_count();
    const double weight = 1 / static_cast<double>(frames.size()), unit = truths.manifest().metres_per_unit;
    auto& distances = of_frames[f];
    distances[kTrueSkinning].Add(SkinnedShape(character, pose), truth, shares, weight, unit);
    distances[kEnvelope].Add(bake::Deform(baked.bundle, posed, finest, true).positions, truth, shares, weight, unit);
    distances[kShapes].Add(bake::Deform(baked.bundle, posed, finest).positions, truth, shares, weight, unit);
    distances[kTaught].Add(taught.Teach(posed).shape, truth, shares, weight, unit);
  });
  for (const auto& distances : of_frames) {
    for (int m = 0; m < kMeasured; ++m) row.distances[m].Add(distances[m]);
  }
  return row;
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  const RigNetwork network(learn::ReadModel(options.rig), options.rig);
  const teach::Teacher teacher({options.teacher});
  fmt::print("{:<20}{:>9}{:>7}{:>9}{:>10}{:>9}{:>9}{:>13}{:>13}{:>9}\n", "body", "joints", "score", "skinning",
             "envelope", "taught", "shapes", "of envelope", "of skinning", "CPU s");
  Row all{.name = "all"};
  for (const std::string& path : options.datasets) {
    Row row = Measure(path, network, teacher, options);
    Print(row);
    const double share = 1.0 / static_cast<double>(options.datasets.size());
    all.joints += share * row.joints;
    all.score += share * row.score;
    all.seconds += share * row.seconds;
    for (int m = 0; m < kMeasured; ++m) {
      all.distances[m].Add({share * row.distances[m].mean, share * row.distances[m].square});
    }
  }
  Print(all);
  return 0;
}

}  // namespace
}  // namespace sinew::autorig

int main(int argc, char** argv) {
  try {
    return sinew::autorig::Main(argc, argv);
  } catch (const sinew::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind());
  }
}
