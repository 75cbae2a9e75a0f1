/* Sinew's plain C interface: real-time character deformation at every level of detail.
 *
 * A character is a bundle (.sinew), opened once and shared by any number of instances and threads. An instance is one
 * character on screen: it owns the memory that an evaluation needs, so that evaluating allocates nothing, takes no lock
 * and calls no system function (except the clock, if a time budget or a pool is given, and to wake threads of a pool
 * that have fallen asleep). Different instances may be evaluated at the same time by different threads; one instance by
 * one thread at a time.
 *
 * Lengths are in the unit of the file that the character came from, since nothing is rescaled: metres, if the file
 * follows glTF. Right-handed, Y up; matrices column-major; quaternions (x, y, z, w). Levels are numbered from 1, the
 * coarsest. All vertex data, inputs and outputs, is in the order of the level's GLB, its parts one after another.
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

/* Returns a constant sentence that describes the status. */
const char* sinew_status_text(sinew_status status);
/* Returns the version of the library, such as "0.1.0". */
const char* sinew_version(void);

/* ---- Characters ---- */

/* Opens a character in memory. bytes: a whole .sinew file. At an address that is a multiple of 64 it is used in place
 * and must stay alive and unchanged until sinew_close(); otherwise it is copied. problem: output, may be null: a
 * constant sentence that says what is wrong, or null. On failure *character is null. */
sinew_status sinew_open_memory(const void* bytes, size_t size, sinew_character** character, const char** problem);
/* Opens a character from a file, which is mapped and must not be changed until sinew_close(). */
sinew_status sinew_open_file(const char* path, sinew_character** character, const char** problem);
/* Closes a character; null is allowed. All its instances must be destroyed before. */
void sinew_close(sinew_character* character);

int sinew_level_count(const sinew_character* character);
/* Number of vertices or triangles of a level; 0 for a level that does not exist. */
int sinew_vertex_count(const sinew_character* character, int level);
int sinew_triangle_count(const sinew_character* character, int level);
/* Writes the three vertices of each triangle: 3 * sinew_triangle_count() numbers. */
sinew_status sinew_triangles(const sinew_character* character, int level, uint32_t* triangles);
/* Writes (u, v) of each vertex: 2 * sinew_vertex_count() floats. SINEW_INVALID_ARGUMENT if the level has no texture
 * coordinates. */
sinew_status sinew_texcoords(const sinew_character* character, int level, float* uv);
/* Number of coefficients of the levels 1 to `level` together; 0 for a level that does not exist. */
int sinew_coefficient_count(const sinew_character* character, int level);

/* A joint's transform in its parent's frame: x -> translation + rotation * (scale * x). */
typedef struct sinew_transform {
  float translation[3];
  float rotation[4]; /* x, y, z, w; need not be exactly unit */
  float scale[3];
} sinew_transform;

int sinew_joint_count(const sinew_character* character);
/* Writes the name of joint `joint`, zero-terminated and cut off at `size` bytes; name may be null. Returns the full
 * length of the name without the zero. */
size_t sinew_joint_name(const sinew_character* character, int joint, char* name, size_t size);
/* Returns the index of the joint with this name, or -1 if there is none. */
int sinew_find_joint(const sinew_character* character, const char* name);
/* Returns the joint's parent, which is an earlier joint, or -1 for a root. */
int sinew_joint_parent(const sinew_character* character, int joint);
/* Writes the rest pose: one transform per joint. */
sinew_status sinew_rest_pose(const sinew_character* character, sinew_transform* pose);
/* Longest side of the mesh in the rest pose, before skinning: in centimetres if the file has its mesh in centimetres
 * and a node that scales it to metres. */
float sinew_height(const sinew_character* character);
/* Returns JSON text, not zero-terminated, valid until sinew_close(): names, parts, joint limits, settings. size:
 * output, its length in bytes; may be null. */
const char* sinew_info(const sinew_character* character, size_t* size);

/* Number of colliders whose contact was learned (sinew_frame.colliders); 0 if the bundle has no contact. */
int sinew_contact_count(const sinew_character* character);
/* Writes the name of learned collider `contact`, zero-terminated and cut off at `size` bytes; name may be null. Returns
 * the full length of the name without the zero, or 0 if there is none such. */
size_t sinew_contact_name(const sinew_character* character, int contact, char* name, size_t size);
/* Returns the index of the learned collider with this name, or -1 if there is none. */
int sinew_find_contact(const sinew_character* character, const char* name);

