/* Sinew's plain C interface: characters that deform well in real time, at every level of detail.
 *
 * A character is a bundle (.sinew), opened once and shared by any number of instances and threads. An instance is one
 * character on screen: it owns the memory that an evaluation needs, so that evaluating allocates nothing, takes no lock
 * and calls no system function (but for the clock, where a time budget is given). Different instances may be evaluated
 * at once from different threads; one instance by one thread at a time.
 *
 * Lengths are in the unit of the file that the character came from, for nothing is rescaled: metres, if that is what
 * glTF says. Right-handed, Y up; matrices column-major; quaternions (x, y, z, w). Levels are numbered from 1, the
 * coarsest. Everything that goes in or comes out is in the order of the level's GLB, its parts one after another.
 */
#ifndef SINEW_H_
#define SINEW_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_character sinew_character;
typedef struct sinew_instance sinew_instance;
typedef struct sinew_pool sinew_pool;

typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_INVALID_ARGUMENT = 1, /* a pointer is null, a number is out of range, a stream is missing */
  SINEW_BAD_FILE = 2,         /* not a bundle, or a damaged one */
  SINEW_UNSUPPORTED = 3,      /* made by a newer version */
  SINEW_OUT_OF_MEMORY = 4
} sinew_status;

/* A constant sentence. */
const char* sinew_status_text(sinew_status status);
/* "0.1.0" */
const char* sinew_version(void);

/* ---- Characters ---- */

/* bytes: a whole .sinew file. At an address that is a multiple of 64 it is used in place and must stay alive and
 * unchanged until sinew_close(); otherwise it is copied. problem: may be null; out, a constant sentence that says what
 * is wrong, or null. On failure *character is null. */
sinew_status sinew_open_memory(const void* bytes, size_t size, sinew_character** character, const char** problem);
/* The same from a file, which is mapped and must not be changed until sinew_close(). */
sinew_status sinew_open_file(const char* path, sinew_character** character, const char** problem);
/* Null is allowed. All its instances must be destroyed before. */
void sinew_close(sinew_character* character);

int sinew_level_count(const sinew_character* character);
/* 0 for a level that does not exist. */
int sinew_vertex_count(const sinew_character* character, int level);
int sinew_triangle_count(const sinew_character* character, int level);
/* Writes three vertices for each triangle. */
sinew_status sinew_triangles(const sinew_character* character, int level, uint32_t* triangles);
/* Writes (u, v) for each vertex. SINEW_INVALID_ARGUMENT if the level has no texture coordinates. */
sinew_status sinew_texcoords(const sinew_character* character, int level, float* uv);
/* Of the levels 1 to `level` together. */
int sinew_coefficient_count(const sinew_character* character, int level);

/* A joint's place in its parent's frame: x -> translation + rotation * (scale * x). */
typedef struct sinew_transform {
  float translation[3];
  float rotation[4]; /* x, y, z, w; need not be exactly unit */
  float scale[3];
} sinew_transform;

int sinew_joint_count(const sinew_character* character);
/* Joint `joint`'s name, zero-terminated, into at most `size` bytes; returns how long it is without the zero. */
size_t sinew_joint_name(const sinew_character* character, int joint, char* name, size_t size);
/* -1 if there is none. */
int sinew_find_joint(const sinew_character* character, const char* name);
/* An earlier joint, or -1. */
int sinew_joint_parent(const sinew_character* character, int joint);
/* Writes one transform a joint. */
sinew_status sinew_rest_pose(const sinew_character* character, sinew_transform* pose);
/* The longest side of the mesh at rest, before skinning: where a file has its mesh in centimetres and a node that makes
 * metres of them, centimetres. */
float sinew_height(const sinew_character* character);
/* JSON text, not zero-terminated: names, parts, joint limits, settings. */
const char* sinew_info(const sinew_character* character, size_t* size);

/* ---- Evaluation ---- */

