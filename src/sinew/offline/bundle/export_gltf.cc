#include "sinew/offline/bundle/export_gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/bundle/morph_modes.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/runtime/skin/normals.h"

namespace sinew::bundle {
namespace {

using runtime::Bundle;
using runtime::BundleLevel;

constexpr int kInfluences = 4;

// Returns the skin of each slot, -1 for the slot without a joint. A new skin begins where the joints of the slots,
// which ascend within a skin, do not ascend.
std::vector<int> SkinsOfSlots(const Bundle& bundle) {
  std::vector<int> skins;
  int skin = -1, last = 1 << 20;
  for (const int16_t joint : bundle.slot_joints()) {
    if (joint >= 0 && joint <= last) ++skin;
    last = joint;
    skins.push_back(joint < 0 ? -1 : skin);
  }
  return skins;
}

struct Influence {
  uint16_t slot;
  float weight;
};
// Returns the influences of each vertex in the order of the file: at most kInfluences, strongest first, summing to 1.
std::vector<std::vector<Influence>> InfluencesOf(const BundleLevel& level) {
  std::vector<std::vector<Influence>> influences(level.vertex_count);
  for (int t = 0; t < level.skin.tile_count(); ++t) {
    ForEachRun(level.skin, t,
               [&](int k, const uint16_t* joints, const float* weights, const uint16_t* order, int count, bool) {
                 for (int i = 0; i < count; ++i) {
                   const size_t internal = static_cast<size_t>(t) * runtime::kTileVertices + order[i];
                   auto& of = influences[level.order.empty() ? internal : level.order[internal]];
                   for (int n = 0; n < k; ++n) of.push_back({joints[i * k + n], k == 1 ? 1.0f : weights[i * k + n]});
                 }
               });
  }
  for (auto& of : influences) {
    std::stable_sort(of.begin(), of.end(), [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    if (of.size() > kInfluences) of.resize(kInfluences);
    float sum = 0;
    for (const Influence& i : of) sum += i.weight;
    for (Influence& i : of) i.weight /= sum;
  }
  return influences;
}

void SetWeights(const Bundle& bundle, const std::vector<std::vector<Influence>>& influences,
                const std::vector<int>& skins, int first, Part& part) {
  if (part.mesh.vertex_count() == 0) return;
  part.skin = skins[influences[first][0].slot];
  if (part.skin < 0) return;
  part.weights.influences = kInfluences;
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    const std::vector<Influence>& of = influences[first + v];
    for (size_t k = 0; k < kInfluences; ++k) {
      part.weights.joints.push_back(k < of.size() ? static_cast<uint16_t>(bundle.slot_joints()[of[k].slot])
                                                  : uint16_t{0});
      part.weights.weights.push_back(k < of.size() ? of[k].weight : 0.0f);
    }
  }
}

// Converts from internal order to rows in the order of the file.
Points InFileOrder(const BundleLevel& level, const runtime::StridedSpan<const runtime::Float3>& values) {
  Points points(level.vertex_count, 3);
  for (int i = 0; i < level.vertex_count; ++i) {
    const float* p = values.floats(i);
    const Eigen::Index v = level.order.empty() ? i : static_cast<Eigen::Index>(level.order[i]);
    points.row(v) << p[0], p[1], p[2];
  }
  return points;
}

// Returns how normals turn per mode, before skinning: the least-squares fit to those that the triangles have in each
// frame, since a program that shows the file adds them up as it adds up positions. Empty if the level has no table of
// triangles around its normals.
Eigen::MatrixXf NormalModes(const BundleLevel& level, const FrameMatrix& D, const Modes& modes) {
  if (level.normals.empty() || modes.modes.rows() == 0) return {};
  const Points rest = InFileOrder(level, level.rest_positions), rest_normals = InFileOrder(level, level.rest_normals);
  const auto normals_of = [&](const Points& positions) {
    Points normals = rest_normals;
    const auto count = static_cast<size_t>(positions.rows());
    runtime::NormalsJob job;
    job.table = &level.normals;
    job.positions = {reinterpret_cast<const runtime::Float3*>(positions.data()), count};
    job.normals = {reinterpret_cast<runtime::Float3*>(normals.data()), count};
    job.facing = runtime::Facing::kAsGiven;
    job.Run();
    return normals;
  };
  const Points at_rest = normals_of(rest);
  Eigen::MatrixXf result = Eigen::MatrixXf::Zero(modes.modes.rows(), D.cols());
  for (Eigen::Index f = 0; f < D.rows(); ++f) {
    const Eigen::RowVectorXf off = D.row(f);
    const Points turned = normals_of(rest + Eigen::Map<const Points>(off.data(), rest.rows(), 3)) - at_rest;
    result += modes.weights.row(f).transpose() * Eigen::Map<const Eigen::RowVectorXf>(turned.data(), turned.size());
  }
  for (Eigen::Index m = 0; m < result.rows(); ++m) {
    result.row(m) /= modes.weights.col(m).squaredNorm();
    for (Eigen::Index v = 0; v < modes.windows.cols(); ++v) result.row(m).segment<3>(3 * v) *= modes.windows(m, v);
  }
  return result;
}

// normals: of NormalModes().
void AddMorphs(const Modes& modes, const Eigen::MatrixXf& normals, Character& character) {
  Eigen::Index first = 0;
  for (Part& part : character.parts) {
    const Eigen::Index rows = part.mesh.vertex_count();
    for (Eigen::Index m = 0; m < modes.modes.rows(); ++m) {
      MorphTarget target;
      target.name = fmt::format("corrective_{:03}", m);
      const Eigen::RowVectorXf flat = modes.modes.row(m).segment(3 * first, 3 * rows);
      target.positions = Eigen::Map<const Points>(flat.data(), rows, 3);
      if (normals.rows() > 0) {
        const Eigen::RowVectorXf turn = normals.row(m).segment(3 * first, 3 * rows);
        target.normals = Eigen::Map<const Points>(turn.data(), rows, 3);
      }
      part.morphs.push_back(std::move(target));
    }
    first += rows;
  }
}

void Append(const runtime::Float3& v, std::vector<float>& values) { values.insert(values.end(), {v.x, v.y, v.z}); }

bool Differs(const runtime::Float3& a, const runtime::Float3& b) { return a.x != b.x || a.y != b.y || a.z != b.z; }

// Every joint has a curve of rotations; translations and scales have one where some frame differs from rest.
Animation AnimationOf(const Skeleton& skeleton, const std::vector<Pose>& poses, float frames_per_second) {
  using Path = AnimationCurve::Path;
  Animation animation;
  animation.name = "motion";
  std::vector<float> times;
  for (size_t f = 0; f < poses.size(); ++f) times.push_back(static_cast<float>(f) / frames_per_second);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    AnimationCurve rotation{.joint = j, .path = Path::kRotation, .times = times, .values = {}};
    AnimationCurve translation{.joint = j, .path = Path::kTranslation, .times = times, .values = {}};
    AnimationCurve scale{.joint = j, .path = Path::kScale, .times = times, .values = {}};
    const Transform& rest = skeleton.joints[j].rest;
    bool moves = false, stretches = false;
    for (const Pose& pose : poses) {
      const Eigen::Quaternionf q = ToEigen(pose[j].rotation).normalized();
      rotation.values.insert(rotation.values.end(), {q.x(), q.y(), q.z(), q.w()});
      Append(pose[j].translation, translation.values);
      Append(pose[j].scale, scale.values);
      moves |= Differs(pose[j].translation, rest.translation);
      stretches |= Differs(pose[j].scale, rest.scale);
    }
    animation.curves.push_back(std::move(rotation));
    if (moves) animation.curves.push_back(std::move(translation));
    if (stretches) animation.curves.push_back(std::move(scale));
  }
  return animation;
}

// Adds channels that animate the morph weights of every node with a mesh to the first animation of a GLB.
class WeightAnimation {
 public:
  explicit WeightAnimation(Bytes glb) {
    uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, sizeof(length));
    const auto* text = reinterpret_cast<const char*>(glb.data()) + 20;
    json_ = Json::parse(text, text + length);
    binary_.assign(glb.begin() + 20 + length + 8, glb.end());
    binary_.resize(json_["buffers"][0]["byteLength"].get<size_t>());
  }

