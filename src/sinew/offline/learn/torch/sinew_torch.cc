#include "sinew_torch.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/cuda.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "shape_loss.h"

namespace sinew_torch {
namespace {

struct Frame {
  int mesh;
  Tensor features, targets, weights;  // on the device
  Tensor shared;                      // targets that all rows have, behind the others
  std::optional<RigTruth> rig = {};
  std::optional<ShapeTruth> shapes = {};
};

torch::Device DeviceFor(const SinewTorchOptions& options) {
  if (!options.cuda) return torch::kCPU;
  if (!torch::cuda::is_available())
    throw std::runtime_error("libtorch finds no CUDA device, or was built without CUDA");
  return torch::kCUDA;
}

void CheckOptions(const SinewTorchOptions& options) {
  const auto share = [](double x) { return x >= 0 && x < 1; };
  const auto positive = [](double x) { return std::isfinite(x) && x >= 0; };
  if (!share(options.beta1) || !share(options.beta2) || !positive(options.epsilon) || !positive(options.decay) ||
      !share(options.momentum) || !positive(options.huber) || !positive(options.edges) || options.threads < 0 ||
      options.shared < 0) {
    throw std::runtime_error("an option of the training is outside of its range");
  }
}

void Report(const char* sentence, char* error, int size) {
  if (error == nullptr || size < 1) return;
  const size_t length = std::min(std::strlen(sentence), static_cast<size_t>(size - 1));
  std::memcpy(error, sentence, length);
  error[length] = '\0';
  // libtorch's messages go on with a call stack.
  if (char* end = std::strchr(error, '\n')) *end = '\0';
}

// Calls `work`; what it throws becomes a sentence and `failed`.
template <typename Work, typename Answer>
Answer Guarded(const Work& work, Answer failed, char* error, int error_size) {
  try {
    return work();
  } catch (const std::exception& exception) {
    Report(exception.what(), error, error_size);
  } catch (...) {
    Report("libtorch failed without saying why", error, error_size);
  }
  return failed;
}

}  // namespace
}  // namespace sinew_torch

using sinew_torch::Batch;
using sinew_torch::DeviceMesh;
using sinew_torch::Frame;
using sinew_torch::Guarded;
using sinew_torch::RigTruth;
using sinew_torch::RowEnds;
using sinew_torch::ShapeTruth;
using sinew_torch::Slot;
using sinew_torch::Statistics;
using sinew_torch::Tensor;

struct SinewTorchTrainer {
  SinewTorchTrainer(const SinewTorchLayer* layers, int layer_count, const SinewTorchOptions& given)
      : options(given), device(sinew_torch::DeviceFor(given)), network(layers, layer_count, given.inputs, device) {
    if (options.shared > network.outputs()) throw std::runtime_error("more columns are shared than there are");
    if (options.rig != nullptr) {
      rig.emplace(*options.rig, device);
      if (network.RowsOf(1) != 1 || network.outputs() < 4 * rig->joints()) {
        throw std::runtime_error("the output is no rig: it has fewer than four columns per joint");
      }
    } else if (options.rig_alone && options.shapes == nullptr) {
      throw std::runtime_error("there is no loss at all");
    }
    if (options.shapes != nullptr) UseShapes(*options.shapes);
    options.rig = nullptr;  // the caller's
    options.shapes = nullptr;
    const auto floats = torch::TensorOptions(torch::kFloat).device(device);
    for (Tensor& part : parts) part = torch::zeros({network.size()}, floats);
    decays = torch::zeros({network.size()}, floats);
    rates = torch::ones({network.size()}, floats);
    for (const Slot& slot : network.slots()) {
      const int64_t count = slot.rows * slot.columns;
      if (slot.rate != 1) rates.narrow(0, slot.offset, count).fill_(slot.rate);
      same_rates = same_rates && slot.rate == 1;
      if (slot.decays) decays.narrow(0, slot.offset, count).fill_(1);
      if (slot.starts_at_one) parts[SINEW_TORCH_VALUES].narrow(0, slot.offset, count).fill_(1);
      // A leaf of its own that shares the memory of the state.
      tensors.push_back(
          parts[SINEW_TORCH_VALUES].narrow(0, slot.offset, count).view({slot.rows, slot.columns}).detach());
      tensors.back().set_requires_grad(slot.trained);
    }
  }

