#include "sinew/offline/io/gltf/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "sinew/offline/core/json.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/gltf/weights.h"
#include "sinew/offline/mesh/reach.h"

namespace sinew::gltf {
namespace {

constexpr int kMaxInfluenceSets = 16;
enum Mode { kTriangles = 4, kStrip = 5, kFan = 6 };

struct Context {
  AccessorReader& accessors;
  const NodeTree& tree;
  const Rig& rig;
  bool quiet;

  const SourceDocument& document() const { return accessors.document(); }
  void Tell(const Object& where, const std::string& what) const {
    if (!quiet) Warn("{}: {}: {}", document().file, where.place(), what);
  }
};

template <typename Matrix>
Matrix ToRows(const std::vector<float>& values) {
  constexpr int kColumns = Matrix::ColsAtCompileTime;
  return Eigen::Map<const Matrix>(values.data(), static_cast<Eigen::Index>(values.size()) / kColumns, kColumns);
}

// Returns the values of a vertex attribute; none if the primitive does not have it.
std::vector<float> ReadAttribute(Context& context, const Object& attributes, const char* name, int components,
                                 int vertices, Nan nan = Nan::kRefuse) {
  const int accessor = attributes.Index(name, "accessors");
  if (accessor < 0) return {};
  std::vector<float> values = context.accessors.Floats(accessor, components, nan);
  if (values.size() != static_cast<size_t>(vertices) * components) {
    attributes.Fail(
        fmt::format("{} has {} elements but there are {} vertices", name, values.size() / components, vertices));
  }
  return values;
}

std::vector<uint32_t> ReadIndices(Context& context, const Object& primitive, int vertices) {
  const int accessor = primitive.Index("indices", "accessors");
  std::vector<uint32_t> indices;
  if (accessor < 0) {
    context.accessors.budget().Charge(primitive, int64_t{4} * vertices);
    indices.resize(vertices);
    for (int v = 0; v < vertices; ++v) indices[v] = static_cast<uint32_t>(v);
    return indices;
  }
  indices = context.accessors.Integers(accessor, 1);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= static_cast<uint32_t>(vertices)) {
      primitive.Fail(fmt::format("index {} is {}, but there are {} vertices", i, indices[i], vertices));
    }
  }
  return indices;
}

Triangles ToTriangles(Context& context, const Object& primitive, int64_t mode, const std::vector<uint32_t>& indices) {
  const auto count = static_cast<int64_t>(indices.size());
  const int64_t triangles = mode == kTriangles ? count / 3 : std::max<int64_t>(count - 2, 0);
  if (mode == kTriangles && count % 3 != 0) {
    context.Tell(primitive, fmt::format("has {} indices, which is no multiple of 3; the last are ignored", count));
  }
  Triangles out(triangles, 3);
  for (int64_t t = 0; t < triangles; ++t) {
    int64_t a = 3 * t, b = a + 1, c = a + 2;
    if (mode == kStrip) a = t, b = t + 1 + t % 2, c = t + 2 - t % 2;
    if (mode == kFan) a = t + 1, b = t + 2, c = 0;
    out.row(t) << static_cast<int>(indices[a]), static_cast<int>(indices[b]), static_cast<int>(indices[c]);
  }
  return out;
}

bool IsGeometry(const std::string& name) {
  return name == "POSITION" || name == "NORMAL" || name == "TANGENT" || name.starts_with("JOINTS_") ||
         name.starts_with("WEIGHTS_");
}

std::vector<VertexAttribute> ReadOtherAttributes(Context& context, const Object& attributes, int vertices) {
  std::vector<VertexAttribute> out;
  for (const auto& [name, unused] : attributes.json().items()) {
    if (IsGeometry(name)) continue;
    const AccessorInfo info = context.accessors.Info(attributes.Index(name.c_str(), "accessors"));
    // Vertex attributes that are matrices stay in the document only.
    if (info.components > 4) continue;
    VertexAttribute attribute{.name = name,
                              .components = info.components,
                              .component_type = info.component_type,
                              .normalized = info.normalized,
                              .values = ReadAttribute(context, attributes, name.c_str(), info.components, vertices)};
    out.push_back(std::move(attribute));
  }
  return out;
}

std::vector<std::string> ReadTargetNames(const Object& mesh) {
  if (!mesh.json().contains("extras") || !mesh.json()["extras"].is_object()) return {};
  const Json& extras = mesh.json()["extras"];
  if (!extras.contains("targetNames") || !extras["targetNames"].is_array()) return {};
  std::vector<std::string> names;
  for (const Json& name : extras["targetNames"]) names.push_back(name.is_string() ? name.get<std::string>() : "");
  return names;
}

