// Tests libsinew_torch through its C interface: torch_smoke_test [cuda [TIMES]]
//
// On the CPU: gradients against differences, the same bits for any number of threads and after stopping and going on,
// sentences for bad input. With "cuda": one step from one state on both devices, and the time of TIMES steps on each.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sinew/offline/learn/torch/sinew_torch.h"

namespace {

int failures = 0;
void Check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

using Trainer = std::unique_ptr<SinewTorchTrainer, decltype(&sinew_torch_close)>;
using State = std::vector<std::vector<float>>;
constexpr int kFeatures = 5, kOutputs = 3;

// A grid of quads and a coarser one of half the size, as CSR. Its vertices also serve as edges, with those around them
// as rings.
struct Grid {
  int side;
  std::vector<int> starts = {0}, neighbours, coarser, rings;
  std::vector<float> shares;  // of the coarser vertex: more for those with a higher number
  explicit Grid(int size) : side(size) {
    for (int i = 0; i < side * side; ++i) {
      const int x = i % side, y = i / side;
      if (x > 0) neighbours.push_back(i - 1);
      if (x + 1 < side) neighbours.push_back(i + 1);
      if (y > 0) neighbours.push_back(i - side);
      if (y + 1 < side) neighbours.push_back(i + side);
      rings.insert(rings.end(), {x > 0 ? i - 1 : -1, y > 0 ? i - side : -1, x + 1 < side ? i + 1 : -1,
                                 y + 1 < side ? i + side : -1});
      starts.push_back(static_cast<int>(neighbours.size()));
      coarser.push_back((y / 2) * ((side + 1) / 2) + x / 2);
    }
    std::vector<float> sums(side * side, 0);
    for (int i = 0; i < side * side; ++i) sums[coarser[i]] += static_cast<float>(i + 1);
    for (int i = 0; i < side * side; ++i) shares.push_back(static_cast<float>(i + 1) / sums[coarser[i]]);
  }
  SinewTorchLevel Level() const {
    return {side * side, starts.data(), neighbours.data(), coarser.data(), shares.data(), rings.data(), 1};
  }
};

// A network with every kind of layer but pooling to joints: dense attention blocks beside a pooled and a contracted
// branch, and convolutions.
struct Described {
  std::vector<std::vector<int>> inputs;
  std::vector<SinewTorchLayer> layers;
  int Add(int kind, std::vector<int> from, int width = 0, int heads = 0, int activation = 0, int partner = 0) {
    inputs.push_back(std::move(from));
    layers.push_back({kind, nullptr, static_cast<int>(inputs.back().size()), width, kind == SINEW_TORCH_LINEAR, heads,
                      0, activation, partner, 0.2F, 1 / 16.F, 1e-5F});
    for (size_t k = 0; k < layers.size(); ++k) layers[k].inputs = inputs[k].data();
    return static_cast<int>(layers.size());
  }
  int AddBlock(int from, int width, int activation) {
    const int both = Add(SINEW_TORCH_ATTENTION, {from}, width, 2);
    layers.back().self_width = 2 * width;
    return Add(SINEW_TORCH_ACTIVATION, {Add(SINEW_TORCH_BATCH_NORM, {both})}, 0, 0, activation);
  }
};

Described AllLayers(int width) {
  Described net;
  const int first = net.Add(SINEW_TORCH_BATCH_NORM, {net.Add(SINEW_TORCH_LINEAR, {0}, width)});
  const int start = net.Add(SINEW_TORCH_ACTIVATION, {first}, 0, 0, SINEW_TORCH_TANH);
  const int local = net.AddBlock(start, width, SINEW_TORCH_ELU);
  const int dense = net.AddBlock(net.Add(SINEW_TORCH_CONCATENATE, {start, local}), width, SINEW_TORCH_LEAKY_RELU);
  const int pooled = net.AddBlock(net.Add(SINEW_TORCH_POOL, {start}), width, SINEW_TORCH_TANHSHRINK);
  const int back = net.Add(SINEW_TORCH_UNPOOL, {pooled});
  const int contract = net.Add(SINEW_TORCH_CONTRACT, {start}, width);
  const int merged = net.AddBlock(contract, width, SINEW_TORCH_RELU);
  const int expanded = net.Add(SINEW_TORCH_EXPAND, {merged}, 0, 0, 0, contract - 1);
  const int most = net.Add(SINEW_TORCH_CHANNEL_MAX, {net.Add(SINEW_TORCH_MESH_CONV, {start}, width)}, 2);
  const int shares = net.Add(SINEW_TORCH_SOFTMAX, {most});
  net.Add(SINEW_TORCH_LINEAR, {net.Add(SINEW_TORCH_CONCATENATE, {start, local, dense, back, expanded, most, shares})},
          kOutputs);
  return net;
}

SinewTorchOptions Options(int threads, int cuda) {
  return {kFeatures, cuda, threads, 0.9, 0.999, 1e-8, 1e-4, 0.1, 0.5, 0.5, 0, nullptr, 0, nullptr};
}

std::vector<float> Random(int count, unsigned seed, float scale) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = scale * (static_cast<float>(random() % 20001) / 10000.F - 1.F);
  return values;
}