  void UseShapes(const SinewTorchShapes& given) {
    shapes.emplace(given, device);
    if (rig || !options.rig_alone) throw std::runtime_error("the loss of shapes stands alone");
    if (network.RowsOf(1) != 1 || network.outputs() != shapes->columns()) {
      throw std::runtime_error("the output has not three columns per shape");
    }
    shapes->AddSlots(network);
  }

  // Losses of frames at once. With `statistics`: as in training.
  std::vector<Tensor> LossesOf(const int* numbers, int count, const SinewTorchPoses* poses,
                               std::vector<Statistics>* statistics) {
    std::vector<DeviceMesh*> used;
    std::vector<Tensor> features;
    for (int k = 0; k < count; ++k) {
      const Frame& frame = FrameAt(numbers[k]);
      used.push_back(meshes[frame.mesh].get());
      features.push_back(frame.features);
    }
    Batch batch(used, device);
    const sinew_torch::Value outputs = network.Run(tensors, torch::cat(features), batch, options.momentum, statistics);
    if (shapes) return ShapeLosses(numbers, count, outputs, poses);
    std::vector<Tensor> losses(count);
    if (!options.rig_alone) losses = ColumnLosses(numbers, count, outputs);
    if (!rig) return losses;
    const std::vector<Tensor> rigs = RigLosses(numbers, count, outputs, poses);
    for (int k = 0; k < count; ++k) losses[k] = losses[k].defined() ? losses[k] + rigs[k] : rigs[k];
    return losses;
  }

  std::vector<Tensor> ColumnLosses(const int* numbers, int count, const sinew_torch::Value& outputs) const {
    std::vector<Tensor> targets, weights, losses;
    for (int k = 0; k < count; ++k) {
      const Frame& frame = FrameAt(numbers[k]);
      targets.push_back(options.shared > 0
                            ? torch::cat({frame.targets, frame.shared.expand({frame.targets.size(0), -1})}, 1)
                            : frame.targets);
      weights.push_back(frame.weights);
    }
    const Tensor terms =
        sinew_torch::LossTerms(outputs, torch::cat(targets), torch::cat(weights), options.huber, options.edges);
    const std::vector<int64_t>& starts = outputs.graph->mesh_starts;
    for (int k = 0; k < count; ++k) {
      losses.push_back(sinew_torch::SumOfTerms(terms.slice(0, starts[k], starts[k + 1])));
    }
    return losses;
  }

  std::vector<Tensor> RigLosses(const int* numbers, int count, const sinew_torch::Value& outputs,
                                const SinewTorchPoses* poses) const {
    if (poses == nullptr) throw std::runtime_error("the loss of a rig needs poses");
    std::vector<const RowEnds*> ends;
    std::vector<const RigTruth*> truths;
    for (int k = 0; k < count; ++k) {
      const Frame& frame = FrameAt(numbers[k]);
      if (!frame.rig) throw std::runtime_error("frame " + std::to_string(numbers[k]) + " has no rig");
      ends.push_back(&*row_ends[frame.mesh]);
      truths.push_back(&*frame.rig);
    }
    return rig->Of(outputs, ends, truths, *poses);
  }

  std::vector<Tensor> ShapeLosses(const int* numbers, int count, const sinew_torch::Value& outputs,
                                  const SinewTorchPoses* poses) const {
    if (poses == nullptr) throw std::runtime_error("the loss of shapes needs poses");
    std::vector<const RowEnds*> ends;
    std::vector<const ShapeTruth*> truths;
    for (int k = 0; k < count; ++k) {
      const Frame& frame = FrameAt(numbers[k]);
      if (!frame.shapes) throw std::runtime_error("frame " + std::to_string(numbers[k]) + " has no masks");
      ends.push_back(&*row_ends[frame.mesh]);
      truths.push_back(&*frame.shapes);
    }
    return shapes->Of(outputs, tensors, ends, truths, *poses);
  }

  // Losses with the stored statistics. On the CPU each frame is by itself, so that its bits do not depend on others; on
  // CUDA several at once keep the device busy.
  void Look(const int* numbers, int count, const SinewTorchPoses* poses, double* losses) {
    constexpr int kAtOnce = 16;
    const int most = device.is_cpu() ? 1 : kAtOnce;
    for (int first = 0; first < count; first += most) {
      const int part = std::min(most, count - first);
      SinewTorchPoses own = poses != nullptr ? *poses : SinewTorchPoses{};
      if (rig && own.rotations != nullptr) own.rotations += first * rig->numbers_per_frame();
      if (own.numbers != nullptr) own.numbers += static_cast<int64_t>(first) * own.count;
      const std::vector<Tensor> found_losses = LossesOf(numbers + first, part, poses ? &own : nullptr, nullptr);
      const Tensor found = torch::stack(found_losses).to(torch::kDouble).to(torch::kCPU);
      std::copy_n(found.data_ptr<double>(), part, losses + first);
    }
  }