std::vector<MorphTarget> ReadMorphs(Context& context, const Object& mesh, const Object& primitive, int vertices) {
  std::vector<MorphTarget> morphs;
  if (!primitive.Has("targets")) return morphs;
  const std::vector<std::string> names = ReadTargetNames(mesh);
  for (const Object& target : primitive.Children("targets")) {
    MorphTarget morph;
    if (morphs.size() < names.size()) morph.name = names[morphs.size()];
    morph.positions = ToRows<Points>(ReadAttribute(context, target, "POSITION", 3, vertices));
    morph.normals = ToRows<Points>(ReadAttribute(context, target, "NORMAL", 3, vertices));
    morph.tangents = ToRows<Points>(ReadAttribute(context, target, "TANGENT", 3, vertices));
    morphs.push_back(std::move(morph));
  }
  return morphs;
}

// Scales normals or tangents to length 1 that are too long for the square of their length to be a float, and leaves all
// others as they are. Returns how many it scaled.
template <typename Rows>
int ShortenDirections(Rows& rows) {
  int shortened = 0;
  for (Eigen::Index v = 0; v < rows.rows(); ++v) {
    const Eigen::Vector3f direction = rows.row(v).template head<3>();
    if (IsInReach(direction)) continue;
    rows.row(v).template head<3>() = direction.stableNormalized();
    ++shortened;
  }
  return shortened;
}

// Reads one set of four influences: JOINTS_n and WEIGHTS_n into the slots 4 n to 4 n + 3. Weights may be NaN.
void ReadInfluenceSet(Context& context, const Object& attributes, int set, const std::vector<int>& skin_joints,
                      RawInfluences& raw) {
  const std::string joints_name = fmt::format("JOINTS_{}", set), weights_name = fmt::format("WEIGHTS_{}", set);
  const int accessor = attributes.Index(joints_name.c_str(), "accessors");
  const auto vertices = static_cast<int>(raw.joints.size() / raw.slots);
  const std::vector<uint32_t> joints = context.accessors.Integers(accessor, 4);
  if (joints.size() != 4 * static_cast<size_t>(vertices)) {
    attributes.Fail(
        fmt::format("{} has {} elements but there are {} vertices", joints_name, joints.size() / 4, vertices));
  }
  const std::vector<float> weights = ReadAttribute(context, attributes, weights_name.c_str(), 4, vertices, Nan::kKeep);
  if (weights.empty()) attributes.Fail(fmt::format("has {} but no {}", joints_name, weights_name));
  for (size_t i = 0; i < joints.size(); ++i) {
    if (joints[i] >= skin_joints.size() && weights[i] != 0 && !std::isnan(weights[i])) {
      attributes.Fail(fmt::format("{} element {} names joint {}, but the skin has {}", joints_name, i / 4, joints[i],
                                  skin_joints.size()));
    }
    const size_t to = i / 4 * raw.slots + 4 * set + i % 4;
    raw.joints[to] = static_cast<uint16_t>(skin_joints[std::min<size_t>(joints[i], skin_joints.size() - 1)]);
    raw.weights[to] = weights[i];
  }
}

// Sets NaN to 0 at the vertices that have no other weight, and returns their number: exporters that divide the weights
// of a vertex by their sum write 0 / 0 where it has none. NaN beside a weight is refused, as nobody knows what it was.
int ClearNanWeights(Context& context, const Object& attributes, RawInfluences& raw) {
  int cleared = 0;
  for (size_t first = 0; first < raw.weights.size(); first += raw.slots) {
    const std::span<float> row(raw.weights.data() + first, raw.slots);
    const auto nan = std::find_if(row.begin(), row.end(), [](float weight) { return std::isnan(weight); });
    if (nan == row.end()) continue;
    if (std::any_of(row.begin(), row.end(), [](float weight) { return weight != 0 && !std::isnan(weight); })) {
      const std::string name = fmt::format("WEIGHTS_{}", (nan - row.begin()) / 4);
      context.accessors.Refuse(attributes.Index(name.c_str(), "accessors"), static_cast<int64_t>(first) / raw.slots,
                               *nan);
    }
    std::fill(row.begin(), row.end(), 0.0f);
    ++cleared;
  }
  return cleared;
}

