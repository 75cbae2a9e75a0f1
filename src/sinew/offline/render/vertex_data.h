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

// Returns how often the triangles cover the picture: the sum of their areas in it, none larger than the picture, as
// multiples of the picture's area. clip_from_model: as for OpenGL.
double LayersInPicture(const VertexData& data, const Eigen::Matrix4f& clip_from_model);

// Sorts triangles by the distance of their middles along a direction, nearest first. Triangles of the same distance
// keep their order.
void SortFrontToBack(const Eigen::Vector3f& away, VertexData& data);

// Makes octahedra from joint to child and a ball at each joint. size: extent of the scene in model units, which bounds
// their thickness.
VertexData MakeBoneVertices(const Bones& bones, float size);

// Makes a square on the ground around a centre.
VertexData MakeGroundVertices(const Eigen::Vector3f& center, float half_width);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_VERTEX_DATA_H_