// Two meshes of different sizes with two frames each.
Trainer Open(int threads, int cuda, int side = 9, int width = 8) {
  char error[512] = "";
  const Described net = AllLayers(width);
  const SinewTorchOptions options = Options(threads, cuda);
  Trainer trainer(
      sinew_torch_open(net.layers.data(), static_cast<int>(net.layers.size()), &options, error, sizeof error),
      &sinew_torch_close);
  if (trainer == nullptr) {
    std::printf("cannot open: %s\n", error);
    std::exit(1);
  }
  for (const int size : {side, side + 3}) {
    const Grid fine(size), coarse((size + 1) / 2);
    const SinewTorchLevel levels[] = {fine.Level(), coarse.Level()};
    const int mesh = sinew_torch_add_mesh(trainer.get(), levels, 2, error, sizeof error);
    for (int f = 0; f < 2; ++f) {
      const int vertices = size * size;
      std::vector<float> weights = Random(vertices, 7, 0.5F);
      for (float& w : weights) w += 1;
      Check(sinew_torch_add_frame(trainer.get(), mesh, Random(vertices * kFeatures, 10 * size + f, 1).data(),
                                  Random(vertices * kOutputs, 20 * size + f, 1).data(), weights.data(), error,
                                  sizeof error) >= 0,
            error);
    }
  }
  // Variances of batch norm stay those of a new network.
  std::vector<float> values(sinew_torch_size(trainer.get()));
  sinew_torch_get(trainer.get(), SINEW_TORCH_VALUES, values.data(), error, sizeof error);
  const std::vector<float> start = Random(static_cast<int>(values.size()), 3, 0.4F);
  for (size_t k = 0; k < values.size(); ++k) values[k] = values[k] == 0 ? start[k] : values[k];
  sinew_torch_set(trainer.get(), SINEW_TORCH_VALUES, values.data(), error, sizeof error);
  return trainer;
}

State Get(const Trainer& trainer) {
  char error[512] = "";
  State state(3, std::vector<float>(sinew_torch_size(trainer.get())));
  for (int part = 0; part < 3; ++part) {
    Check(sinew_torch_get(trainer.get(), part, state[part].data(), error, sizeof error) == 0, error);
  }
  return state;
}

void Set(const Trainer& trainer, const State& state) {
  char error[512] = "";
  for (int part = 0; part < 3; ++part) {
    Check(sinew_torch_set(trainer.get(), part, state[part].data(), error, sizeof error) == 0, error);
  }
}

double Steps(const Trainer& trainer, int first, int count, double rate = 0.01) {
  char error[512] = "";
  double loss = 0;
  for (int step = first; step < first + count; ++step) {
    const int frames[] = {step % 4, (step + 1) % 4};
    Check(sinew_torch_step(trainer.get(), frames, 2, nullptr, step, rate, &loss, error, sizeof error) == 0, error);
  }
  return loss;
}

// At a size that every loop of libtorch shares out among threads, too.
void GoesOnBitByBit(int side, int width) {
  const Trainer whole = Open(1, 0, side, width);
  Steps(whole, 1, 6);
  const Trainer begun = Open(2, 0, side, width), other = Open(2, 0, side, width);
  Steps(begun, 1, 3);
  Set(other, Get(begun));
  Steps(other, 4, 3);
  Check(Get(whole) == Get(other), "three steps and three more are six, on one thread and on two");
}

void LossFalls() {
  const Trainer trainer = Open(2, 0);
  const double before = Steps(trainer, 1, 1);
  const double after = Steps(trainer, 2, 60);
  Check(after < 0.7 * before, "the loss falls");
  std::printf("loss %.4f, after 60 steps %.4f\n", before, after);
}