  // All gradients, in the order of the state; zero for stored statistics.
  Tensor GatherGradients() {
    std::vector<Tensor> gradients;
    for (Tensor& tensor : tensors) {
      const bool has = tensor.requires_grad() && tensor.grad().defined();
      gradients.push_back(has ? tensor.grad().reshape({-1})
                              : torch::zeros({tensor.numel()}, tensor.options()).detach());
      if (has) tensor.mutable_grad() = Tensor();
    }
    return torch::cat(gradients);
  }

  void Update(const Tensor& gradient, long long step, double rate) {
    Tensor &values = parts[SINEW_TORCH_VALUES], &first = parts[SINEW_TORCH_FIRST_MOMENTS],
           &second = parts[SINEW_TORCH_SECOND_MOMENTS];
    first.mul_(options.beta1).add_(gradient, 1 - options.beta1);
    second.mul_(options.beta2).addcmul_(gradient, gradient, 1 - options.beta2);
    const double first_scale = 1 / (1 - std::pow(options.beta1, static_cast<double>(step)));
    const double second_scale = 1 / (1 - std::pow(options.beta2, static_cast<double>(step)));
    const Tensor move = (first * first_scale) / ((second * second_scale).sqrt() + options.epsilon);
    const Tensor decay = values * decays * options.decay;
    values.sub_(same_rates ? move + decay : (move + decay) * rates, rate);
  }

  double Step(const int* numbers, int count, const SinewTorchPoses* poses, long long step, double rate) {
    if (count < 1 || step < 1 || !std::isfinite(rate))
      throw std::runtime_error("a step needs frames, a number and a rate");
    std::vector<Statistics> statistics;
    const Tensor loss = torch::stack(LossesOf(numbers, count, poses, &statistics)).sum() / count;
    const auto value = loss.item<double>();
    loss.backward();
    const torch::NoGradGuard constant;
    const Tensor gradient = GatherGradients();
    if (!std::isfinite(value) || !gradient.isfinite().all().item<bool>()) {
      throw std::runtime_error("the loss or its gradient is not finite at step " + std::to_string(step) +
                               "; a smaller learning rate may help");
    }
    Update(gradient, step, rate);
    for (const Statistics& kept : statistics) tensors[kept.slot].copy_(kept.value);
    return value;
  }

  const Frame& FrameAt(int number) const {
    if (number < 0 || number >= static_cast<int>(frames.size())) {
      throw std::runtime_error("there is no frame " + std::to_string(number));
    }
    return frames[number];
  }

  Tensor Copy(const float* values, int64_t rows, int64_t columns) const {
    if (values == nullptr) throw std::runtime_error("an array of a frame is missing");
    // libtorch does not write to it: the copy is its own.
    const Tensor copy = torch::from_blob(const_cast<float*>(values), {rows, columns}, torch::kFloat).clone();
    if (!copy.isfinite().all().item<bool>()) throw std::runtime_error("a frame has a number that is not finite");
    return copy.to(device);
  }

  int AddFrame(int mesh, const float* features, const float* targets, const float* weights) {
    if (mesh < 0 || mesh >= static_cast<int>(meshes.size())) {
      throw std::runtime_error("there is no mesh " + std::to_string(mesh));
    }
    const int64_t vertices = meshes[mesh]->mesh().levels[0].adjacency.vertices();
    const int64_t rows = network.RowsOf(vertices);
    if (options.rig_alone) {
      frames.push_back({mesh, Copy(features, vertices, options.inputs), {}, {}, {}});
      return static_cast<int>(frames.size()) - 1;
    }
    const int64_t own = network.outputs() - options.shared;
    frames.push_back({mesh, Copy(features, vertices, options.inputs), Copy(targets, rows, own), Shares(weights, rows),
                      options.shared > 0 ? Copy(targets + rows * own, 1, options.shared) : Tensor()});
    return static_cast<int>(frames.size()) - 1;
  }

