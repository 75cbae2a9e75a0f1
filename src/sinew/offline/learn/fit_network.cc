#include "sinew/offline/learn/fit_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

using ConstMap = Eigen::Map<const RowMatrix>;
using Map = Eigen::Map<RowMatrix>;
using ConstVector = Eigen::Map<const Eigen::VectorXf>;
using Vector = Eigen::Map<Eigen::VectorXf>;

// Where each matrix is in the row of parameters.
template <typename Number, typename Matrix, typename Column>
struct Layers {
  Layers(const NetworkShape& s, Number* p)
      : W1(p, s.width, s.inputs),
        b1(p + s.width * s.inputs, s.width),
        W2(p + s.width * (s.inputs + 1), s.width, s.width),
        b2(p + s.width * (s.inputs + 1 + s.width), s.width),
        W3(p + s.width * (s.inputs + 2 + s.width), s.outputs, s.width) {}
  Matrix W1;
  Column b1;
  Matrix W2;
  Column b2;
  Matrix W3;
};
using ConstLayers = Layers<const float, ConstMap, ConstVector>;
using MutableLayers = Layers<float, Map, Vector>;

RowMatrix HiddenLayer(const ConstRows& W, const ConstVector& b, const ConstRows& x) {
  RowMatrix h(W.rows(), x.cols());
  Product(W, x, h);
  h.colwise() += b;
  Tanh(h);
  return h;
}

// d tanh: 1 - h^2.
void ThroughTanh(const RowMatrix& h, RowMatrix& gradient) { gradient.array() *= 1 - h.array().square(); }

// What makes all inputs, and all targets, numbers of about one.
struct Standard {
  Eigen::VectorXf mean, scale;  // x -> (x - mean) / scale
  float target_scale = 1;
};

Standard StandardOf(const Samples& samples) {
  Standard standard;
  const auto count = static_cast<float>(samples.inputs.cols());
  standard.mean = samples.inputs.rowwise().sum() / count;
  const RowMatrix centred = samples.inputs.colwise() - standard.mean;
  standard.scale = (centred.rowwise().squaredNorm() / count).cwiseSqrt();
  // An input that hardly varies must not have its noise blown up, and one that never did is not looked at: what the
  // network would make of it is anyone's guess.
  const float most = standard.scale.maxCoeff();
  for (float& scale : standard.scale) {
    constexpr float kNever = 1e-3f, kHardly = 0.1f;
    scale = scale <= kNever * most ? std::numeric_limits<float>::infinity() : std::max(scale, kHardly * most);
  }
  const double square = samples.targets.cast<double>().squaredNorm() / static_cast<double>(samples.targets.size());
  standard.target_scale = square > 0 ? static_cast<float>(std::sqrt(square)) : 1.0f;
  return standard;
}

// Standardised, with the rest pose (all zero in the samples' own units) as the last column of the inputs.
Samples WithRest(const Samples& samples, const Standard& standard) {
  Samples result;
  const Eigen::Index count = samples.inputs.cols();
  result.inputs.resize(samples.inputs.rows(), count + 1);
  result.inputs.leftCols(count) = samples.inputs;
  result.inputs.col(count).setZero();
  result.inputs = standard.scale.cwiseInverse().asDiagonal() * (result.inputs.colwise() - standard.mean);
  result.targets = samples.targets / standard.target_scale;
  return result;
}

std::vector<float> StartingParameters(const NetworkShape& shape, Random& random) {
  std::vector<float> parameters(shape.parameter_count(), 0.0f);
  MutableLayers layers(shape, parameters.data());
  // Glorot and Bengio 2010, for tanh.
  const auto fill = [&](Map& W) {
    const double bound = std::sqrt(6.0 / static_cast<double>(W.rows() + W.cols()));
    for (Eigen::Index i = 0; i < W.size(); ++i) W.data()[i] = static_cast<float>(random.Uniform(-bound, bound));
  };
  fill(layers.W1);
  fill(layers.W2);
  fill(layers.W3);
  for (Eigen::Index i = 0; i < layers.b1.size(); ++i) layers.b1[i] = static_cast<float>(random.Uniform(-0.5, 0.5));
  return parameters;
}

class Adam {
 public:
  explicit Adam(size_t count) : first_(count, 0.0f), second_(count, 0.0f) {}

  void Step(const std::vector<float>& gradient, double rate, double decay, std::vector<float>& parameters) {
    constexpr float kFirst = 0.9f, kSecond = 0.999f, kSmall = 1e-8f;
    first_power_ *= kFirst;
    second_power_ *= kSecond;
    const auto scale = static_cast<float>(rate * std::sqrt(1 - second_power_) / (1 - first_power_));
    const auto keep = static_cast<float>(1 - rate * decay);
    for (size_t i = 0; i < parameters.size(); ++i) {
      first_[i] = kFirst * first_[i] + (1 - kFirst) * gradient[i];
      second_[i] = kSecond * second_[i] + (1 - kSecond) * gradient[i] * gradient[i];
      parameters[i] = keep * parameters[i] - scale * first_[i] / (std::sqrt(second_[i]) + kSmall);
    }
  }

 private:
  std::vector<float> first_, second_;
  double first_power_ = 1, second_power_ = 1;
};

// Samples in a new order every epoch, a batch at a time; the rest pose behind each.
class Batches {
 public:
  Batches(const Samples& samples, int size, Random random)
      : samples_(samples), random_(random), order_(samples.targets.cols()) {
    const int count = static_cast<int>(samples.targets.cols());
    size_ = std::min(size, count);
    for (int i = 0; i < count; ++i) order_[i] = i;
    batch_.inputs.resize(samples.inputs.rows(), size_ + 1);
    batch_.targets.resize(samples.targets.rows(), size_);
    batch_.inputs.col(size_) = samples.inputs.col(count);
    next_ = count;
  }

