/* Steps of training many small networks on a CUDA device: the plain interface of libsinew_cuda, which is built by
 * itself on a machine that has the CUDA toolkit (CMakeLists.txt beside this file) and loaded by `sinew train --device
 * cuda` (learn/cuda_fitter.h). What is random or decides when to stop stays with the caller, so that both devices do
 * the same steps, up to rounding. */
#ifndef SINEW_OFFLINE_LEARN_CUDA_FIT_NETWORKS_H_
#define SINEW_OFFLINE_LEARN_CUDA_FIT_NETWORKS_H_

#ifdef __cplusplus
extern "C" {
#endif

enum { SINEW_CUDA_VERSION = 1 };

/* Standardised samples, a row per input or target, a column per sample; behind the inputs' samples the rest pose. */
typedef struct SinewCudaSamples {
  const float* inputs;  /* inputs * (count + 1) */
  const float* targets; /* outputs * count */
  int count;
} SinewCudaSamples;

typedef struct SinewCudaNetwork {
  int inputs, width, outputs;
  int batch; /* samples a step, at most those that there are */
  SinewCudaSamples training, validation;
  const float* parameters; /* at the start: W1 b1 W2 b2 W3, matrices row by row */
} SinewCudaNetwork;

/* What Adam multiplies with in one step: the size of the step, bias corrections included, and the weights' decay. */
typedef struct SinewCudaStep {
  float scale, keep;
} SinewCudaStep;

typedef struct SinewCudaFitter SinewCudaFitter;

int sinew_cuda_version(void);

/* Copies everything to the device. Null, with a sentence in `error`, where there is none or it is full. */
SinewCudaFitter* sinew_cuda_open(const SinewCudaNetwork* networks, int count, char* error, int error_size);

/* `step_count` steps of each network in `active`. orders: for each of them, for each step, `batch` sample numbers; one
 * network after another. training, validation: out, one for each: the sum of the steps' losses, and the loss on the
 * validation samples after the last step. 0, or 1 with a sentence in `error`. */
int sinew_cuda_run(SinewCudaFitter* fitter, const int* active, int active_count, const int* orders,
                   const SinewCudaStep* steps, int step_count, double* training, double* validation, char* error,
                   int error_size);

/* The parameters of a network as they are now. */
int sinew_cuda_parameters(SinewCudaFitter* fitter, int network, float* parameters, char* error, int error_size);

void sinew_cuda_close(SinewCudaFitter* fitter);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_OFFLINE_LEARN_CUDA_FIT_NETWORKS_H_ */