SkinWeights ReadWeights(Context& context, const Object& primitive, const Object& attributes, int vertices,
                        const std::vector<int>& skin_joints, WeightRepairs& repairs) {
  int sets = 0;
  while (attributes.Has(fmt::format("JOINTS_{}", sets).c_str())) ++sets;
  if (sets > kMaxInfluenceSets) attributes.Fail(fmt::format("has {} sets of joints", sets));
  RawInfluences raw;
  raw.slots = 4 * sets;
  context.accessors.budget().Charge(primitive, int64_t{6} * raw.slots * vertices);
  raw.joints.resize(static_cast<size_t>(raw.slots) * vertices);
  raw.weights.resize(raw.joints.size());
  for (int set = 0; set < sets; ++set) ReadInfluenceSet(context, attributes, set, skin_joints, raw);
  const int cleared = ClearNanWeights(context, attributes, raw);
  SkinWeights weights = CleanWeights(raw, static_cast<uint16_t>(skin_joints[0]), repairs);
  if (repairs.rescaled > 0) {
    context.Tell(primitive,
                 fmt::format("the weights of {} vertices did not sum to 1 and were rescaled", repairs.rescaled));
  }
  if (repairs.unweighted > 0) {
    std::string how;
    if (cleared > 0) how = " (NaN instead of 0)";
    if (cleared > 0 && cleared < repairs.unweighted) how = fmt::format(" (NaN instead of 0 at {} of them)", cleared);
    context.Tell(primitive, fmt::format("{} vertices had no weights{} and were given to the skin's first joint",
                                        repairs.unweighted, how));
  }
  if (repairs.cut > 0) {
    context.Tell(primitive, fmt::format("{} vertices had more than {} influences; the strongest were kept", repairs.cut,
                                        kMaxInfluences));
  }
  return weights;
}

// Reads everything that the primitive itself says; its skin and its place in the character are not set yet. No value if
// it has no surface.
std::optional<Part> ReadPrimitive(Context& context, const Object& mesh, const Object& primitive) {
  const int64_t mode = primitive.Integer("mode", kTriangles, 0, 6);
  if (mode < kTriangles) {
    context.Tell(primitive, "is made of points or lines, which are kept in the file but are no part of the surface");
    return std::nullopt;
  }
  const Object attributes = primitive.Child("attributes");
  const int position = attributes.Index("POSITION", "accessors");
  if (position < 0) {
    context.Tell(primitive, "has no POSITION and is kept in the file only");
    return std::nullopt;
  }
  if (primitive.Has("extensions") && primitive.Child("extensions").Has("KHR_draco_mesh_compression") &&
      !Item(context.document(), "accessors", position).Has("bufferView")) {
    primitive.Fail("is compressed with KHR_draco_mesh_compression, which Sinew does not read",
                   "export the file without compression");
  }
  Part part;
  part.mesh.positions = ToRows<Points>(context.accessors.Floats(position, 3));
  const int vertices = part.mesh.vertex_count();
  part.mesh.triangles = ToTriangles(context, primitive, mode, ReadIndices(context, primitive, vertices));
  part.normals = ToRows<Points>(ReadAttribute(context, attributes, "NORMAL", 3, vertices));
  part.tangents = ToRows<decltype(part.tangents)>(ReadAttribute(context, attributes, "TANGENT", 4, vertices));
  if (const int shortened = ShortenDirections(part.normals) + ShortenDirections(part.tangents); shortened > 0) {
    context.Tell(primitive,
                 fmt::format("{} normals or tangents are far from unit length and were shortened", shortened));
  }
  part.attributes = ReadOtherAttributes(context, attributes, vertices);
  part.morphs = ReadMorphs(context, mesh, primitive, vertices);
  part.material = primitive.Index("material", "materials");
  return part;
}

// Returns the index of a skin of one joint for a rigid part below a joint, so that whatever moves skins moves the part,
// too. Nodes of one name in one place share theirs, as the primitives of one node do: the writer makes such nodes of
// them.
int AttachedSkin(Context& context, int node, Character& character) {
  const size_t count = character.skeleton.joints.size();
  context.accessors.budget().Charge(Item(context.document(), "nodes", node),
                                    static_cast<int64_t>(count * sizeof(Eigen::Affine3f)));
  const int joint = context.rig.node_anchors[node];
  Skin skin{.name = context.tree.nodes[node].name,
            .inverse_bind = std::vector<Eigen::Affine3f>(count, Eigen::Affine3f::Identity()),
            .has_joint = std::vector<bool>(count, false),
            .source_skin = -1,
            .attached = true};
  skin.inverse_bind[joint] = context.rig.node_from_anchor[node];
  skin.has_joint[joint] = true;
  for (size_t s = 0; s < character.skins.size(); ++s) {
    const Skin& other = character.skins[s];
    const bool same = other.attached && other.has_joint[joint] && other.name == skin.name &&
                      other.inverse_bind[joint].matrix() == skin.inverse_bind[joint].matrix();
    if (same) return static_cast<int>(s);
  }
  character.skins.push_back(std::move(skin));
  return static_cast<int>(character.skins.size()) - 1;
}

