// A character: meshes, one skeleton, weights; and, untouched, whatever else its file carried.
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

constexpr int kMaxInfluences = 8;

// Which joints move a vertex, and how much: `influences` slots a vertex, strongest first, unused slots (0, 0).
// Joints are indices into the character's skeleton.
struct SkinWeights {
  int influences = 0;
  std::vector<uint16_t> joints;  // vertex_count * influences
  std::vector<float> weights;    // vertex_count * influences; sum to 1 a vertex

  bool empty() const { return influences == 0; }
};

// How many vertices of a file needed which repair before their weights were as SkinWeights promises.
struct WeightRepairs {
  int rescaled = 0;    // weights that did not sum to 1, or were negative
  int unweighted = 0;  // all weights zero: given to the skin's first joint
  int cut = 0;         // more than kMaxInfluences: the strongest were kept
};

// A vertex attribute that Sinew itself gives no meaning to, or that only pictures need: UVs, colours, _CUSTOM.
// Values are kept as floats; `component_type` and `normalized` are glTF's, so that they are written as they were read.
struct VertexAttribute {
  std::string name;  // glTF's: TEXCOORD_0, COLOR_0, _TEMPERATURE
  int components = 0;
  int component_type = 5126;
  bool normalized = false;
  std::vector<float> values;  // vertex_count * components
};

// Displacements of one morph target; empty matrices where the target does not move that attribute.
struct MorphTarget {
  std::string name;
  Points positions;
  Points normals;
  Points tangents;
};

// One drawable surface with one material: a glTF primitive. Vertices are split at UV seams and hard edges, as in files.
struct Part {
  std::string name;
  TriMesh mesh;    // in the space that the skin's inverse bind matrices expect
  Points normals;  // as given by the file; empty if it had none
  Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> tangents;  // w is the handedness; empty if none
  std::vector<VertexAttribute> attributes;
  std::vector<MorphTarget> morphs;
  SkinWeights weights;  // empty: moves with nothing
  WeightRepairs weight_repairs;
  int skin = -1;      // index into Character::skins; -1 if the part has no weights
  int material = -1;  // index into the source document's materials
  // Where it was in the source document, so that it can be written back there; -1: new.
  int source_mesh = -1;
  int source_primitive = -1;
  int source_node = -1;
  // Unskinned parts only: where the node puts the mesh. Skinned ones ignore their node, as glTF says.
  Eigen::Affine3f model_from_mesh = Eigen::Affine3f::Identity();
};

// From a part's mesh space into each joint's, in the bind pose. Parts that share a skeleton may differ in this.
struct Skin {
  std::string name;
  std::vector<Eigen::Affine3f>
      inverse_bind;             // one per joint of the skeleton; identity where the skin has no such joint
  std::vector<bool> has_joint;  // one per joint of the skeleton
  int source_skin = -1;
  bool attached = false;  // not a skin of the file: a rigid part whose node hangs below a joint
};

// Keyframes of one property of one joint, as a glTF animation channel.
struct AnimationCurve {
  enum class Path { kTranslation, kRotation, kScale };
  enum class Interpolation { kStep, kLinear, kCubicSpline };
  int joint = -1;
  Path path = Path::kRotation;
  Interpolation interpolation = Interpolation::kLinear;
  std::vector<float> times;   // seconds, increasing
  std::vector<float> values;  // 3 or 4 a key; three times that (in-tangent, value, out-tangent) for cubic splines
};

struct Animation {
  std::string name;
  std::vector<AnimationCurve> curves;
  int source_animation = -1;

  float duration() const;
};

// The file that a character came from: io/gltf knows what is inside. Kept so that a later write loses nothing.
namespace gltf {
struct SourceDocument;
}

struct Character {
  std::string name;
  Skeleton skeleton;
  std::vector<Skin> skins;
  std::vector<Part> parts;
  std::vector<Animation> animations;
  JsonBox extras;  // of the document's scene: joint limits live here under "sinew"
  std::shared_ptr<const gltf::SourceDocument> source;

  int vertex_count() const;
  int triangle_count() const;
};

// Every frame of an animation at a constant rate, both ends included; joints without a curve keep their rest transform.
Motion SampleAnimation(const Skeleton& skeleton, const Animation& animation, float frames_per_second);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_CHARACTER_H_
