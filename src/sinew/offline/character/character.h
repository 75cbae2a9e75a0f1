// Character: meshes, one skeleton, skin weights and animations, together with everything else that its file held,
// unchanged.
#ifndef SINEW_OFFLINE_CHARACTER_CHARACTER_H_
#define SINEW_OFFLINE_CHARACTER_CHARACTER_H_

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/core/json_box.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

constexpr int kMaxInfluences = 8;  // largest number of joints per vertex

// Skin weights: `influences` slots per vertex of (joint, weight), strongest first; unused slots are (0, 0). Joints are
// indices into the character's skeleton.
struct SkinWeights {
  int influences = 0;            // slots per vertex; 0: no weights
  std::vector<uint16_t> joints;  // vertex_count * influences
  std::vector<float> weights;    // vertex_count * influences; sum to 1 per vertex

  bool empty() const { return influences == 0; }
};

// Number of vertices of a file whose weights were repaired to satisfy SkinWeights, by kind of repair.
struct WeightRepairs {
  int rescaled = 0;    // weights did not sum to 1, or were negative
  int unweighted = 0;  // all weights were zero or NaN: the vertex was given to the skin's first joint
  int cut = 0;         // more than kMaxInfluences joints: the strongest were kept
};

// Vertex attribute that Sinew itself does not interpret, or that only rendering needs: UVs, colours, _CUSTOM. Values
// are stored as floats; `component_type` and `normalized` are glTF's, so that values are written as they were read.
struct VertexAttribute {
  std::string name;           // glTF's name: TEXCOORD_0, COLOR_0, _TEMPERATURE
  int components = 0;         // per vertex
  int component_type = 5126;  // glTF's code; 5126: float
  bool normalized = false;
  std::vector<float> values;  // vertex_count * components
};

// Displacements of one morph target, per vertex of the part; a matrix is empty if the target does not move that
// attribute.
struct MorphTarget {
  std::string name;
  Points positions;
  Points normals;
  Points tangents;
};

// One drawable surface with one material: a glTF primitive. Vertices are split at UV seams and hard edges, as in the
// file.
struct Part {
  std::string name;
  TriMesh mesh;    // in mesh data space, which the skin's inverse bind matrices map from
  Points normals;  // as given by the file, one per vertex; empty if it has none
  Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> tangents;  // w is the handedness; empty if none
  std::vector<VertexAttribute> attributes;
  std::vector<MorphTarget> morphs;
  SkinWeights weights;  // empty: no joint moves the part
  WeightRepairs weight_repairs;
  int skin = -1;      // index into Character::skins; -1 if the part has no weights
  int material = -1;  // index into the source document's materials
  std::string role;   // role that the file gives it (anatomy/roles.h): flesh, layer, thin or rigid; empty: none
  // Indices in the source document, so that the part can be written back there; -1: new.
  int source_mesh = -1;
  int source_primitive = -1;
  int source_node = -1;
  // Placement of the mesh by its node, for unskinned parts only. Skinned parts ignore their node, as glTF prescribes.
  Eigen::Affine3f model_from_mesh = Eigen::Affine3f::Identity();
};

// Inverse bind matrices: the map from a part's mesh data space into each joint's frame in the bind pose. Parts that
// share a skeleton may have different ones.
struct Skin {
  std::string name;
  // One per joint of the skeleton; identity for joints that are not in the skin.
  std::vector<Eigen::Affine3f> inverse_bind;
  std::vector<bool> has_joint;  // one per joint of the skeleton: whether it is in the skin
  int source_skin = -1;         // index in the source document; -1: not from it
  bool attached = false;        // not a skin of the file, but made for a rigid part whose node hangs below a joint
};

// Keyframes of one property of one joint, as in a glTF animation channel.
struct AnimationCurve {
  enum class Path { kTranslation, kRotation, kScale };
  enum class Interpolation { kStep, kLinear, kCubicSpline };
  int joint = -1;  // index into the skeleton; -1: the curve is ignored
  Path path = Path::kRotation;
  Interpolation interpolation = Interpolation::kLinear;
  std::vector<float> times;   // seconds, increasing
  std::vector<float> values;  // 3 or 4 per key; three times that (in-tangent, value, out-tangent) for cubic splines
};

struct Animation {
  std::string name;
  std::vector<AnimationCurve> curves;
  int source_animation = -1;

  float duration() const;  // time of the last key in seconds; 0 without keys
};

// Content of the file that a character was read from, defined in io/gltf. Kept so that writing it again loses nothing.
namespace gltf {
struct SourceDocument;
}

struct Character {
  std::string name;
  Skeleton skeleton;
  std::vector<Skin> skins;
  std::vector<Part> parts;
  std::vector<Animation> animations;
  JsonBox extras;  // extras of the document's scene, which hold joint limits under "sinew"
  std::shared_ptr<const gltf::SourceDocument> source;  // may be null

  int vertex_count() const;
  int triangle_count() const;
};

// Samples an animation at a constant rate, both ends included; joints without a curve keep their rest transform. Throws
// InputError for more than a million frames.
Motion SampleAnimation(const Skeleton& skeleton, const Animation& animation, float frames_per_second);
// Samples every animation at the same number of times, both ends included, until there are `most` poses or more.
// Animations whose length is not finite have none.
std::vector<Pose> PosesOfAnimations(const Character& character, int each, int most);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_CHARACTER_H_