// Differences of the loss while training, against the gradient that a first step leaves in the first moments.
// Contraction picks edges by score, so the loss is smooth for small moves only.
void GradientsAreDerivatives() {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Trainer trainer = Open(1, 0);
    const State start = Get(trainer);
    const auto loss_at = [&](const std::vector<float>& values) {
      Set(trainer, {values, start[1], start[2]});
      return Steps(trainer, 1, 1, 0);
    };
    loss_at(start[0]);
    const std::vector<float> moments = Get(trainer)[1];
    // Along the gradient, disturbed by half of its length, so that its length and its direction count.
    std::vector<float> way = Random(static_cast<int>(moments.size()), 50 + seed, 1);
    double length = 0, disturbed = 0;
    for (size_t k = 0; k < way.size(); ++k) {
      if (moments[k] == 0) way[k] = 0;
      length += moments[k] * moments[k];
      disturbed += way[k] * way[k];
    }
    double slope = 0;
    for (size_t k = 0; k < way.size(); ++k) {
      way[k] = static_cast<float>(moments[k] / std::sqrt(length) + 0.5 * way[k] / std::sqrt(disturbed));
      slope += way[k] * moments[k] / (1 - 0.9);
    }
    constexpr double kMove = 2e-3;
    std::vector<float> up = start[0], down = start[0];
    for (size_t k = 0; k < way.size(); ++k) {
      up[k] += static_cast<float>(kMove * way[k]);
      down[k] -= static_cast<float>(kMove * way[k]);
    }
    const double difference = (loss_at(up) - loss_at(down)) / (2 * kMove);
    if (std::abs(difference - slope) > 0.01 * std::abs(slope)) {
      std::printf("slope %.6f, by differences %.6f\n", slope, difference);
      Check(false, "the gradient is the derivative of the loss");
    }
  }
}

// Features of a vertex reach only so many neighbours: what is alone in its mesh is computed as in company.
void MeshesDoNotMix() {
  const Trainer trainer = Open(1, 0);
  char error[512] = "";
  double alone[2] = {}, one = 0;
  const int both[] = {0, 2};
  sinew_torch_look(trainer.get(), both, 2, nullptr, alone, error, sizeof error);
  const int second[] = {2};
  sinew_torch_look(trainer.get(), second, 1, nullptr, &one, error, sizeof error);
  Check(one == alone[1], "a frame has the loss that it has alone");
  std::vector<float> output(81 * kOutputs), again(81 * kOutputs);
  sinew_torch_apply(trainer.get(), 0, output.data(), error, sizeof error);
  sinew_torch_apply(trainer.get(), 0, again.data(), error, sizeof error);
  Check(output == again, "the same frame, the same output");
}

void Refuses(const char* expected, int answer, const char* error) {
  const bool holds = answer != 0 && std::string(error).find(expected) != std::string::npos;
  if (!holds) std::printf("expected '%s', got '%s'\n", expected, error);
  Check(holds, "bad input is refused");
}

void BadInputIsRefused() {
  const Trainer trainer = Open(1, 0);
  const State before = Get(trainer);
  char error[512] = "";
  double loss = 0;
  const int lost[] = {99};
  Refuses("no frame 99", sinew_torch_step(trainer.get(), lost, 1, nullptr, 1, 0.1, &loss, error, sizeof error), error);
  Grid grid(4);
  grid.neighbours[5] = 16;
  const SinewTorchLevel level = grid.Level();
  Refuses("vertex 16 as a neighbour", sinew_torch_add_mesh(trainer.get(), &level, 1, error, sizeof error), error);
  Grid ringed(4);
  ringed.rings[9] = -2;
  const SinewTorchLevel bad_ring = ringed.Level();
  Refuses("edge -2 in the ring of edge 2", sinew_torch_add_mesh(trainer.get(), &bad_ring, 1, error, sizeof error),
          error);
  Grid shared(4);
  shared.shares[3] += 0.1F;
  const Grid below(2);
  const SinewTorchLevel bad_share[] = {shared.Level(), below.Level()};
  Refuses("does not sum to 1", sinew_torch_add_mesh(trainer.get(), bad_share, 2, error, sizeof error), error);
  std::vector<float> nothing(81 * kFeatures, NAN);
  Refuses("not finite",
          sinew_torch_add_frame(trainer.get(), 0, nothing.data(), nothing.data(), nothing.data(), error, sizeof error),
          error);
  Check(Get(trainer) == before, "a refusal leaves the state");
  const SinewTorchOptions options = Options(1, 0);
  const int inputs[] = {3};
  SinewTorchLayer layer{};
  layer.inputs = inputs;
  layer.input_count = 1;
  layer.width = 4;
  Refuses("not there yet", sinew_torch_open(&layer, 1, &options, error, sizeof error) == nullptr, error);
  const int first[] = {0};
  layer.inputs = first;
  layer.kind = SINEW_TORCH_SKINNING_POOL;
  layer.width = kFeatures;
  Refuses("nothing but weights", sinew_torch_open(&layer, 1, &options, error, sizeof error) == nullptr, error);
  layer.kind = SINEW_TORCH_CHANNEL_MAX;
  layer.width = kFeatures + 1;
  Refuses("not as many channels", sinew_torch_open(&layer, 1, &options, error, sizeof error) == nullptr, error);
  layer.kind = 77;
  Refuses("unknown kind 77", sinew_torch_open(&layer, 1, &options, error, sizeof error) == nullptr, error);
}

