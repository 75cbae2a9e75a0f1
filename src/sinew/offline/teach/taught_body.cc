#include "sinew/offline/teach/taught_body.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/dataset/training_frames.h"

namespace sinew::teach {
namespace {

// A region in which the error is larger than this many times that of skinning is faded.
constexpr double kWorse = 1.1;

std::vector<bool> FindRigid(const Character& character, const std::vector<GivenRole>& given) {
  std::vector<bool> rigid;
  for (const Role role : dataset::RolesOfVertices(character, given)) rigid.push_back(role == Role::kRigid);
  return rigid;
}

}  // namespace

struct TaughtBody::State {
  State(const Teacher& given, Character character, const std::string& file, const std::vector<GivenRole>& roles)
      : teacher(given),
        surface(CollectRestSurface(character)),
        rigid(FindRigid(character, roles)),
        body(std::move(character), file, given.body_options()),
        graph(graphnet::MakeBodyGraph(body)),
        shares(body.VertexShares()) {
    for (const Member& member : teacher.members()) {
      member.predictor.RequireSkeleton(body, file);
    }
    residuals.resize(teacher.members().size());
    kept.assign(shares.size(), 1.0f);
  }

  std::vector<Points> ShapesOf(const graphnet::Body::Frame& frame) const {
    std::vector<Points> shapes;
    for (size_t m = 0; m < residuals.size(); ++m) {
      shapes.push_back(teacher.members()[m].predictor.Shape(body, graph, frame, residuals[m]));
    }
    return shapes;
  }

  // Squared errors in the examples by region, of the networks, each tuned to other examples, and of skinning.
  struct RegionErrors {
    std::vector<double> taught, skinned;
  };
  RegionErrors MeasureRegions(const std::vector<graphnet::Example>& examples,
                              const std::vector<std::vector<Points>>& held_out) const {
    const size_t joints = body.character().skeleton.joints.size();
    RegionErrors errors{std::vector<double>(joints, 0), std::vector<double>(joints, 0)};
    for (size_t i = 0; i < examples.size(); ++i) {
      const graphnet::Example& example = examples[i];
      const Points skinned = body.Evaluate(example.pose).skinned;
      const Points mean = MeanOf(held_out[i], skinned);
      for (Eigen::Index v = 0; v < mean.rows(); ++v) {
        const Influences& influences = surface.influences[v];
        if (influences.count == 0) continue;
        const int joint = influences.joints[0];
        errors.taught[joint] += shares[v] * (mean.row(v) - example.truth.row(v)).squaredNorm();
        errors.skinned[joint] += shares[v] * (skinned.row(v) - example.truth.row(v)).squaredNorm();
      }
    }
    return errors;
  }

  // Fades the regions in which the networks are worse than skinning, and returns the names of their joints. held_out:
  // per example, shapes of the members.
  std::vector<std::string> FadeRegions(const std::vector<graphnet::Example>& examples,
                                       const std::vector<std::vector<Points>>& held_out) {
    const RegionErrors errors = MeasureRegions(examples, held_out);
    const std::vector<Joint>& joints = body.character().skeleton.joints;
    std::vector<bool> worse(joints.size());
    std::vector<std::string> names;
    for (size_t s = 0; s < joints.size(); ++s) {
      worse[s] = errors.taught[s] > kWorse * kWorse * errors.skinned[s];
      if (worse[s]) names.push_back(joints[s].name);
    }
    for (size_t v = 0; v < kept.size(); ++v) {
      const Influences& influences = surface.influences[v];
      double faded = 0;
      for (int k = 0; k < influences.count; ++k) faded += worse[influences.joints[k]] ? influences.weights[k] : 0;
      kept[v] = static_cast<float>(std::max(0.0, 1 - faded));
    }
    return names;
  }

  Score ScoreOf(const graphnet::Body::Frame& frame) const {
    Score score;
    int knowing = 0;
    for (const Member& member : teacher.members()) {
      if (!member.familiarity) continue;
      const double distance = member.familiarity->FrameDistance(body, frame.features);
      score.distance += distance;
      score.value += distance / member.familiarity->limit;
      ++knowing;
    }
    if (knowing > 1) {
      score.distance /= knowing;
      score.value /= knowing;
    }
    return score;
  }

  // Mean of the members' shapes; what is rigid follows its joints.
  Points MeanOf(const std::vector<Points>& shapes, const Points& skinned) const {
    // Summed as differences to the first, so that members that agree give exactly their shape.
    Points mean = shapes[0], differences = Points::Zero(mean.rows(), 3);
    for (size_t m = 1; m < shapes.size(); ++m) differences += shapes[m] - shapes[0];
    mean += differences / static_cast<float>(shapes.size());
    for (Eigen::Index v = 0; v < mean.rows(); ++v) {
      if (rigid[v]) mean.row(v) = skinned.row(v);
      if (kept[v] < 1) mean.row(v) = skinned.row(v) + kept[v] * (mean.row(v) - skinned.row(v));
    }
    return mean;
  }

