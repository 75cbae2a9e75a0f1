#include "sinew/offline/contact/refine_field.h"

#include <algorithm>
#include <chrono>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/learn/schedule.h"
#include "sinew/offline/learn/training_state.h"

namespace sinew::contact {
namespace {

using Clock = std::chrono::steady_clock;
using Eigen::VectorXd;
using learn::RowMatrix;

constexpr uint64_t kStepStream = uint64_t{1} << 40;
constexpr int kLooks = 20, kLookSamples = 64;  // over a training, and by how many samples
constexpr int kTimedSteps = 3;
constexpr int64_t kFewestSteps = 20;
constexpr double kSecondsPerCheckpoint = 60;

// Contact of a sample as an energy of displacements r.
class SampleEnergy {
 public:
  SampleEnergy(const ContactObject& object, const SampleRef& ref)
      : object_(object),
        size_(ref.shard->size),
        R_(ref.sample->turn.Rotation(object.dimension())),
        undented_(Eigen::Map<const Eigen::VectorXf>(ref.shard->positions.data(),
                                                    static_cast<Eigen::Index>(ref.shard->positions.size()))
                      .cast<double>()),
        problem_(object.MakeProblem()) {
    problem_->SetPose(ref.sample->turn, Eigen::Map<const VectorXd>(ref.sample->position.data(), object.dimension()));
    RowMatrix r(object.node_count(), object.dimension());
    for (int n = 0; n < object.node_count(); ++n) r.row(n) = DisplacementOf(ref, n).transpose();
    simulated_ = Of(r);
    // Rounding of what is stored may leave no gap where a collider only just touches.
    gap_ = std::max(problem_->Energy(undented_) - simulated_, 0.0);
  }

  double gap() const { return gap_; }
  // What the shape of r has more than the simulated one, in joule; sets the gradient by r, if it is not null.
  double Excess(const RowMatrix& r, RowMatrix* gradient = nullptr) const {
    const VectorXd x = Positions(r);
    if (gradient != nullptr) {
      VectorXd slope;
      problem_->Gradient(x, slope);
      object_.null_space.Apply(slope);
      const Eigen::Index d = R_.rows();
      for (Eigen::Index n = 0; n < r.rows(); ++n) {
        gradient->row(n) = (size_ * (R_.transpose() * slope.segment(d * n, d))).transpose().cast<float>();
      }
    }
    return problem_->Energy(x) - simulated_;
  }

 private:
  double Of(const RowMatrix& r) const { return problem_->Energy(Positions(r)); }
  VectorXd Positions(const RowMatrix& r) const {
    VectorXd u(undented_.size());
    const Eigen::Index d = R_.rows();
    for (Eigen::Index n = 0; n < r.rows(); ++n) {
      u.segment(d * n, d) = size_ * (R_ * r.row(n).transpose().cast<double>());
    }
    object_.null_space.Apply(u);
    return undented_ + u;
  }