double Largest(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (size_t k = 0; k < a.size(); ++k) largest = std::max(largest, static_cast<double>(std::abs(a[k] - b[k])));
  return largest;
}

// A network on a grid that answers shapes, with random poses.
struct ShapeTrainer {
  static constexpr int kSide = 12, kBends = 3, kShapes = 2, kPoses = 4;
  Trainer trainer{nullptr, &sinew_torch_close};
  char error[512] = "";

  explicit ShapeTrainer(int threads) {
    Described net;
    const int hidden = net.Add(SINEW_TORCH_MESH_CONV, {0}, 16);
    net.Add(SINEW_TORCH_LINEAR, {net.Add(SINEW_TORCH_ACTIVATION, {hidden}, 0, 0, SINEW_TORCH_LEAKY_RELU)}, 3 * kShapes);
    const SinewTorchShapes shapes = {kBends, kShapes, {5, 6}, 0.2F, 10, 1.7};
    SinewTorchOptions options = Options(threads, 0);
    options.rig_alone = 1;
    options.shapes = &shapes;
    trainer.reset(
        sinew_torch_open(net.layers.data(), static_cast<int>(net.layers.size()), &options, error, sizeof error));
    if (trainer == nullptr) {
      std::printf("cannot open: %s\n", error);
      std::exit(1);
    }
    const Grid grid(kSide);
    const int points = kSide * kSide;
    const SinewTorchLevel level = {
        points, grid.starts.data(), grid.neighbours.data(), nullptr, nullptr, grid.rings.data(), 1};
    const int mesh = sinew_torch_add_mesh(trainer.get(), &level, 1, error, sizeof error);
    std::vector<int> ends;
    for (int v = 0; v < points; ++v) ends.insert(ends.end(), {v, (v + 3) % points});
    Check(sinew_torch_add_points(trainer.get(), mesh, ends.data(), points, error, sizeof error) == 0, error);
    sinew_torch_add_frame(trainer.get(), mesh, Random(points * kFeatures, 5, 1).data(), nullptr, nullptr, error,
                          sizeof error);
    std::vector<float> masks = Random(points * kBends, 6, 0.5F), shares(points, 1);
    for (float& mask : masks) mask += 0.5F;
    Check(sinew_torch_add_masks(trainer.get(), 0, masks.data(), shares.data(), error, sizeof error) == 0, error);
    for (int p = 0; p < kPoses; ++p) {
      Check(sinew_torch_add_pose(trainer.get(), 0, Random(kBends * 9, 30 + p, 1).data(),
                                 Random(points * 9, 40 + p, 1).data(), Random(points * 3, 50 + p, 1).data(), error,
                                 sizeof error) == p,
            error);
    }
    Set(trainer,
        {Random(static_cast<int>(sinew_torch_size(trainer.get())), 8, 0.4F), Get(trainer)[1], Get(trainer)[2]});
  }

  double Step(int step, double rate) {
    double loss = 0;
    const int frame = 0, chosen[] = {step % kPoses, (step + 1) % kPoses};
    const SinewTorchPoses poses = {nullptr, 0, chosen, 2};
    Check(sinew_torch_step(trainer.get(), &frame, 1, &poses, step, rate, &loss, error, sizeof error) == 0, error);
    return loss;
  }
};