  // Numbers that are not negative, as shares of their sum.
  Tensor Shares(const float* weights, int64_t rows) const {
    if (weights == nullptr) throw std::runtime_error("an array of a frame is missing");
    double sum = 0;
    for (int64_t i = 0; i < rows; ++i) sum += weights[i];
    const Tensor shares = Copy(weights, rows, 1).view({-1}) / sum;
    if (!(sum > 0) || *std::min_element(weights, weights + rows) < 0) {
      throw std::runtime_error("weights of a frame are negative or all zero");
    }
    return shares;
  }

  void AddPoints(int mesh, const int* ends, int points) {
    if (mesh < 0 || mesh >= static_cast<int>(meshes.size())) {
      throw std::runtime_error("there is no mesh " + std::to_string(mesh));
    }
    row_ends.resize(meshes.size());
    row_ends[mesh] =
        sinew_torch::MakeRowEnds(ends, meshes[mesh]->mesh().levels[0].adjacency.vertices(), points, device);
  }

  void AddRig(int number, const float* points, const float* weights, const float* shares, const float* joints) {
    const int mesh = FrameAt(number).mesh;
    if (!rig) throw std::runtime_error("the loss is not that of a rig");
    row_ends.resize(meshes.size());
    if (!row_ends[mesh]) throw std::runtime_error("the mesh of a frame has no points");
    const int64_t count = row_ends[mesh]->first.targets;
    frames[number].rig = {Copy(points, count, 3), Copy(weights, count, rig->joints()), Shares(shares, count),
                          Copy(joints, rig->joints(), 3)};
  }

  void AddMasks(int number, const float* masks, const float* shares) {
    const int mesh = FrameAt(number).mesh;
    if (!shapes) throw std::runtime_error("the loss is not that of shapes");
    row_ends.resize(meshes.size());
    if (!row_ends[mesh]) throw std::runtime_error("the mesh of a frame has no points");
    const int64_t count = row_ends[mesh]->first.targets;
    frames[number].shapes = {Copy(masks, count, shapes->joints()), Shares(shares, count), {}};
  }

  int AddPose(int number, const float* rotations, const float* turns, const float* off) {
    if (!FrameAt(number).shapes) throw std::runtime_error("frame " + std::to_string(number) + " has no masks");
    ShapeTruth& truth = *frames[number].shapes;
    const int64_t count = truth.masks.size(0);
    truth.poses.push_back(
        shapes->MakePose(Copy(rotations, shapes->joints(), 9), Copy(turns, count, 9), Copy(off, count, 3)));
    return static_cast<int>(truth.poses.size()) - 1;
  }

  Tensor& Part(int part, const void* values) {
    if (part < SINEW_TORCH_VALUES || part > SINEW_TORCH_SECOND_MOMENTS || values == nullptr) {
      throw std::runtime_error("the state has no part " + std::to_string(part));
    }
    return parts[part];
  }

  SinewTorchOptions options;
  torch::Device device;
  sinew_torch::Network network;
  Tensor parts[3];
  std::optional<sinew_torch::RigLoss> rig;
  std::optional<sinew_torch::ShapeLoss> shapes;
  Tensor decays;  // 1 where the decay acts
  Tensor rates;   // factors of the learning rate
  bool same_rates = true;
  std::vector<Tensor> tensors;  // per slot; share the memory of the values
  std::vector<std::unique_ptr<DeviceMesh>> meshes;
  std::vector<std::optional<RowEnds>> row_ends;  // per mesh, as far as there are any
  std::vector<Frame> frames;
};

