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

enum { SINEW_TORCH_VERSION = 6 };

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
   * of the output is the mean of the other columns, weighted by column j, zero for a joint without weight. With
   * `measured` a column before the weights says how much each row counts. Rows are joints from here on: linear layers,
   * normalisation, activations and softmax may follow. No tensors. */
  SINEW_TORCH_SKINNING_POOL = 12,
  /* Votes of all rows of a mesh for `width` points: the first `width` columns are logits, the others votes, x, y, z of
   * each point together. All rows of the output are the same: the points, which are the votes' means weighted by the
   * softmax of the logits down the rows of the mesh; then the spread of each, sqrt(weighted mean of |vote - point|^2 +
   * `epsilon`), times `slope`. No tensors. */
  SINEW_TORCH_VOTE_POOL = 13,
  /* Convolution on the skeleton whose joints the rows are (neural blend shapes): out_i = sum_j in_j W_ij + b_i over all
   * joints j at most `distance` bones from i, i included, in the order of their numbers. Tensors: all W_ij, one below
   * the other, sorted by i, then j (pairs * inputs x width); b (joints x width). */
  SINEW_TORCH_SKELETON_CONV = 14,
  /* Sums along the chains of the skeleton, from the root down to each joint. No tensors. */
  SINEW_TORCH_CHAIN_SUM = 15,
  /* Goes back from `width` joints to the rows that were pooled: each has the columns of all joints, one joint after
   * another. No tensors. */
  SINEW_TORCH_TO_ROWS = 16,
  /* Passes on `width` columns from column `first` on. No tensors. */
  SINEW_TORCH_COLUMNS = 17
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
  float epsilon;      /* added to the variance of SINEW_TORCH_BATCH_NORM, and to squared spreads */
  int reach;          /* ring set of SINEW_TORCH_MESH_CONV */
  const int* parents; /* of SINEW_TORCH_SKELETON_CONV and _CHAIN_SUM: per joint, -1 for a root, parents come first */
  int joints;         /* number of these */
  int distance;       /* in bones, of SINEW_TORCH_SKELETON_CONV */
  int first;          /* column of SINEW_TORCH_COLUMNS */
  int measured;       /* of SINEW_TORCH_SKINNING_POOL: 1 if the first column is how much rows count */
  float rate;         /* factor of the learning rate of its tensors; 0: 1, too */
} SinewTorchLayer;

/* Loss of a network that rigs meshes (neural blend shapes). Its output has J columns of weights per row, which sum to
 * 1, then (place - mean) / deviation of every joint, x, y, z, which all rows share. A point has the mean of the weights
 * of the rows that end at it (sinew_torch_add_points). All lengths are multiplied by `scale`, then squared. */
typedef struct SinewTorchRig {
  int joints;
  const int* parents; /* per joint, -1 for the root; parents come first */
  const float* means; /* 3 per joint */
  double deviation, scale;
  double weights;             /* factor of the squared differences of weights, mean over points (Eq. 6) */
  double offsets;             /* factor of those of offsets from the parents, sum over joints (Eq. 6) */
  double root;                /* factor of the squared distance of the root, which no pose shows since it never turns */
  int poses;                  /* that a frame is looked at in */
  const double* pose_factors; /* of the squared distances of points in each, mean over points (Eqs. 2 to 4) */
} SinewTorchRig;

/* Loss of a network that answers blend shapes of meshes (neural blend shapes, Eqs. 4 and 5). Its output has x, y, z of
 * every shape per row; a point has the mean of the rows that end at it (sinew_torch_add_points). Every joint has a
 * network of its own that gives coefficients of the shapes for the joint's rotation R: three layers with biases, and
 * LeakyReLU of slope `slope` between them, on the 9 numbers of R - I, less what they give at rest. The sum over joints
 * of mask, coefficients and shapes is added to a point at rest. All lengths are multiplied by `scale`, then squared;
 * the loss is the mean over the poses of a frame. Behind the tensors of the layers the state has, for each of the three
 * layers, W of all joints, one below the other (joints * inputs x outputs), and b (joints x outputs). */