void ShapesAreLearned() {
  ShapeTrainer one(1), two(2);
  const State start = Get(one.trainer);
  one.Step(1, 0);
  const std::vector<float> moments = Get(one.trainer)[1];
  double length = 0;
  for (const float moment : moments) length += moment * moment;
  constexpr double kMove = 1e-3;
  std::vector<float> up = start[0], down = start[0];
  for (size_t k = 0; k < moments.size(); ++k) {
    up[k] += static_cast<float>(kMove * moments[k] / std::sqrt(length));
    down[k] -= static_cast<float>(kMove * moments[k] / std::sqrt(length));
  }
  Set(one.trainer, {up, start[1], start[2]});
  const double above = one.Step(1, 0);
  Set(one.trainer, {down, start[1], start[2]});
  const double slope = 10 * std::sqrt(length), difference = (above - one.Step(1, 0)) / (2 * kMove);
  Check(std::abs(difference - slope) < 0.01 * slope, "the gradient of shapes is the derivative of their loss");
  Set(one.trainer, start);
  const double before = one.Step(1, 0.01);
  double after = 0;
  for (int step = 2; step <= 201; ++step) after = one.Step(step, 0.01);
  Check(after < 0.9 * before, "the loss of shapes falls");
  std::printf("loss of shapes %.4f, after 200 steps %.4f\n", before, after);
  for (int step = 1; step <= 201; ++step) two.Step(step, 0.01);
  Check(Get(one.trainer) == Get(two.trainer), "shapes are the same bits on one thread and on two");
  const int frame = 0, lost[] = {0, ShapeTrainer::kPoses};
  const SinewTorchPoses poses = {nullptr, 0, lost, 2};
  double loss = 0;
  Refuses("no pose 4", sinew_torch_step(one.trainer.get(), &frame, 1, &poses, 1, 0.1, &loss, one.error, 512),
          one.error);
  Refuses("needs poses", sinew_torch_step(one.trainer.get(), &frame, 1, nullptr, 1, 0.1, &loss, one.error, 512),
          one.error);
  SinewTorchShapes bad = {3, 3, {5, 0}, 0.2F, 10, 1.7};
  SinewTorchOptions options = Options(1, 0);
  options.rig_alone = 1;
  options.shapes = &bad;
  const Described net = AllLayers(8);
  const auto open = [&] {
    return sinew_torch_open(net.layers.data(), static_cast<int>(net.layers.size()), &options, one.error, 512) ==
           nullptr;
  };
  Refuses("outside of its range", open(), one.error);
  bad.widths[1] = 6;
  Refuses("not three columns per shape", open(), one.error);
}

double MillisecondsPerStep(const Trainer& trainer, int times) {
  Steps(trainer, 1, 3);
  const auto begin = std::chrono::steady_clock::now();
  Steps(trainer, 4, times);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() / times;
}

void DevicesAgree(int times) {
  const Trainer cpu = Open(0, 0), cuda = Open(0, 1);
  Steps(cpu, 1, 5);
  Set(cuda, Get(cpu));
  const double on_cpu = Steps(cpu, 6, 1), on_cuda = Steps(cuda, 6, 1);
  std::printf("step 6 from one state: loss %.8f on the CPU, %.8f on CUDA; first moments differ by at most %.2e\n",
              on_cpu, on_cuda, Largest(Get(cpu)[1], Get(cuda)[1]));
  Check(std::abs(on_cpu - on_cuda) < 1e-4 * on_cpu, "both devices do the same step");
  Check(Largest(Get(cpu)[1], Get(cuda)[1]) < 1e-3, "both devices have the same gradient");
  constexpr int kSide = 70, kWidth = 64;
  std::printf("two meshes of %d and %d vertices a step, blocks of %d: %.1f ms on the CPU, %.1f ms on CUDA\n",
              kSide * kSide, (kSide + 3) * (kSide + 3), 4 * kWidth,
              MillisecondsPerStep(Open(0, 0, kSide, kWidth), times),
              MillisecondsPerStep(Open(0, 1, kSide, kWidth), times));
}

}  // namespace

int main(int count, char** words) {
  Check(sinew_torch_version() == SINEW_TORCH_VERSION, "header and library are of one version");
  GoesOnBitByBit(9, 8);
  GoesOnBitByBit(45, 32);
  LossFalls();
  GradientsAreDerivatives();
  MeshesDoNotMix();
  BadInputIsRefused();
  ShapesAreLearned();
  if (count > 1 && std::string(words[1]) == "cuda") DevicesAgree(count > 2 ? std::atoi(words[2]) : 10);
  std::printf(failures == 0 ? "libsinew_torch passed\n" : "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