  Bytes With(const std::vector<float>& times, const Eigen::MatrixXf& weights) {
    Json& animation = json_["animations"][0];
    const int input = AddFloats(times);
    json_["accessors"][input]["min"] = {times.front()};
    json_["accessors"][input]["max"] = {times.back()};
    std::vector<float> values;
    for (Eigen::Index f = 0; f < weights.rows(); ++f) {
      for (Eigen::Index m = 0; m < weights.cols(); ++m) values.push_back(weights(f, m));
    }
    const int output = AddFloats(values);
    for (size_t node = 0; node < json_["nodes"].size(); ++node) {
      if (!json_["nodes"][node].contains("mesh")) continue;
      animation["channels"].push_back(
          {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", "weights"}}}});
      animation["samplers"].push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
    }
    return Written();
  }

 private:
  int AddFloats(const std::vector<float>& values) {
    binary_.resize((binary_.size() + 3) / 4 * 4);
    const size_t offset = binary_.size();
    binary_.resize(offset + values.size() * sizeof(float));
    std::memcpy(binary_.data() + offset, values.data(), values.size() * sizeof(float));
    json_["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", values.size() * sizeof(float)}});
    json_["accessors"].push_back({{"bufferView", json_["bufferViews"].size() - 1},
                                  {"componentType", 5126},
                                  {"count", values.size()},
                                  {"type", "SCALAR"}});
    return static_cast<int>(json_["accessors"].size()) - 1;
  }

