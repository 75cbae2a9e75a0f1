// Meshes and bones as OpenGL takes them. Private to render/.
#ifndef SINEW_OFFLINE_RENDER_VERTEX_DATA_H_
#define SINEW_OFFLINE_RENDER_VERTEX_DATA_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/render/scene.h"

namespace sinew::render {

struct Vertex {
  float position[3];
  float normal[3];
  float color[3];
  float texture_position[2];
  float scalar;
  float corner[3];  // which corner of its triangle, for edges; zero where corners are shared
};

struct VertexData {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
};

// With a wireframe every triangle gets corners of its own. Throws UsageError if the mesh's arrays do not fit together.
VertexData MakeVertices(const RenderMesh& mesh, const Style& style);

// Octahedra from joint to child with a ball at each joint; `size` is the picture's extent in model units, which bounds
// how thick they get.
VertexData MakeBoneVertices(const Bones& bones, float size);

// A square on the ground around a centre.
VertexData MakeGroundVertices(const Eigen::Vector3f& center, float half_width);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_VERTEX_DATA_H_