  const ContactObject& object_;
  double size_;
  SmallMatrix R_;
  VectorXd undented_;  // x~
  std::unique_ptr<ContactProblem> problem_;
  double simulated_ = 0, gap_ = 0;
};

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// So many of the samples, evenly.
std::vector<SampleRef> Thinned(std::span<const SampleRef> refs, size_t count) {
  std::vector<SampleRef> some;
  count = std::min(count, refs.size());
  for (size_t i = 0; i < count; ++i) some.push_back(refs[i * refs.size() / count]);
  return some;
}

double MeanGap(const ContactObject& object, std::span<const SampleRef> refs) {
  std::vector<double> gaps(refs.size());
  ParallelFor(static_cast<int>(refs.size()), 1, [&](int i) { gaps[i] = SampleEnergy(object, refs[i]).gap(); });
  double sum = 0;
  for (const double gap : gaps) sum += gap;
  return sum / static_cast<double>(gaps.size());
}

}  // namespace

double EnergyLoss::Add(std::span<const SampleRef> refs, std::span<const float> parameters,
                       std::vector<float>& gradient) const {
  const auto nodes = static_cast<Eigen::Index>(object_.node_count());
  const auto count = static_cast<int>(refs.size());
  RowMatrix rows(nodes * count, FieldInputs::Width(object_));
  ParallelFor(count, 1, [&](int s) { rows.middleRows(s * nodes, nodes) = field_.InputRows(refs[s]); });
  const layers::NetworkTrace trace = field_.network().Forward(parameters, rows, {}, true);
  RowMatrix slopes(rows.rows(), object_.dimension());
  std::vector<double> losses(refs.size());
  ParallelFor(count, 1, [&](int s) {
    RowMatrix own(nodes, object_.dimension());
    losses[s] = LossOf(refs[s], trace.output().middleRows(s * nodes, nodes), own);
    slopes.middleRows(s * nodes, nodes) = own / static_cast<float>(count);
  });
  field_.network().Backward(parameters, trace, {}, slopes, gradient);
  double loss = 0;
  for (const double own : losses) loss += own / count;
  return loss;
}

// Sets the slopes by what the network puts out.
double EnergyLoss::LossOf(const SampleRef& ref, const RowMatrix& output, RowMatrix& slopes) const {
  const SampleEnergy energy(object_, ref);
  const float scale = field_.output_scale();
  // Deep contacts have many times the energy of light ones; this lets both count.
  const double weight = 1 / (energy.gap() + gap_);
  double loss = weight * energy.Excess(scale * output, &slopes);
  slopes *= static_cast<float>(weight) * scale;
  const double anchor = anchor_ / static_cast<double>(output.rows());
  for (Eigen::Index n = 0; n < output.rows(); ++n) {
    const Eigen::RowVectorXf off = output.row(n) - DisplacementOf(ref, static_cast<int>(n)).transpose() / scale;
    loss += anchor * static_cast<double>(off.squaredNorm());
    slopes.row(n) += static_cast<float>(2 * anchor) * off;
  }
  return loss;
}

double ExcessEnergy(const ContactObject& object, const ContactField& field, std::span<const SampleRef> refs) {
  std::vector<double> excesses(refs.size()), gaps(refs.size());
  ParallelFor(static_cast<int>(refs.size()), 1, [&](int i) {
    const SampleEnergy energy(object, refs[i]);
    excesses[i] = energy.Excess(field.Predict(refs[i]));
    gaps[i] = energy.gap();
  });
  double excess = 0, gap = 0;
  for (size_t i = 0; i < refs.size(); ++i) {
    excess += excesses[i];
    gap += gaps[i];
  }
  return gap > 0 ? excess / gap : 0;
}

Refined RefineField(const ContactObject& object, std::span<const SampleRef> seen, std::span<const SampleRef> held,
                    const RefineOptions& options, ContactField& field) {
  if (seen.empty() || held.empty()) throw UsageError("there are no contact samples to train on; make more");
  const std::vector<SampleRef> looked = Thinned(held, kLookSamples);
  const EnergyLoss loss(object, field, options.anchor, MeanGap(object, Thinned(seen, kLookSamples)));
  learn::TrainingState state = learn::StartTraining(field.parameters(), Random(options.seed, kStepStream));
  const auto advance = [&](int64_t steps) {
    Random random(options.seed, kStepStream + 1 + static_cast<uint64_t>(state.step));
    std::vector<SampleRef> batch;
    for (int s = 0; s < options.samples; ++s) batch.push_back(seen[random.Below(static_cast<uint32_t>(seen.size()))]);
    std::vector<float> gradient(state.parameters.size(), 0.0f);
    const double own = loss.Add(batch, state.parameters, gradient);
    AdvanceTraining(gradient, learn::CosineRate(options.rate, state.step + 1, steps), 0, {}, state);
    return own;
  };
  Refined refined{.before = ExcessEnergy(object, field, held)};
  const bool goes_on = !options.checkpoint.empty() && std::filesystem::exists(options.checkpoint);
  if (goes_on) state = learn::ReadTrainingState(options.checkpoint, options.inputs);
  int64_t steps = goes_on ? (*state.trainer).value("steps", options.steps) : options.steps;
  if (steps == 0) {
    const learn::TrainingState first = state;
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < kTimedSteps; ++i) advance(kTimedSteps);
    const double each = std::max(SecondsSince(begin) / kTimedSteps, 1e-6);
    steps = std::max(kFewestSteps, static_cast<int64_t>(60 * options.minutes / each));
    state = first;
  }
  state.trainer = Json{{"steps", steps}};
  const auto look = [&](double training) {
    field.set_parameters(state.parameters);
    NoteLook({.step = state.step,
              .training = training,
              .validation = ExcessEnergy(object, field, looked),
              .rate = options.rate},
             steps + 1, state);
  };
  const Clock::time_point begin = Clock::now();
  Clock::time_point kept = begin;
  const auto keep = [&] {
    if (!options.checkpoint.empty()) WriteTrainingState(state, options.inputs, options.checkpoint);
    kept = Clock::now();
  };
  const int64_t look_every = std::max<int64_t>(1, steps / kLooks), done = state.step;
  Progress progress(options.label, steps - done, "steps");
  if (!goes_on) look(0);
  while (state.step < steps) {
    const double own = advance(steps);
    progress.Advance();
    if (state.step % look_every == 0 || state.step == steps) look(own);
    if (SecondsSince(kept) > kSecondsPerCheckpoint) keep();
  }
  if (state.step > done) keep();
  field.set_parameters(state.best.empty() ? state.parameters : state.best);
  refined.after = ExcessEnergy(object, field, held);
  refined.steps = steps;
  refined.seconds = SecondsSince(begin);
  return refined;
}

}  // namespace sinew::contact