  Bytes Written() {
    binary_.resize((binary_.size() + 3) / 4 * 4);
    json_["buffers"][0]["byteLength"] = binary_.size();
    std::string text = JsonText(json_);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    Bytes glb;
    const auto append = [&](const void* from, size_t size) {
      const auto* bytes = static_cast<const std::byte*>(from);
      glb.insert(glb.end(), bytes, bytes + size);
    };
    const auto word = [&](size_t value) {
      const auto narrow = static_cast<uint32_t>(value);
      append(&narrow, sizeof(narrow));
    };
    word(0x46546C67);
    word(2);
    word(12 + 8 + text.size() + 8 + binary_.size());
    word(text.size());
    word(0x4E4F534A);
    append(text.data(), text.size());
    word(binary_.size());
    word(0x004E4942);
    append(binary_.data(), binary_.size());
    return glb;
  }

  Json json_;
  Bytes binary_;
};

// Returns the vertices of the exported character in a pose, all parts one after another. displacements: (x, y, z) of
// all vertices, added before skinning.
Points Shown(Character character, const Pose& pose, const Eigen::RowVectorXf& displacements) {
  Eigen::Index first = 0;
  for (Part& part : character.parts) {
    const Eigen::Index rows = part.mesh.vertex_count();
    part.mesh.positions += Eigen::Map<const Points>(displacements.data() + 3 * first, rows, 3);
    part.morphs.clear();
    first += rows;
  }
  Points all(first, 3);
  first = 0;
  for (const PosedPart& part : PoseCharacter(character, pose).parts) {
    all.middleRows(first, part.positions.rows()) = part.positions;
    first += part.positions.rows();
  }
  return all;
}

ExportError Measure(const Bundle& bundle, const Character& character, const std::vector<Pose>& poses,
                    const Modes& modes, int level) {
  constexpr size_t kMaxFrames = 12;
  ExportError error;
  error.targets = static_cast<int>(modes.modes.rows());
  const size_t step = (poses.size() + kMaxFrames - 1) / kMaxFrames;
  double frames = 0;
  for (size_t f = 0; f < poses.size(); f += step, ++frames) {
    const Points truth = bake::Deform(bundle, poses[f], level).positions;
    const auto mean_square = [&](const Points& shown) {
      return (shown - truth).cast<double>().squaredNorm() / static_cast<double>(truth.rows());
    };
    const Eigen::RowVectorXf left = modes.weights.row(static_cast<Eigen::Index>(f)) * modes.modes;
    const Points shown = Shown(character, poses[f], left);
    error.rms += mean_square(shown);
    error.largest = std::max(error.largest, static_cast<double>((shown - truth).rowwise().norm().maxCoeff()));
    error.skinning_rms += mean_square(Shown(character, poses[f], Eigen::RowVectorXf::Zero(left.size())));
  }
  error.rms = std::sqrt(error.rms / frames);
  error.skinning_rms = std::sqrt(error.skinning_rms / frames);
  return error;
}

}  // namespace