  const Samples& Next() {
    if (next_ + size_ > static_cast<int>(order_.size())) Shuffle();
    for (int i = 0; i < size_; ++i) {
      batch_.inputs.col(i) = samples_.inputs.col(order_[next_ + i]);
      batch_.targets.col(i) = samples_.targets.col(order_[next_ + i]);
    }
    next_ += size_;
    return batch_;
  }

 private:
  void Shuffle() {
    for (uint32_t i = static_cast<uint32_t>(order_.size()); i > 1; --i)
      std::swap(order_[i - 1], order_[random_.Below(i)]);
    next_ = 0;
  }

  const Samples& samples_;
  Random random_;
  std::vector<int> order_;
  Samples batch_;
  int size_ = 0, next_ = 0;
};

// The network in the samples' own units.
Network Unstandardised(const NetworkShape& shape, const std::vector<float>& parameters, const Standard& standard) {
  const ConstLayers layers(shape, parameters.data());
  Network network;
  network.W1 = layers.W1 * standard.scale.cwiseInverse().asDiagonal();
  network.b1 = layers.b1 - network.W1 * standard.mean;
  network.W2 = layers.W2;
  network.b2 = layers.b2;
  network.W3 = layers.W3 * standard.target_scale;
  network.b3 = Eigen::VectorXf::Zero(shape.outputs);
  network.b3 = -Evaluate(network, Eigen::MatrixXf::Zero(shape.inputs, 1));
  return network;
}

double RateAt(const FitOptions& options, int step) {
  constexpr double kLast = 0.01;
  const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * step / options.steps));
  return options.rate * (kLast + (1 - kLast) * cosine);
}

void CheckFit(const Samples& training, const Samples& validation, const FitOptions& options) {
  const bool fits = training.inputs.cols() == training.targets.cols() && training.count() > 0 &&
                    validation.inputs.cols() == validation.targets.cols() && options.width > 0 && options.steps > 0 &&
                    options.batch > 0;
  if (!fits) throw UsageError("training samples, validation samples and options of a network do not fit together");
}

}  // namespace

double NetworkLoss(const NetworkShape& shape, const float* parameters, const ConstRows& inputs_and_rest,
                   const ConstRows& targets, float* gradient) {
  const ConstLayers layers(shape, parameters);
  const Eigen::Index count = targets.cols();
  const RowMatrix h1 = HiddenLayer(layers.W1, layers.b1, inputs_and_rest);
  const RowMatrix h2 = HiddenLayer(layers.W2, layers.b2, h1);
  const RowMatrix change = h2.leftCols(count).colwise() - h2.col(count);
  RowMatrix error(shape.outputs, count);
  Product(layers.W3, change, error);
  error -= targets;
  const double loss = error.squaredNorm() / static_cast<double>(count);
  if (gradient == nullptr) return loss;

  MutableLayers d(shape, gradient);
  error *= 2.0f / static_cast<float>(count);
  ProductTransposed(error, change, d.W3);
  RowMatrix d2(shape.width, count + 1);
  Product(RowMatrix(layers.W3.transpose()), error, d2.leftCols(count));
  d2.col(count) = -d2.leftCols(count).rowwise().sum();
  ThroughTanh(h2, d2);
  ProductTransposed(d2, h1, d.W2);
  d.b2 = d2.rowwise().sum();
  RowMatrix d1(shape.width, count + 1);
  Product(RowMatrix(layers.W2.transpose()), d2, d1);
  ThroughTanh(h1, d1);
  ProductTransposed(d1, inputs_and_rest, d.W1);
  d.b1 = d1.rowwise().sum();
  return loss;
}

Fit FitNetwork(const Samples& training, const Samples& validation, const FitOptions& options) {
  CheckFit(training, validation, options);
  constexpr int kLookEvery = 50;  // steps between two looks at the validation loss
  const NetworkShape shape{static_cast<int>(training.inputs.rows()), options.width,
                           static_cast<int>(training.targets.rows())};
  const Standard standard = StandardOf(training);
  const Samples seen = WithRest(training, standard);
  const Samples held = validation.count() > 0 ? WithRest(validation, standard) : seen;
  Random random(options.seed, options.stream);
  std::vector<float> parameters = StartingParameters(shape, random);
  std::vector<float> gradient(parameters.size()), best = parameters;
  Adam adam(parameters.size());
  Batches batches(seen, options.batch, random);
  const double unit = static_cast<double>(standard.target_scale) * standard.target_scale;

  Fit fit;
  fit.validation = std::numeric_limits<double>::infinity();
  double running = 0;
  int best_step = 0;
  for (int step = 1; step <= options.steps; ++step) {
    const Samples& batch = batches.Next();
    const double loss = NetworkLoss(shape, parameters.data(), batch.inputs, batch.targets, gradient.data());
    running += loss;
    adam.Step(gradient, RateAt(options, step), options.decay, parameters);
    fit.steps = step;
    if (step % kLookEvery != 0 && step != options.steps) continue;
    const double validated = NetworkLoss(shape, parameters.data(), held.inputs, held.targets, nullptr);
    const int steps = (step - 1) % kLookEvery + 1;
    fit.curve.push_back({step, running / steps * unit, validated * unit});
    running = 0;
    if (validated * unit < fit.validation) {
      fit.validation = validated * unit;
      fit.training = fit.curve.back().training;
      best = parameters;
      best_step = step;
    } else if (step - best_step >= options.patience) {
      break;
    }
  }
  fit.network = Unstandardised(shape, best, standard);
  return fit;
}

}  // namespace sinew
