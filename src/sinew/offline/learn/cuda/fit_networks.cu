// One block of threads trains one network, all of them side by side: forward, backward, Adam, without leaving the
// device between steps. The mathematics is NetworkLoss's in learn/fit_network.cc. Sums have a fixed order.
#include "fit_networks.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kThreads = 256;
constexpr int kTile = 64, kDepth = 16, kEach = 4;  // of a product: a tile of 64 x 64, 4 x 4 numbers a thread

// Everything of one network, on the device.
struct Net {
  int inputs, width, outputs, batch;
  SinewCudaSamples training, validation;
  float *parameters, *gradient, *first, *second;
  // Of one batch and the rest pose behind it.
  float *x, *y, *h1, *h2, *change, *error, *d2, *d1;
  const int* order;
  double *loss, *validated;

  __host__ __device__ int parameter_count() const {
    return (inputs + 1) * width + (width + 1) * width + width * outputs;
  }
};

struct Layers {
  float *W1, *b1, *W2, *b2, *W3;
  __device__ Layers(const Net& n, float* p)
      : W1(p), b1(W1 + n.width * n.inputs), W2(b1 + n.width), b2(W2 + n.width * n.width), W3(b2 + n.width) {}
};

// Memory that all products of a block share.
using TileRow = float[kTile + 1];
extern __shared__ float tiles[];
constexpr size_t kTileBytes = 2 * kDepth * sizeof(TileRow);

// out(m, n, sum over k of a(m, k) b(k, n)) for all m < M, n < N.
template <typename A, typename B, typename Out>
__device__ void Product(int M, int N, int K, const A& a, const B& b, const Out& out) {
  auto* as = reinterpret_cast<TileRow*>(tiles);
  TileRow* bs = as + kDepth;
  const int row = static_cast<int>(threadIdx.x) / 16, column = static_cast<int>(threadIdx.x) % 16;
  for (int m0 = 0; m0 < M; m0 += kTile) {
    for (int n0 = 0; n0 < N; n0 += kTile) {
      float sums[kEach][kEach] = {};
      for (int k0 = 0; k0 < K; k0 += kDepth) {
        for (int i = static_cast<int>(threadIdx.x); i < kDepth * kTile; i += kThreads) {
          const int m = m0 + i / kDepth, ka = k0 + i % kDepth, n = n0 + i % kTile, kb = k0 + i / kTile;
          as[i % kDepth][i / kDepth] = m < M && ka < K ? a(m, ka) : 0.0f;
          bs[i / kTile][i % kTile] = n < N && kb < K ? b(kb, n) : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < kDepth; ++k) {
          float left[kEach], right[kEach];
          for (int i = 0; i < kEach; ++i) left[i] = as[k][row + 16 * i];
          for (int i = 0; i < kEach; ++i) right[i] = bs[k][column + 16 * i];
          for (int i = 0; i < kEach; ++i) {
            for (int j = 0; j < kEach; ++j) sums[i][j] += left[i] * right[j];
          }
        }
        __syncthreads();
      }
      for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j) {
          const int m = m0 + row + 16 * i, n = n0 + column + 16 * j;
          if (m < M && n < N) out(m, n, sums[i][j]);
        }
      }
    }
  }
  __syncthreads();
}

// The same sum in every thread.
__device__ double SumOverBlock(double mine) {
  __shared__ double sums[kThreads];
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const double sum = sums[0];
  __syncthreads();
  return sum;
}

// Fills x and y with samples, `chosen(i)` the i-th, and the rest pose behind them.
template <typename Chosen>
__device__ void Gather(const Net& n, const SinewCudaSamples& samples, int count, const Chosen& chosen) {
  for (int i = static_cast<int>(threadIdx.x); i < n.inputs * (count + 1); i += kThreads) {
    const int f = i / (count + 1), column = i % (count + 1);
    n.x[i] = samples.inputs[f * (samples.count + 1) + (column < count ? chosen(column) : samples.count)];
  }
  for (int i = static_cast<int>(threadIdx.x); i < n.outputs * count; i += kThreads) {
    n.y[i] = samples.targets[i / count * samples.count + chosen(i % count)];
  }
  __syncthreads();
}