Character CharacterOf(const Bundle& bundle, int level) {
  const BundleLevel& of = bundle.level(level);
  Character character = MeshOf(bundle, level, InFileOrder(of, of.rest_positions), InFileOrder(of, of.rest_normals));
  const Json info = Json::parse(bundle.info(), nullptr, false);
  character.name = info.is_object() ? info.value("name", "character") : "character";
  character.skeleton = SkeletonOf(bundle);
  const std::vector<int> skins = SkinsOfSlots(bundle);
  const int joints = bundle.joint_count();
  for (size_t s = 0; s < skins.size(); ++s) {
    if (skins[s] < 0) continue;
    if (skins[s] == static_cast<int>(character.skins.size())) {
      character.skins.push_back({.name = character.name,
                                 .inverse_bind = std::vector<Eigen::Affine3f>(joints, Eigen::Affine3f::Identity()),
                                 .has_joint = std::vector<bool>(joints, false)});
    }
    Skin& skin = character.skins[skins[s]];
    skin.has_joint[bundle.slot_joints()[s]] = true;
    skin.inverse_bind[bundle.slot_joints()[s]].matrix() =
        Eigen::Map<const Eigen::Matrix4f>(bundle.inverse_binds()[s].m);
  }
  const std::vector<std::vector<Influence>> influences = InfluencesOf(of);
  int first = 0;
  for (Part& part : character.parts) {
    SetWeights(bundle, influences, skins, first, part);
    first += part.mesh.vertex_count();
  }
  return character;
}

Bytes ExportBaked(const Bundle& bundle, const std::vector<Pose>& poses, const ExportOptions& options,
                  ExportError* error) {
  if (poses.empty()) throw UsageError("there are no poses to bake correctives for");
  Character character = CharacterOf(bundle, options.level);
  FrameMatrix D(static_cast<Eigen::Index>(poses.size()),
                3 * static_cast<Eigen::Index>(bundle.level(options.level).vertex_count));
  for (size_t f = 0; f < poses.size(); ++f) {
    const Points off = bake::Displacements(bundle, poses[f], options.level);
    D.row(static_cast<Eigen::Index>(f)) = Eigen::Map<const Eigen::RowVectorXf>(off.data(), off.size());
  }
  const Modes modes =
      options.sparse ? StrongestLocalModes(D, character, options.targets) : StrongestModes(D, options.targets);
  if (error != nullptr) *error = Measure(bundle, character, poses, modes, options.level);
  AddMorphs(modes, NormalModes(bundle.level(options.level), D, modes), character);
  character.animations.push_back(AnimationOf(character.skeleton, poses, options.frames_per_second));
  Bytes glb = gltf::EncodeGlb(character);
  if (modes.modes.rows() == 0) return glb;
  return WeightAnimation(std::move(glb)).With(character.animations[0].curves[0].times, modes.weights);
}

}  // namespace sinew::bundle