void BindRigidly(int joint, int skin, Part& part) {
  part.skin = skin;
  part.weights.influences = 1;
  part.weights.joints.assign(part.mesh.vertex_count(), static_cast<uint16_t>(joint));
  part.weights.weights.assign(part.mesh.vertex_count(), 1);
}

// Role that the user gave to a part in the extras of its primitive, mesh or node, in this order; empty if none did.
std::string GivenRoleOf(const Context& context, const Object& mesh, const Object& primitive, int node) {
  const Object node_object = Item(context.document(), "nodes", node);
  for (const Json* json : {&primitive.json(), &mesh.json(), &node_object.json()}) {
    const auto extras = json->find("extras");
    if (extras == json->end() || !extras->is_object()) continue;
    const auto role = extras->find(kRoleKey);
    if (role != extras->end() && role->is_string()) return role->get<std::string>();
  }
  return "";
}

std::string PartName(const Context& context, const Object& mesh, const Object& primitive, int node, size_t primitives,
                     int number) {
  std::string name = mesh.String("name");
  if (name.empty()) name = context.tree.nodes[node].name;
  if (name.empty()) name = mesh.place();
  if (primitives == 1) return name;
  const int material = primitive.Index("material", "materials");
  const std::string suffix = material < 0 ? "" : Item(context.document(), "materials", material).String("name");
  return fmt::format("{}/{}", name, suffix.empty() ? std::to_string(number) : suffix);
}

void ReadMeshNode(Context& context, int node_index, Character& character) {
  // Meshes in the skins of other skeletons are not read.
  const Node& node = context.tree.nodes[node_index];
  const int skin = node.skin < 0 ? -1 : context.rig.document_skins[node.skin];
  if (node.skin >= 0 && skin < 0) return;
  const Object mesh = Item(context.document(), "meshes", node.mesh);
  const std::vector<Object> primitives = mesh.Children("primitives");
  int attached = -1;
  for (size_t p = 0; p < primitives.size(); ++p) {
    std::optional<Part> part = ReadPrimitive(context, mesh, primitives[p]);
    if (!part) continue;
    // Its name, and its place in the document.
    const Object attributes = primitives[p].Child("attributes");
    part->name = PartName(context, mesh, primitives[p], node_index, primitives.size(), static_cast<int>(p));
    part->role = GivenRoleOf(context, mesh, primitives[p], node_index);
    part->source_mesh = node.mesh;
    part->source_primitive = static_cast<int>(p);
    part->source_node = node_index;
    // What moves it: a skin, a joint above it, or nothing.
    const bool weighted = attributes.Has("JOINTS_0");
    if (skin >= 0 && !weighted)
      context.Tell(primitives[p], "is in a skin but has no weights: it will not move with it");
    if (skin >= 0 && weighted) {
      part->skin = skin;
      part->weights = ReadWeights(context, primitives[p], attributes, part->mesh.vertex_count(),
                                  context.rig.skin_joints[skin], part->weight_repairs);
    } else if (const int anchor = context.rig.node_anchors[node_index]; anchor >= 0) {
      if (attached < 0) attached = AttachedSkin(context, node_index, character);
      BindRigidly(anchor, attached, *part);
    } else {
      if (!node.world.matrix().allFinite()) Item(context.document(), "nodes", node_index).Fail("its place overflows");
      part->model_from_mesh = node.world;
    }
    character.parts.push_back(std::move(*part));
  }
}

}  // namespace

void ReadParts(AccessorReader& accessors, const NodeTree& tree, const Rig& rig, bool quiet, Character& character) {
  Context context{accessors, tree, rig, quiet};
  for (int n = 0; n < static_cast<int>(tree.nodes.size()); ++n) {
    if (tree.nodes[n].mesh >= 0 && tree.nodes[n].shown) ReadMeshNode(context, n, character);
  }
}

}  // namespace sinew::gltf
