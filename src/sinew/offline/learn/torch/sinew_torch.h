/* Training of a described network on meshes with libtorch: the plain C interface of libsinew_torch, which is a project
 * of its own that needs nothing but libtorch (CMakeLists.txt beside this file, scripts/torch) and is loaded by `sinew
 * learn train` (learn/torch_trainer.h). What is random, what decides when to stop, and every file stay with the caller:
 * the state of a training is three arrays of floats and the number of the step.
 *
 * On the CPU the same calls give the same bits, whatever the number of threads. On CUDA sums over neighbours are added
 * in any order. A trainer is used by one thread at a time. */
#ifndef SINEW_OFFLINE_LEARN_TORCH_SINEW_TORCH_H_
#define SINEW_OFFLINE_LEARN_TORCH_SINEW_TORCH_H_

#ifdef __cplusplus
extern "C" {
#endif

enum { SINEW_TORCH_VERSION = 4 };

/* Kinds of layers. A value is a matrix with a row per vertex of a level of the mesh (or per edge, for networks on
 * edges: what is said of vertices is then true of edges, each of which has a ring of four others); value 0 is the
 * features, value k the output of layer k - 1. "Tensors" are the layer's part of the state, in that order, matrices row
 * by row. */
enum {
  /* out = in W + b. Tensors: W (inputs x width); b (width) if `bias`. */
  SINEW_TORCH_LINEAR = 0,
  /* Standardises every column by the mean and variance of all rows of the step while training (stored ones follow
   * with SINEW_TORCH_MOMENTUM), and by the stored ones otherwise. Tensors: scale, shift, mean, variance (inputs each).
   */
  SINEW_TORCH_BATCH_NORM = 1,
  /* Applies `activation`. No tensors. */
  SINEW_TORCH_ACTIVATION = 2,
  /* Columns of several values of one level beside each other. No tensors. */
  SINEW_TORCH_CONCATENATE = 3,
  /* Graph attention over the neighbours and the vertex itself (multiresgnet, Eqs. 5, 6): h = in W; score of j for i =
   * LeakyReLU(target h_i + source h_j), slope `slope`; softmax over j; out_i = sum_j score_ij h_j. `heads` heads of
   * `width` columns each, beside each other, and behind them in H, the self stream of `self_width` columns. Tensors: W
   * (inputs x heads * width), target, source (heads x width each), H (inputs x self_width; none if that is 0). */
  SINEW_TORCH_ATTENTION = 4,
  /* Mean of the rows that the mesh's map sends to one vertex of the next coarser level, by the level's shares. No
   * tensors. */
  SINEW_TORCH_POOL = 5,
  /* Copies rows of a level to the vertices of the next finer level that are mapped to them. No tensors. */
  SINEW_TORCH_UNPOOL = 6,
  /* Contracts edges from the highest score down, each vertex once (multiresgnet, Eqs. 8, 9). Scores are those of
   * attention with one head, without the vertex itself; of an edge's two the larger counts. A merged vertex gets
   * alpha (v_i + v_j), alpha = max(score, `least_alpha`); a vertex that is left over keeps its row. Tensors: W (inputs
   * x width), target, source (width each); if `width` is 0 rows are scored as they are, without W. */
  SINEW_TORCH_CONTRACT = 7,
  /* Undoes layer `partner`, a SINEW_TORCH_CONTRACT: copies rows back and divides them by alpha (Eq. 10). No tensors. */
  SINEW_TORCH_EXPAND = 8,
  /* Convolution on edges (neural blend shapes, after MeshCNN): out = [e, a + c, b + d, |a - c|, |b - d|] W + b, with
   * the edges a, b, c, d of the level's ring set `reach` around e; missing ones are zero. Tensors: W (5 inputs x
   * width); b (width) if `bias`. */
  SINEW_TORCH_MESH_CONV = 9,
  /* Softmax of every row. No tensors. */
  SINEW_TORCH_SOFTMAX = 10,
  /* Replaces the first `width` columns by their maxima over all rows of the mesh; of equal rows the first gets the
   * gradient. No tensors. */
  SINEW_TORCH_CHANNEL_MAX = 11,
  /* Skinning-based pooling (neural blend shapes, Eq. 1): the first `width` columns are weights of as many joints; row j
   * of the output is the mean of the other columns, weighted by column j, zero for a joint without weight. Rows are
   * joints from here on: linear layers, normalisation, activations and softmax may follow. No tensors. */
  SINEW_TORCH_SKINNING_POOL = 12,
  /* Votes of all rows of a mesh for `width` points: the first `width` columns are logits, the others votes, x, y, z of
   * each point together. All rows of the output are the same: the points, which are the votes' means weighted by the
   * softmax of the logits down the rows of the mesh; then the spread of each, sqrt(weighted mean of |vote - point|^2 +
   * `epsilon`), times `slope`. No tensors. */
  SINEW_TORCH_VOTE_POOL = 13
};

enum {
  SINEW_TORCH_TANH = 0,
  SINEW_TORCH_TANHSHRINK = 1, /* x - tanh x */
  SINEW_TORCH_ELU = 2,
  SINEW_TORCH_LEAKY_RELU = 3, /* slope `slope` */
  SINEW_TORCH_RELU = 4
};

typedef struct SinewTorchLayer {
  int kind;
  const int* inputs; /* values; one, but for SINEW_TORCH_CONCATENATE */
  int input_count;
  int width;
  int bias;
  int heads;
  int self_width;
  int activation;
  int partner; /* number of a layer */
  float slope;
  float least_alpha;
  float epsilon; /* added to the variance of SINEW_TORCH_BATCH_NORM, and to squared spreads */
  int reach;     /* ring set of SINEW_TORCH_MESH_CONV */
} SinewTorchLayer;

typedef struct SinewTorchOptions {
  int inputs;  /* columns of the features */
  int cuda;    /* 0: on the CPU */
  int threads; /* on the CPU; 0: as many as there are cores */
  /* Adam with decoupled decay: values -= rate (m / (sqrt v + epsilon) + decay values), bias corrections included. */
  double beta1, beta2, epsilon, decay;
  double momentum; /* of the stored statistics: share of the new step, as 0.1 */
  /* Loss of a vertex, by component of the residual r: r^2, from `huber` on 2 huber |r| - huber^2 (0: always r^2),
   * and `edges` times the mean squared difference of residuals to its neighbours. Vertices count by their weights. */
  double huber, edges;
  int shared; /* how many of the last columns of the output have the same target in all rows of a frame */
} SinewTorchOptions;

/* A level of a mesh, finest first. Neighbours of vertex i: neighbours[starts[i]] up to starts[i + 1], without i. */
typedef struct SinewTorchLevel {
  int vertices;
  const int* starts;     /* vertices + 1 */
  const int* neighbours; /* starts[vertices] */
  const int* coarser;    /* vertices: which vertex of the next level; null in the coarsest */
  const float* shares; /* vertices: share in the mean of its coarser vertex; those of each sum to 1; null: equal ones */
  /* Sets of rings, one after another: 4 per edge, the edges a, b, c, d around it, -1 where there is none; null: rows
   * are no edges. Set 0 are the mesh's own, further ones lie further away. */
  const int* rings;
  int ring_sets; /* at least 1 if there are rings */
} SinewTorchLevel;

typedef struct SinewTorchTrainer SinewTorchTrainer;

int sinew_torch_version(void);

/* A network with all tensors zero, variances one. The last value is the output. Null, with a sentence in `error` (of at
 * least one byte), if the layers do not fit together or there is no such device. */
SinewTorchTrainer* sinew_torch_open(const SinewTorchLayer* layers, int layer_count, const SinewTorchOptions* options,
                                    char* error, int error_size);
void sinew_torch_close(SinewTorchTrainer* trainer);

/* Numbers of floats in the state, and of columns in the output. */
long long sinew_torch_size(const SinewTorchTrainer* trainer);
int sinew_torch_outputs(const SinewTorchTrainer* trainer);

/* Copies a mesh, or a frame of a mesh: features (vertices x inputs), targets (rows x those columns of the output that
 * are not `shared`, then one row of those that are) and weights (rows, at least 0, sum above 0). Rows are vertices, or
 * joints if the output has been pooled to joints. Return the number of the mesh or frame, or -1 with a sentence in
 * `error`. */
int sinew_torch_add_mesh(SinewTorchTrainer* trainer, const SinewTorchLevel* levels, int level_count, char* error,
                         int error_size);
int sinew_torch_add_frame(SinewTorchTrainer* trainer, int mesh, const float* features, const float* targets,
                          const float* weights, char* error, int error_size);

/* Forgets all frames; meshes stay. */
void sinew_torch_drop_frames(SinewTorchTrainer* trainer);

/* Parts of the state, of sinew_torch_size() floats each. Stored statistics have moments of zero. */
enum { SINEW_TORCH_VALUES = 0, SINEW_TORCH_FIRST_MOMENTS = 1, SINEW_TORCH_SECOND_MOMENTS = 2 };
int sinew_torch_get(SinewTorchTrainer* trainer, int part, float* values, char* error, int error_size);
int sinew_torch_set(SinewTorchTrainer* trainer, int part, const float* values, char* error, int error_size);

/* One step of Adam on frames; `step` counts from 1. loss: out, mean over the frames before the step. 0, or 1 with a
 * sentence in `error`; a loss that is not finite is an error, and leaves the state as it was. */
int sinew_torch_step(SinewTorchTrainer* trainer, const int* frames, int count, long long step, double rate,
                     double* loss, char* error, int error_size);

/* Loss of each frame with the stored statistics. */
int sinew_torch_look(SinewTorchTrainer* trainer, const int* frames, int count, double* losses, char* error,
                     int error_size);

/* Output for a frame with the stored statistics: rows x outputs. */
int sinew_torch_apply(SinewTorchTrainer* trainer, int frame, float* outputs, char* error, int error_size);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_OFFLINE_LEARN_TORCH_SINEW_TORCH_H_ */
