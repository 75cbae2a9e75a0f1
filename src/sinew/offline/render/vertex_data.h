// Converts meshes, bones and the ground into vertex data for OpenGL. Private to render/.
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
  float corner[3];  // barycentric coordinates in its triangle, for edges; zero if vertices are shared
};

struct VertexData {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
};

// Converts a mesh. For a wireframe, triangles do not share vertices. Throws UsageError if the mesh's arrays differ in
// size or contain positions that are not finite.
VertexData MakeVertices(const RenderMesh& mesh, const Style& style);

// Makes octahedra from joint to child and a ball at each joint. size: extent of the scene in model units, which bounds
// their thickness.
VertexData MakeBoneVertices(const Bones& bones, float size);

// Makes a square on the ground around a centre.
VertexData MakeGroundVertices(const Eigen::Vector3f& center, float half_width);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_VERTEX_DATA_H_