extern "C" {

int sinew_torch_version(void) { return SINEW_TORCH_VERSION; }

SinewTorchTrainer* sinew_torch_open(const SinewTorchLayer* layers, int layer_count, const SinewTorchOptions* options,
                                    char* error, int error_size) {
  return Guarded(
      [&] {
        if (options == nullptr) throw std::runtime_error("a training needs options");
        sinew_torch::CheckOptions(*options);
        // A libtorch with MKL gives the same bits for any number of threads only if it is asked to before its first
        // product. A user's own choice stays.
        setenv("MKL_CBWR", "AVX2,STRICT", 0);
        // Batched products are several times slower with it.
        at::globalContext().setUserEnabledMkldnn(false);
        // On CUDA products may round their factors to 10 bits, several times as fast; the CPU does not.
        if (options->cuda) at::globalContext().setFloat32MatmulPrecision("high");
        const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        // On CUDA a single thread is busy; others would only wait for each other, in circles, and take the processor
        // from those who need it.
        at::set_num_threads(options->cuda ? 1 : options->threads > 0 ? options->threads : cores);
        return new SinewTorchTrainer(layers, layer_count, *options);
      },
      static_cast<SinewTorchTrainer*>(nullptr), error, error_size);
}

void sinew_torch_close(SinewTorchTrainer* trainer) { delete trainer; }

long long sinew_torch_size(const SinewTorchTrainer* trainer) { return trainer->network.size(); }

int sinew_torch_outputs(const SinewTorchTrainer* trainer) { return trainer->network.outputs(); }

int sinew_torch_add_mesh(SinewTorchTrainer* trainer, const SinewTorchLevel* levels, int level_count, char* error,
                         int error_size) {
  return Guarded(
      [&] {
        trainer->meshes.push_back(
            std::make_unique<DeviceMesh>(sinew_torch::ReadMesh(levels, level_count), trainer->device));
        return static_cast<int>(trainer->meshes.size()) - 1;
      },
      -1, error, error_size);
}

int sinew_torch_add_frame(SinewTorchTrainer* trainer, int mesh, const float* features, const float* targets,
                          const float* weights, char* error, int error_size) {
  return Guarded([&] { return trainer->AddFrame(mesh, features, targets, weights); }, -1, error, error_size);
}

int sinew_torch_add_points(SinewTorchTrainer* trainer, int mesh, const int* ends, int points, char* error,
                           int error_size) {
  return Guarded(
      [&] {
        trainer->AddPoints(mesh, ends, points);
        return 0;
      },
      1, error, error_size);
}

int sinew_torch_add_rig(SinewTorchTrainer* trainer, int frame, const float* points, const float* weights,
                        const float* shares, const float* joints, char* error, int error_size) {
  return Guarded(
      [&] {
        trainer->AddRig(frame, points, weights, shares, joints);
        return 0;
      },
      1, error, error_size);
}

int sinew_torch_add_masks(SinewTorchTrainer* trainer, int frame, const float* masks, const float* shares, char* error,
                          int error_size) {
  return Guarded(
      [&] {
        trainer->AddMasks(frame, masks, shares);
        return 0;
      },
      1, error, error_size);
}

int sinew_torch_add_pose(SinewTorchTrainer* trainer, int frame, const float* rotations, const float* turns,
                         const float* off, char* error, int error_size) {
  return Guarded([&] { return trainer->AddPose(frame, rotations, turns, off); }, -1, error, error_size);
}

void sinew_torch_drop_frames(SinewTorchTrainer* trainer) { trainer->frames.clear(); }

int sinew_torch_get(SinewTorchTrainer* trainer, int part, float* values, char* error, int error_size) {
  return Guarded(
      [&] {
        const Tensor copy = trainer->Part(part, values).to(torch::kCPU).contiguous();
        std::memcpy(values, copy.data_ptr<float>(), sizeof(float) * copy.numel());
        return 0;
      },
      1, error, error_size);
}

int sinew_torch_set(SinewTorchTrainer* trainer, int part, const float* values, char* error, int error_size) {
  return Guarded(
      [&] {
        const torch::NoGradGuard constant;
        Tensor& target = trainer->Part(part, values);
        target.copy_(trainer->Copy(values, target.numel(), 1).view({-1}));
        return 0;
      },
      1, error, error_size);
}

int sinew_torch_step(SinewTorchTrainer* trainer, const int* frames, int count, const SinewTorchPoses* poses,
                     long long step, double rate, double* loss, char* error, int error_size) {
  return Guarded(
      [&] {
        *loss = trainer->Step(frames, count, poses, step, rate);
        return 0;
      },
      1, error, error_size);
}

int sinew_torch_look(SinewTorchTrainer* trainer, const int* frames, int count, const SinewTorchPoses* poses,
                     double* losses, char* error, int error_size) {
  return Guarded(
      [&] {
        const torch::NoGradGuard constant;
        trainer->Look(frames, count, poses, losses);
        return 0;
      },
      1, error, error_size);
}

int sinew_torch_apply(SinewTorchTrainer* trainer, int frame, float* outputs, char* error, int error_size) {
  return Guarded(
      [&] {
        const torch::NoGradGuard constant;
        const Frame& given = trainer->FrameAt(frame);
        Batch batch({trainer->meshes[given.mesh].get()}, trainer->device);
        const Tensor made =
            trainer->network.Run(trainer->tensors, given.features, batch, 0, nullptr).rows.to(torch::kCPU).contiguous();
        std::memcpy(outputs, made.data_ptr<float>(), sizeof(float) * made.numel());
        return 0;
      },
      1, error, error_size);
}

}  // extern "C"