// From x to what is missing of y. Returns its squared length.
__device__ double Forward(const Net& n, int count) {
  const Layers p(n, n.parameters);
  const int all = count + 1;
  Product(
      n.width, all, n.inputs, [&](int m, int k) { return p.W1[m * n.inputs + k]; },
      [&](int k, int c) { return n.x[k * all + c]; },
      [&](int m, int c, float sum) { n.h1[m * all + c] = tanhf(sum + p.b1[m]); });
  Product(
      n.width, all, n.width, [&](int m, int k) { return p.W2[m * n.width + k]; },
      [&](int k, int c) { return n.h1[k * all + c]; },
      [&](int m, int c, float sum) { n.h2[m * all + c] = tanhf(sum + p.b2[m]); });
  for (int i = static_cast<int>(threadIdx.x); i < n.width * count; i += kThreads) {
    const int m = i / count;
    n.change[i] = n.h2[m * all + i % count] - n.h2[m * all + count];
  }
  __syncthreads();
  Product(
      n.outputs, count, n.width, [&](int m, int k) { return p.W3[m * n.width + k]; },
      [&](int k, int c) { return n.change[k * count + c]; },
      [&](int m, int c, float sum) { n.error[m * count + c] = sum - n.y[m * count + c]; });
  double square = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n.outputs * count; i += kThreads) {
    square += static_cast<double>(n.error[i]) * n.error[i];
  }
  return SumOverBlock(square);
}

// rows: `stride` numbers each, of which the first `columns` are added up.
__device__ void RowSums(const float* rows, int count, int columns, int stride, float sign, float* sums,
                        int sums_stride) {
  for (int m = static_cast<int>(threadIdx.x); m < count; m += kThreads) {
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum += rows[m * stride + c];
    sums[m * sums_stride] = sign * sum;
  }
  __syncthreads();
}

__device__ void ThroughTanh(const float* h, int count, float* gradient) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) gradient[i] *= 1 - h[i] * h[i];
  __syncthreads();
}

__device__ void Backward(const Net& n, int count) {
  const Layers p(n, n.parameters), d(n, n.gradient);
  const int all = count + 1;
  const float scale = 2.0f / static_cast<float>(count);
  for (int i = static_cast<int>(threadIdx.x); i < n.outputs * count; i += kThreads) n.error[i] *= scale;
  __syncthreads();
  Product(
      n.outputs, n.width, count, [&](int m, int k) { return n.error[m * count + k]; },
      [&](int k, int c) { return n.change[c * count + k]; },
      [&](int m, int c, float sum) { d.W3[m * n.width + c] = sum; });
  Product(
      n.width, count, n.outputs, [&](int m, int k) { return p.W3[k * n.width + m]; },
      [&](int k, int c) { return n.error[k * count + c]; }, [&](int m, int c, float sum) { n.d2[m * all + c] = sum; });
  RowSums(n.d2, n.width, count, all, -1, n.d2 + count, all);  // the rest pose is in every sample
  ThroughTanh(n.h2, n.width * all, n.d2);
  Product(
      n.width, n.width, all, [&](int m, int k) { return n.d2[m * all + k]; },
      [&](int k, int c) { return n.h1[c * all + k]; }, [&](int m, int c, float sum) { d.W2[m * n.width + c] = sum; });
  RowSums(n.d2, n.width, all, all, 1, d.b2, 1);
  Product(
      n.width, all, n.width, [&](int m, int k) { return p.W2[k * n.width + m]; },
      [&](int k, int c) { return n.d2[k * all + c]; }, [&](int m, int c, float sum) { n.d1[m * all + c] = sum; });
  ThroughTanh(n.h1, n.width * all, n.d1);
  Product(
      n.width, n.inputs, all, [&](int m, int k) { return n.d1[m * all + k]; },
      [&](int k, int c) { return n.x[c * all + k]; }, [&](int m, int c, float sum) { d.W1[m * n.inputs + c] = sum; });
  RowSums(n.d1, n.width, all, all, 1, d.b1, 1);
}