/* ---- Evaluation ---- */

sinew_status sinew_create_instance(const sinew_character* character, sinew_instance** instance);
void sinew_destroy_instance(sinew_instance* instance);

/* Creates a pool of threads for evaluations; an engine may use its own threads instead (sinew_frame.run). threads:
 * their number, the caller included; 0: as many as there are cores. There are fewer if the system gives no more;
 * results do not depend on their number. All memory is allocated here: SINEW_OUT_OF_MEMORY if there is none. Threads
 * without work sleep after some tens of microseconds. A pool may be used by several evaluations at the same time. */
sinew_status sinew_create_pool(int threads, sinew_pool** pool);
void sinew_destroy_pool(sinew_pool* pool);
typedef void (*sinew_task)(void* context, int index);
/* Runs task(context, i) for every i in [0, count), in any order and on any threads, and returns when all are done. */
typedef void (*sinew_run)(void* user, sinew_task task, void* context, int count);

/* A view of elements at a constant distance, so that results can go straight into a vertex buffer. data: null if the
 * stream is not wanted. */
typedef struct sinew_stream {
  float* data;
  size_t stride; /* bytes from each element to the next, a multiple of 4; 0: packed */
} sinew_stream;

/* Where normals come from. Skinned normals are those of rest, turned as skinning turns the surface: they know nothing
 * of correctives, and light shows it. Normals from triangles are recomputed from the deformed ones; levels that were
 * baked without the tables for that (sinew bake --no-normals) get skinned ones. */
typedef enum sinew_normals {
  SINEW_NORMALS_AUTO = 0,      /* from triangles where correctives or `post` move the surface, otherwise skinned */
  SINEW_NORMALS_TRIANGLES = 1, /* from triangles */
  SINEW_NORMALS_SKINNED = 2    /* skinned: the cheaper choice */
} sinew_normals;

/* Outputs requested of one level; all zero: none. */
typedef struct sinew_output {
  sinew_stream positions;     /* 3 floats per vertex, model space */
  sinew_stream normals;       /* 3 floats, unit length, out of the surface, of a mirrored one, too; needs positions */
  sinew_stream tangents;      /* 4 floats, w the handedness; needs normals, and tangents in the bundle */
  sinew_stream displacements; /* 3 floats: correctives before skinning, for engines that skin by themselves */
  const float* post;          /* input, may be null: 3 packed floats per vertex, added to positions after skinning */
  float* bounds;              /* may be null: bounding box of the positions, 6 floats: least, then largest x, y, z */
  int normals_from;           /* one of sinew_normals */
  float toward_coarser;       /* 0: the level's own shape; up to 1: blended onto the surface of the coarser level */
} sinew_output;

/* Largest number of colliders in one frame. */
enum { SINEW_MAX_COLLIDERS = 8 };

/* A rigid thing that presses the skin, as one of the bundle's learned colliders does. The skin is moved only within the
 * collider's window, a distance around it that was chosen when contact was learned; elsewhere not a bit changes.
 * Nothing moves as long as no vertex is inside of the collider. Where windows overlap, displacements are mixed by
 * weights that follow distances and depths smoothly; the nearer and deeper collider counts most. Normals are turned
 * along, skinned ones, too. */
typedef struct sinew_collider {
  int contact;    /* which learned collider: 0 to sinew_contact_count() - 1 */
  int on;         /* 0: as if it were not there */
  int joint;      /* joint that carries it, such as the character's own hand; -1: none */
  float pose[16]; /* column-major, rigid (rotation and translation only): from the collider's space, that of the mesh
                     that was learned, to model space, like the positions; or to the joint's frame without its scale */
  int push_out;   /* 1: vertices that the learned dent leaves inside of the collider are moved to its surface */
} sinew_collider;

