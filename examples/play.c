/* How an engine uses Sinew: play CHARACTER.sinew
 * Opens a baked character, and evaluates its finest level into a vertex buffer for a few frames of a moving joint. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sinew.h"

/* One vertex as the engine draws it. */
typedef struct vertex {
  float position[3], normal[3], uv[2];
} vertex;

static int fail(const char* what, const char* why) {
  fprintf(stderr, "play: %s: %s\n", what, why);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 2) return fail("usage", "play CHARACTER.sinew");

  /* Once: the character, shared by all its instances. */
  sinew_character* character = NULL;
  const char* problem = NULL;
  const sinew_status opened = sinew_open_file(argv[1], &character, &problem);
  if (opened != SINEW_OK) return fail(argv[1], problem ? problem : sinew_status_text(opened));
  const int level = sinew_level_count(character), vertices = sinew_vertex_count(character, level);
  uint32_t* triangles = malloc(sizeof(uint32_t) * 3 * (size_t)sinew_triangle_count(character, level));
  sinew_triangles(character, level, triangles); /* for the index buffer */

  /* Once per character on screen: its scratch, its pose, its vertex buffer; and threads for all of them. */
  sinew_instance* instance = NULL;
  sinew_pool* pool = NULL;
  sinew_create_instance(character, &instance);
  sinew_create_pool(2, &pool);
  sinew_transform* pose = malloc(sizeof(sinew_transform) * (size_t)sinew_joint_count(character));
  vertex* buffer = calloc((size_t)vertices, sizeof(vertex));
  sinew_output* outputs = calloc((size_t)level, sizeof(sinew_output));
  float box[6];
  outputs[level - 1].positions = (sinew_stream){buffer[0].position, sizeof(vertex)};
  outputs[level - 1].normals = (sinew_stream){buffer[0].normal, sizeof(vertex)};
  outputs[level - 1].bounds = box;

  for (int i = 0; i < 10; ++i) {
    /* Every frame: a pose from the animation system. Here the second joint nods. */
    sinew_rest_pose(character, pose);
    pose[1].rotation[0] += (float)sin(0.1 * i);
    sinew_frame frame = {.pose = pose, .levels = outputs, .level_count = level, .pool = pool};
    sinew_result result;
    const sinew_status status = sinew_evaluate(instance, &frame, &result);
    if (status != SINEW_OK) return fail("evaluate", sinew_status_text(status));
    printf("frame %d: level %d, %d vertices, y %.3f to %.3f%s\n", i, result.level, vertices, box[1], box[4],
           result.flags & SINEW_FADED ? ", beyond what was trained" : "");
  }

  sinew_destroy_pool(pool);
  sinew_destroy_instance(instance);
  sinew_close(character);
  free(triangles);
  free(pose);
  free(buffer);
  free(outputs);
  return 0;
}
