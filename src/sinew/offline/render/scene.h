// Contents of a picture: meshes, optionally a skeleton, and their appearance.
#ifndef SINEW_OFFLINE_RENDER_SCENE_H_
#define SINEW_OFFLINE_RENDER_SCENE_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"
#include "sinew/offline/render/color.h"
#include "sinew/offline/render/image.h"

namespace sinew::render {

using TexturePositions = Eigen::Matrix<float, Eigen::Dynamic, 2, Eigen::RowMajor>;

enum class Backfaces {
  kAuto,   // tinted if the mesh is closed, where a visible inside is a defect
  kTint,   // always tinted
  kPlain,  // drawn like the outside
};

enum class Transparency {
  kNone,
  kMask,   // every point is either drawn or not
  kBlend,  // a share of the picture's samples is drawn, in a fine regular pattern; shadows are those of an opaque mesh
};

// One surface. All fields except the mesh may be left empty. Later fields take precedence: a heat map covers a texture,
// a texture covers a colour.
struct RenderMesh {
  TriMesh mesh;                               // model space, Y up
  Points normals = {};                        // one per vertex; empty: angle-weighted mean of the triangles'
  Points colors = {};                         // one per vertex, linear light; empty: the style's material
  TexturePositions texture_positions = {};    // one per vertex, (0, 0) at the image's top left, as in glTF
  std::shared_ptr<const Image> texture = {};  // base colour; needs texture_positions
  Color texture_factor = Color::Ones();       // multiplies the texture, linear light
  Transparency transparency = Transparency::kNone;
  float alpha = 1;                  // multiplies the texture's alpha
  float alpha_cutoff = 0;           // kMask: points of lower alpha are not drawn
  std::vector<float> scalars = {};  // one per vertex, coloured by Scene::heat; grey if not finite
  Backfaces backfaces = Backfaces::kAuto;
};

// Mapping from scalars to colours: `low` and below is the map's first colour, `high` and above its last.
struct HeatScale {
  float low = 0;
  float high = 1;
  ColorMap map = ColorMap::kSequential;
};

// Skeleton, drawn over everything else so that it is visible through the body.
struct Bones {
  Points joints;             // model space
  std::vector<int> parents;  // one per joint, -1 for a root
  Points colors = {};        // one per joint, linear light; empty: all alike
};

struct Scene {
  std::vector<RenderMesh> meshes;
  std::optional<Bones> bones = {};
  HeatScale heat = {};
  std::optional<float> ground = {};  // height of the ground; empty: the lowest point drawn
};

struct Style {
  Color material = {0.80f, 0.725f, 0.67f};  // sRGB: matte, slightly warm clay
  bool smooth = true;                       // false: flat shading of every triangle
  bool wireframe = false;                   // draw edges over the shading
  bool textures = true;                     // false: textures are not shown
  bool ground = true;                       // false: no ground and no shadow on it
};

// Returns all points that are drawn, including bones.
Points DrawnPoints(const Scene& scene);

// Returns the height of the ground: as given, or that of the lowest point drawn.
float GroundHeight(const Scene& scene);

// Whether no edge has only one triangle after welding equal positions.
bool IsClosed(const TriMesh& mesh);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_SCENE_H_