typedef struct sinew_frame {
  const sinew_transform* pose; /* one per joint */
  const float* root;           /* 16 floats, affine transform of the root joints' parent; null: identity */
  const sinew_output* levels;  /* levels[i - 1] is level i */
  int level_count;             /* length of `levels`, at most sinew_level_count() */
  float* coefficients;         /* output, may be null: network outputs of the levels 1 to coefficient_level */
  int coefficient_level;       /* 0 if coefficients is null; sinew_coefficient_count() floats are written */
  int skin_only;               /* 1: plain skinning without correctives and contact, for comparison */
  int64_t budget_ns;           /* 0: no limit; negative: already spent; see below */
  sinew_pool* pool;            /* may be null */
  sinew_run run;               /* used if pool is null; may be null, too: everything on the calling thread */
  void* run_user;
  int complete_level;              /* levels up to this one are completed whatever the budget; 0: none */
  const sinew_collider* colliders; /* may be null if collider_count is 0 */
  int collider_count;              /* at most SINEW_MAX_COLLIDERS; 0: no contact, at no cost */
} sinew_frame;
/* A budget counts from the call of sinew_evaluate(). When it is spent, nothing more is begun, not even another tile of
 * 256 vertices of the level under way: a level that was cut short counts as not reached, and the result names the
 * finest level that is complete, or 0. Neither is a level begun that, judging by the time of the coarser one, would not
 * be complete in time. So an evaluation returns within one tile per thread of its budget, a few microseconds, as long
 * as the system lets the threads run; the least time that it takes is that of the pose, some microseconds, and that of
 * the levels up to complete_level. */

/* Flags of a result: conditions under which an evaluation succeeds without giving all that was asked for. */
enum {
  /* A number of the pose or the root is not finite or far too large: the outputs show the rest pose, with the root
   * taken as identity; colliders are left out, too, without SINEW_CONTACT_REFUSED. What to do: find the bad number in
   * the animation or the root and correct it; for this frame, draw the rest pose or a copy of the last good vertices.
   */
  SINEW_POSE_REFUSED = 1,
  /* The pose is outside the range of the training poses: some correctives are faded toward plain skinning. What to do:
   * nothing for this frame, its vertices are valid. If out_of_range is often 1 or more, keep the animation within the
   * character's joint limits, or train on poses like these. */
  SINEW_FADED = 2,
  /* The budget or sinew_stop() ended the evaluation before the finest requested level was complete. What to do: draw
   * sinew_result.level, or what was drawn last if that is 0, and do not use the outputs and coefficients of finer
   * levels, which may be partly of this frame and partly of earlier ones. If it happens often, allow more time or more
   * threads, or request a coarser level. */
  SINEW_INTERRUPTED = 4,
  /* A collider was left out: its pose is not finite or not rigid (it scales, shears or mirrors), `contact` or `joint`
   * does not exist, the bundle has no contact, or the root scales the character. The skin is as without it. What to do:
   * correct the pose; learn contact with a collider of that size. */
  SINEW_CONTACT_REFUSED = 8,
  /* Vertices in contact are outside of what was trained: deeper in the collider than it was ever pressed, with joints
   * elsewhere around it, or on joints that were left out. Displacements are clamped and faded there. What to do:
   * nothing for this frame, its vertices are valid. If it happens often, train on such contacts. */
  SINEW_CONTACT_BEYOND = 16
};

typedef struct sinew_result {
  int level;          /* finest complete level; 0: none */
  unsigned flags;     /* bitwise or of the flags above */
  float out_of_range; /* at most 0 within the range of the training poses; from 1 on some correctives are off; -1 if the
                         evaluation was interrupted before it was known */
} sinew_result;

/* Evaluates one frame of an instance. result: output, may be null. SINEW_INVALID_ARGUMENT: nothing was done. */
sinew_status sinew_evaluate(sinew_instance* instance, const sinew_frame* frame, sinew_result* result);
/* Evaluates a crowd in one call: frames[i] of instances[i], of one or several characters. Each frame is computed by one
 * thread, several at the same time: on the pool if it is not null, otherwise by `run`, or, if that is null, too, all on
 * the calling thread; the frames' own pool and run are not used. No instance may be named twice. results: output, one
 * per instance; may be null. SINEW_INVALID_ARGUMENT: sinew_evaluate() would refuse some instance or frame, whose result
 * has level 0; the others are evaluated. */
sinew_status sinew_evaluate_many(sinew_instance* const* instances, const sinew_frame* frames, int count,
                                 sinew_result* results, sinew_pool* pool, sinew_run run, void* run_user);
/* Marks the instance: the evaluation under way begins nothing more, as when a budget is spent, and returns with
 * SINEW_INTERRUPTED, unless it is just complete; if none is under way, the next one does so at once. That evaluation
 * takes the mark away when it returns. May be called from any thread. */
void sinew_stop(sinew_instance* instance);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* SINEW_H_ */