sinew_status sinew_create_instance(const sinew_character* character, sinew_instance** instance);
void sinew_destroy_instance(sinew_instance* instance);

/* Threads that evaluations may use: a pool of ours, or (sinew_frame.run) an engine's own. threads: the caller included;
 * 0: as many as there are cores. */
sinew_status sinew_create_pool(int threads, sinew_pool** pool);
void sinew_destroy_pool(sinew_pool* pool);
typedef void (*sinew_task)(void* context, int index);
/* Runs task(context, i) for every i in [0, count), in any order and on any threads, and returns when all are done. */
typedef void (*sinew_run)(void* user, sinew_task task, void* context, int count);

/* Elements at a constant distance, for results that go straight into a vertex buffer. data null: not wanted. */
typedef struct sinew_stream {
  float* data;
  size_t stride; /* in bytes, a multiple of 4; 0: packed */
} sinew_stream;

/* What is wanted of one level; all zero: nothing. */
typedef struct sinew_output {
  sinew_stream positions;     /* 3 floats a vertex, model space */
  sinew_stream normals;       /* 3 floats, unit; needs positions */
  sinew_stream tangents;      /* 4 floats; needs normals, and tangents in the bundle */
  sinew_stream displacements; /* 3 floats: correctives before skinning, for engines that skin by themselves */
  const float* post;          /* in, may be null: 3 packed floats a vertex, added to the positions after skinning */
  float* bounds;              /* may be null: 6 floats, the least and the largest x, y, z of the positions */
  int normals_from_triangles; /* 0: skinned normals; 1: made anew from the deformed triangles */
  float toward_coarser;       /* 0: the level's own shape; up to 1: onto the surface of the next coarser level */
} sinew_output;

typedef struct sinew_frame {
  const sinew_transform* pose; /* one a joint */
  const float* root;           /* 16 floats, what the character hangs from; null: its own origin */
  const sinew_output* levels;  /* levels[i - 1] is level i */
  int level_count;             /* of `levels` */
  float* coefficients;         /* may be null: what the networks say, of the levels 1 to coefficient_level */
  int coefficient_level;
  int skin_only;     /* 1: no correctives, for comparison */
  int64_t budget_ns; /* 0: no limit. Otherwise a level is begun only if it should be done in this time */
  sinew_pool* pool;  /* may be null */
  sinew_run run;     /* used where pool is null; may be null, too: everything on the calling thread */
  void* run_user;
} sinew_frame;

enum {
  SINEW_POSE_REFUSED = 1, /* a number of the pose is not finite or far too large: the character is at rest */
  SINEW_FADED = 2,        /* beyond what was trained: some correctives are faded */
  SINEW_INTERRUPTED = 4   /* the budget or sinew_stop() ended it before the finest level that was asked for */
};

typedef struct sinew_result {
  int level;          /* the finest level that is complete; 0: none */
  unsigned flags;     /* SINEW_POSE_REFUSED and so on */
  float out_of_range; /* at most 0 within what was trained; from 1 on some correctives are gone */
} sinew_result;

/* result: may be null. SINEW_INVALID_ARGUMENT: nothing was done. */
sinew_status sinew_evaluate(sinew_instance* instance, const sinew_frame* frame, sinew_result* result);
/* A crowd: frames[i] of instances[i], of one or several characters, in one call. Each is done by one thread, several at
 * once: on the pool, else by `run`, else all on the calling thread; the frames' own pool and run are not used. No
 * instance may be named twice. results: may be null, one an instance. SINEW_INVALID_ARGUMENT: with an instance or a
 * frame that sinew_evaluate() would refuse, whose result has level 0; the others are done. */
sinew_status sinew_evaluate_many(sinew_instance* const* instances, const sinew_frame* frames, int count,
                                 sinew_result* results, sinew_pool* pool, sinew_run run, void* run_user);
/* From any thread: the evaluation that is under way begins no further level. */
void sinew_stop(sinew_instance* instance);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* SINEW_H_ */