typedef struct SinewTorchShapes {
  int joints; /* that have coefficients */
  int shapes;
  int widths[2]; /* of the hidden layers */
  float slope;
  float rate; /* factor of the learning rate of these networks; 0: 1, too */
  double scale;
} SinewTorchShapes;

/* What is drawn for the frames of a call with one of these losses. */
typedef struct SinewTorchPoses {
  /* Of a rig, frames x poses x J x 9: rotation of each joint relative to its parent, row by row. */
  const float* rotations;
  int influences;     /* of a rig: how many of a point's largest weights count, renormalised; 0: all */
  const int* numbers; /* of shapes, frames x count: which of its poses each frame is looked at in */
  int count;
} SinewTorchPoses;

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
  int shared;               /* how many of the last columns of the output have the same target in all rows of a frame */
  const SinewTorchRig* rig; /* loss that is added; null: none. Copied. */
  int rig_alone;            /* 1: there is no other loss, and frames have neither targets nor weights */
  const SinewTorchShapes* shapes; /* loss in place of all others; null: none. Copied. Needs `rig_alone`. */
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

/* For the loss of a rig or of shapes: the two points that each row of a mesh ends at (2 per row), and how many points
 * there are. Then, for every frame of that mesh with a rig: where points are at rest (points x 3), their true weights
 * (points x J), how much each counts (points, at least 0, sum above 0), and the true joints (J x 3). 0, or 1 with a
 * sentence in `error`. */
int sinew_torch_add_points(SinewTorchTrainer* trainer, int mesh, const int* ends, int points, char* error,
                           int error_size);
int sinew_torch_add_rig(SinewTorchTrainer* trainer, int frame, const float* points, const float* weights,
                        const float* shares, const float* joints, char* error, int error_size);

/* For the loss of shapes, for every frame of a mesh with points: the masks of all joints (points x joints), and how
 * much each point counts (points, at least 0, sum above 0). 0, or 1 with a sentence in `error`. Then its poses:
 * rotations of the joints (joints x 9, row by row), how skinning turns what is added to a point at rest (points x 9),
 * and the posed points without shapes, less the true ones (points x 3). Returns the pose's number in its frame, or -1
 * with a sentence in `error`. */
int sinew_torch_add_masks(SinewTorchTrainer* trainer, int frame, const float* masks, const float* shares, char* error,
                          int error_size);
int sinew_torch_add_pose(SinewTorchTrainer* trainer, int frame, const float* rotations, const float* turns,
                         const float* off, char* error, int error_size);

/* Forgets all frames; meshes stay. */
void sinew_torch_drop_frames(SinewTorchTrainer* trainer);

/* Parts of the state, of sinew_torch_size() floats each. Stored statistics have moments of zero. */
enum { SINEW_TORCH_VALUES = 0, SINEW_TORCH_FIRST_MOMENTS = 1, SINEW_TORCH_SECOND_MOMENTS = 2 };
int sinew_torch_get(SinewTorchTrainer* trainer, int part, float* values, char* error, int error_size);
int sinew_torch_set(SinewTorchTrainer* trainer, int part, const float* values, char* error, int error_size);

/* One step of Adam on frames; `step` counts from 1. poses: for the loss of a rig or of shapes, otherwise null. loss:
 * out, mean over the frames before the step. 0, or 1 with a sentence in `error`; a loss that is not finite is an error,
 * and leaves the state as it was. */
int sinew_torch_step(SinewTorchTrainer* trainer, const int* frames, int count, const SinewTorchPoses* poses,
                     long long step, double rate, double* loss, char* error, int error_size);

/* Loss of each frame with the stored statistics. */
int sinew_torch_look(SinewTorchTrainer* trainer, const int* frames, int count, const SinewTorchPoses* poses,
                     double* losses, char* error, int error_size);

/* Output for a frame with the stored statistics: rows x outputs. */
int sinew_torch_apply(SinewTorchTrainer* trainer, int frame, float* outputs, char* error, int error_size);

#ifdef __cplusplus
}
#endif

#endif /* SINEW_OFFLINE_LEARN_TORCH_SINEW_TORCH_H_ */