  std::vector<float> SpreadOf(const std::vector<Points>& shapes, const Points& mean) const {
    std::vector<float> spread;
    if (shapes.size() < 2) return spread;
    for (Eigen::Index v = 0; v < mean.rows(); ++v) {
      float sum = 0;
      for (const Points& shape : shapes) sum += (shape.row(v) - mean.row(v)).squaredNorm();
      spread.push_back(rigid[v] ? 0 : std::sqrt(sum / static_cast<float>(shapes.size())));
    }
    return spread;
  }

  const Teacher& teacher;
  RestSurface surface;
  std::vector<bool> rigid;  // per vertex of the file
  graphnet::Body body;
  layers::Graph graph;
  std::vector<float> shares;
  std::vector<graphnet::PointResidual> residuals;  // one per member
  std::vector<float> kept;                         // per vertex of the file: share of the correction that is not faded
};

TaughtBody::TaughtBody(const Teacher& teacher, Character character, const std::string& file,
                       const std::vector<GivenRole>& roles)
    : state_(std::make_unique<State>(teacher, std::move(character), file, roles)) {}
TaughtBody::~TaughtBody() = default;

Tuned TaughtBody::Tune(const std::vector<graphnet::Example>& examples) {
  Tuned tuned;
  std::vector<std::vector<Points>> held_out(examples.size());  // per example, one shape per member
  const std::vector<Member>& members = state_->teacher.members();
  for (size_t m = 0; m < members.size(); ++m) {
    graphnet::Tuning tuning = TuneToExamples(members[m].predictor, state_->body, state_->graph, examples);
    tuned.error_before += tuning.error_before / static_cast<double>(members.size());
    tuned.error_after += tuning.error_after / static_cast<double>(members.size());
    state_->residuals[m] = std::move(tuning.residual);
    for (size_t i = 0; i < examples.size(); ++i) held_out[i].push_back(std::move(tuning.held_out[i]));
  }
  tuned.faded = state_->FadeRegions(examples, held_out);
  return tuned;
}

Score TaughtBody::Judge(const Pose& pose) const { return state_->ScoreOf(state_->body.Evaluate(pose)); }

Lesson TaughtBody::Teach(const Pose& pose) const {
  const graphnet::Body::Frame frame = state_->body.Evaluate(pose);
  const std::vector<Points> shapes = state_->ShapesOf(frame);
  Lesson lesson;
  lesson.shape = state_->MeanOf(shapes, frame.skinned);
  lesson.spread = state_->SpreadOf(shapes, lesson.shape);
  lesson.score = state_->ScoreOf(frame);
  double squares = 0;
  for (size_t v = 0; v < lesson.spread.size(); ++v) {
    squares += static_cast<double>(state_->shares[v]) * lesson.spread[v] * lesson.spread[v];
  }
  lesson.score.disagreement = std::sqrt(squares) / state_->body.size();
  double correction = 0;
  for (Eigen::Index v = 0; v < lesson.shape.rows(); ++v) {
    correction += state_->shares[v] * (lesson.shape.row(v) - frame.skinned.row(v)).norm();
  }
  lesson.score.expected_error = lesson.score.distance * correction / state_->body.size();
  if (const std::optional<double> limit = state_->teacher.agreement()) {
    lesson.score.value = std::max(lesson.score.value, lesson.score.disagreement / *limit);
  }
  return lesson;
}

std::vector<float> TaughtBody::VertexDistances(const Pose& pose) const {
  const graphnet::Body::Frame frame = state_->body.Evaluate(pose);
  std::vector<float> vertices(state_->shares.size(), 0.0f);
  int knowing = 0;
  for (const Member& member : state_->teacher.members()) {
    if (!member.familiarity) continue;
    // A displacement by the distance comes out of the body at every vertex of the file, however points are carried
    // there.
    const std::vector<float> distances = member.familiarity->PointDistances(frame.features);
    graphnet::RowMatrix answer = graphnet::RowMatrix::Zero(static_cast<Eigen::Index>(distances.size()), 3);
    for (size_t i = 0; i < distances.size(); ++i) answer(static_cast<Eigen::Index>(i), 0) = distances[i];
    const Points moved = state_->body.Apply(frame, answer) - frame.skinned;
    for (size_t v = 0; v < vertices.size(); ++v) {
      vertices[v] += moved.row(static_cast<Eigen::Index>(v)).norm() / static_cast<float>(state_->body.size());
    }
    ++knowing;
  }
  for (float& distance : vertices) distance /= static_cast<float>(std::max(knowing, 1));
  return vertices;
}

}  // namespace sinew::teach