__device__ void Adam(const Net& n, const SinewCudaStep& step) {
  constexpr float kFirst = 0.9f, kSecond = 0.999f, kSmall = 1e-8f;
  for (int i = static_cast<int>(threadIdx.x); i < n.parameter_count(); i += kThreads) {
    const float g = n.gradient[i];
    n.first[i] = kFirst * n.first[i] + (1 - kFirst) * g;
    n.second[i] = kSecond * n.second[i] + (1 - kSecond) * g * g;
    n.parameters[i] = step.keep * n.parameters[i] - step.scale * n.first[i] / (sqrtf(n.second[i]) + kSmall);
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    TrainNetworks(const Net* nets, const int* active, const SinewCudaStep* steps, int step_count) {
  const Net n = nets[active[blockIdx.x]];
  double sum = 0;
  for (int s = 0; s < step_count; ++s) {
    Gather(n, n.training, n.batch, [&](int i) { return n.order[s * n.batch + i]; });
    sum += Forward(n, n.batch) / n.batch;
    Backward(n, n.batch);
    Adam(n, steps[s]);
  }
  double validated = 0;
  for (int begin = 0; begin < n.validation.count; begin += n.batch) {
    const int count = min(n.batch, n.validation.count - begin);
    Gather(n, n.validation, count, [&](int i) { return begin + i; });
    validated += Forward(n, count);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    *n.loss = sum;
    *n.validated = validated / n.validation.count;
  }
}

bool Fails(cudaError_t status, const char* doing, char* error, int error_size) {
  if (status == cudaSuccess) return false;
  std::snprintf(error, static_cast<size_t>(error_size), "%s: %s", doing, cudaGetErrorString(status));
  return true;
}

}  // namespace

struct SinewCudaFitter {
  std::vector<Net> nets;
  std::vector<void*> owned;
  Net* on_device = nullptr;
  int *active = nullptr, *orders = nullptr;
  size_t order_capacity = 0;
  SinewCudaStep* steps = nullptr;
  int step_capacity = 0;
  double* losses = nullptr;  // two a network
  cudaError_t status = cudaSuccess;

  template <typename T>
  T* Take(size_t count) {
    void* memory = nullptr;
    if (status == cudaSuccess) status = cudaMalloc(&memory, std::max<size_t>(1, count) * sizeof(T));
    if (memory != nullptr) owned.push_back(memory);
    return static_cast<T*>(memory);
  }
  template <typename T>
  T* Copy(const T* from, size_t count) {
    T* to = Take<T>(count);
    if (status == cudaSuccess) status = cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
    return to;
  }
  template <typename T>
  T* Zeros(size_t count) {
    T* to = Take<T>(count);
    if (status == cudaSuccess) status = cudaMemset(to, 0, count * sizeof(T));
    return to;
  }
  SinewCudaSamples Copy(const SinewCudaSamples& samples, int inputs, int outputs) {
    const auto count = static_cast<size_t>(samples.count);
    return {Copy(samples.inputs, static_cast<size_t>(inputs) * (count + 1)),
            Copy(samples.targets, static_cast<size_t>(outputs) * count), samples.count};
  }
  void Add(const SinewCudaNetwork& from, size_t index) {
    Net n{};
    n.inputs = from.inputs;
    n.width = from.width;
    n.outputs = from.outputs;
    n.batch = from.batch;
    n.training = Copy(from.training, n.inputs, n.outputs);
    n.validation = Copy(from.validation, n.inputs, n.outputs);
    const auto parameters = static_cast<size_t>(n.parameter_count());
    const size_t all = static_cast<size_t>(n.batch) + 1, width = static_cast<size_t>(n.width) * all;
    n.parameters = Copy(from.parameters, parameters);
    n.gradient = Zeros<float>(parameters);
    n.first = Zeros<float>(parameters);
    n.second = Zeros<float>(parameters);
    n.x = Take<float>(static_cast<size_t>(n.inputs) * all);
    n.y = Take<float>(static_cast<size_t>(n.outputs) * all);
    n.error = Take<float>(static_cast<size_t>(n.outputs) * all);
    for (float** rows : {&n.h1, &n.h2, &n.change, &n.d2, &n.d1}) *rows = Take<float>(width);
    n.loss = losses + 2 * index;
    n.validated = n.loss + 1;
    nets.push_back(n);
  }
  ~SinewCudaFitter() {
    for (void* memory : owned) cudaFree(memory);
  }
};

extern "C" {

int sinew_cuda_version(void) { return SINEW_CUDA_VERSION; }

SinewCudaFitter* sinew_cuda_open(const SinewCudaNetwork* networks, int count, char* error, int error_size) {
  int devices = 0;
  if (Fails(cudaGetDeviceCount(&devices), "looking for a CUDA device", error, error_size)) return nullptr;
  if (devices == 0) {
    std::snprintf(error, static_cast<size_t>(error_size), "there is no CUDA device");
    return nullptr;
  }
  auto* fitter = new SinewCudaFitter;
  fitter->losses = fitter->Zeros<double>(2 * static_cast<size_t>(count));
  fitter->active = fitter->Take<int>(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) fitter->Add(networks[i], static_cast<size_t>(i));
  fitter->on_device = fitter->Take<Net>(static_cast<size_t>(count));
  if (Fails(fitter->status, "copying networks to the CUDA device", error, error_size)) {
    delete fitter;
    return nullptr;
  }
  return fitter;
}

int sinew_cuda_run(SinewCudaFitter* f, const int* active, int active_count, const int* orders,
                   const SinewCudaStep* steps, int step_count, double* training, double* validation, char* error,
                   int error_size) {
  size_t numbers = 0;
  for (int i = 0; i < active_count; ++i) numbers += static_cast<size_t>(f->nets[active[i]].batch) * step_count;
  if (numbers > f->order_capacity) f->orders = f->Take<int>(f->order_capacity = numbers);
  if (step_count > f->step_capacity) f->steps = f->Take<SinewCudaStep>(f->step_capacity = step_count);
  if (Fails(f->status, "taking memory of the CUDA device", error, error_size)) return 1;
  size_t at = 0;
  for (int i = 0; i < active_count; ++i) {
    f->nets[active[i]].order = f->orders + at;
    at += static_cast<size_t>(f->nets[active[i]].batch) * step_count;
  }
  const auto copy = [&](void* to, const void* from, size_t bytes) {
    if (f->status == cudaSuccess) f->status = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
  };
  copy(f->orders, orders, numbers * sizeof(int));
  copy(f->active, active, static_cast<size_t>(active_count) * sizeof(int));
  copy(f->steps, steps, static_cast<size_t>(step_count) * sizeof(SinewCudaStep));
  copy(f->on_device, f->nets.data(), f->nets.size() * sizeof(Net));
  if (f->status == cudaSuccess) {
    TrainNetworks<<<active_count, kThreads, kTileBytes>>>(f->on_device, f->active, f->steps, step_count);
    f->status = cudaGetLastError();
  }
  std::vector<double> losses(2 * f->nets.size());
  if (f->status == cudaSuccess) {
    f->status = cudaMemcpy(losses.data(), f->losses, losses.size() * sizeof(double), cudaMemcpyDeviceToHost);
  }
  if (Fails(f->status, "training on the CUDA device", error, error_size)) return 1;
  for (int i = 0; i < active_count; ++i) {
    training[i] = losses[2 * static_cast<size_t>(active[i])];
    validation[i] = losses[2 * static_cast<size_t>(active[i]) + 1];
  }
  return 0;
}

int sinew_cuda_parameters(SinewCudaFitter* f, int network, float* parameters, char* error, int error_size) {
  const Net& n = f->nets[network];
  return Fails(cudaMemcpy(parameters, n.parameters, static_cast<size_t>(n.parameter_count()) * sizeof(float),
                          cudaMemcpyDeviceToHost),
               "copying a network from the CUDA device", error, error_size)
             ? 1
             : 0;
}

void sinew_cuda_close(SinewCudaFitter* fitter) { delete fitter; }

}  // extern "C"
