#include "sinew/offline/io/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/text.h"
#include "sinew/offline/core/units.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/io/obj.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

enum class Kind { kCharacter, kMesh, kMotion, kPoints };

Kind KindOf(const fs::path& path) {
  const std::string extension = LowerExtension(path);
  if (extension == ".glb" || extension == ".gltf") return Kind::kCharacter;
  if (extension == ".obj") return Kind::kMesh;
  if (extension == ".bvh") return Kind::kMotion;
  if (extension == ".npy") return Kind::kPoints;
  throw UsageError(fmt::format("{}: '{}' is none of the types that can be converted: .glb, .gltf, .obj, .bvh, .npy",
                               path.string(), extension));
}

fs::path TrianglesBeside(const fs::path& path) {
  return path.parent_path() / (path.stem().string() + "_triangles.npy");
}

void CheckRows(const NpyArray& array, const fs::path& path, const char* what) {
  if (array.shape.size() == 2 && array.shape[1] == 3) return;
  throw InputError(path.string(), "",
                   fmt::format("holds an array of {} dimensions, not rows of three {}", array.shape.size(), what), "");
}

Triangles ReadTriangles(const fs::path& path, int vertices) {
  const NpyArray array = ReadNpy(path);
  CheckRows(array, path, "vertex numbers");
  const std::vector<double> values = array.ToDoubles();
  Triangles triangles(static_cast<Eigen::Index>(values.size() / 3), 3);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0 && values[i] < vertices) || std::floor(values[i]) != values[i]) {
      throw InputError(path.string(), fmt::format("row {}", i / 3),
                       fmt::format("names vertex {}, but there are {}", values[i], vertices), "");
    }
    triangles.data()[i] = static_cast<int>(values[i]);
  }
  return triangles;
}

Character ReadPoints(const fs::path& path, const ConvertOptions& options) {
  const NpyArray array = ReadNpy(path);
  CheckRows(array, path, "coordinates");
  const std::vector<float> values = array.ToFloats();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) throw InputError(path.string(), fmt::format("row {}", i / 3), "is not finite", "");
  }
  const fs::path triangles = options.triangles.empty() ? TrianglesBeside(path) : options.triangles;
  if (!fs::exists(triangles)) {
    throw InputError(path.string(), "",
                     fmt::format("has points only, and there is no {}", triangles.filename().string()),
                     "name an array of triangles with --triangles");
  }
  Part part;
  part.name = ToUtf8(path.stem().string());
  part.mesh.positions = Eigen::Map<const Points>(values.data(), static_cast<Eigen::Index>(values.size() / 3), 3);
  part.mesh.triangles = ReadTriangles(triangles, part.mesh.vertex_count());
  Character character;
  character.name = part.name;
  character.parts.push_back(std::move(part));
  return character;
}

// A character's surface as its nodes show it at rest, for files that have no skeleton.
Character AtRest(const Character& character) {
  Character flat = character;
  const PosedCharacter posed = PoseCharacter(character, character.skeleton.RestPose());
  for (size_t p = 0; p < flat.parts.size(); ++p) {
    // A part that rests in its bind pose is left bit for bit.
    const float size = std::max(BoundingBox(posed.parts[p].positions).diagonal().norm(), 1e-20f);
    const Points& before = flat.parts[p].mesh.positions;
    const bool moved = before.rows() > 0 && (before - posed.parts[p].positions).cwiseAbs().maxCoeff() > 1e-6f * size;
    flat.parts[p].model_from_mesh = Eigen::Affine3f::Identity();
    if (!moved) continue;
    flat.parts[p].mesh.positions = posed.parts[p].positions;
    flat.parts[p].normals = posed.parts[p].normals;
  }
  return flat;
}

void WritePoints(const Character& character, const fs::path& path, Converted& done) {
  std::vector<float> points;
  std::vector<int32_t> triangles;
  int32_t offset = 0;
  for (const Part& part : character.parts) {
    points.insert(points.end(), part.mesh.positions.data(), part.mesh.positions.data() + part.mesh.positions.size());
    for (Eigen::Index i = 0; i < part.mesh.triangles.size(); ++i) {
      triangles.push_back(part.mesh.triangles.data()[i] + offset);
    }
    offset += part.mesh.vertex_count();
  }
  WriteNpy(path, MakeNpy(points, {static_cast<int64_t>(points.size() / 3), 3}));
  WriteNpy(TrianglesBeside(path), MakeNpy(triangles, {static_cast<int64_t>(triangles.size() / 3), 3}));
  done.files = {path, TrianglesBeside(path)};
}

void WriteMotion(const Character& character, const fs::path& in, const fs::path& out, const ConvertOptions& options,
                 Converted& done) {
  const std::vector<Clip> clips = ClipsOf(character, in.string(), options.frames_per_second);
  std::string names;
  const Clip* chosen = clips.size() == 1 && options.animation.empty() ? clips.data() : nullptr;
  for (size_t i = 0; i < clips.size(); ++i) {
    if (options.animation == clips[i].motion.name || options.animation == std::to_string(i)) chosen = &clips[i];
    names += fmt::format("{}{} '{}'", i > 0 ? ", " : "", i, clips[i].motion.name);
  }
  if (clips.empty()) throw InputError(in.string(), "", "has no animation, and BVH is nothing else", "");
  if (chosen == nullptr) {
    throw UsageError(fmt::format("{}: choose one animation with --animation: {}", in.string(), names));
  }
  WriteBvh(out, *chosen);
  done.frames = chosen->motion.frame_count();
}

void Count(const Character& character, Converted& done) {
  done.parts = static_cast<int>(character.parts.size());
  done.vertices = character.vertex_count();
  done.triangles = character.triangle_count();
  done.joints = character.skeleton.joint_count();
  done.animations = static_cast<int>(character.animations.size());
}

Character ReadAny(const fs::path& in, Kind kind, const ConvertOptions& options, Converted& done) {
  if (kind == Kind::kPoints) return ReadPoints(in, options);
  if (kind != Kind::kMotion) {
    Character character = ReadCharacter(in, {.skin = options.skin, .quiet = false});
    return options.skin.empty() ? character : gltf::WithoutOtherSkeletons(std::move(character));
  }
  const Clip clip = ReadBvh(in);
  done.frames = clip.motion.frame_count();
  return CharacterOf(clip);
}

// Names of what a character has and a type of file cannot hold.
std::vector<std::string> Losses(const Character& character, Kind to) {
  const auto any_part = [&](const auto& has) {
    return std::any_of(character.parts.begin(), character.parts.end(), has);
  };
  std::vector<std::string> lost;
  const auto add = [&](bool has, const char* what) {
    if (has) lost.emplace_back(what);
  };
  if (to == Kind::kMotion) {
    add(!character.parts.empty(), "surface");
    add(any_part([](const Part& part) { return !part.weights.empty(); }), "weights");
  }
  if (to == Kind::kMesh || to == Kind::kPoints) {
    add(character.skeleton.joint_count() > 0, "skeleton");
    add(any_part([](const Part& part) { return !part.weights.empty(); }), "weights");
    add(!character.animations.empty(), "animations");
    add(any_part([](const Part& part) { return !part.morphs.empty(); }), "morph targets");
  }
  if (to == Kind::kPoints) {
    add(any_part([](const Part& part) { return part.normals.rows() > 0; }), "normals");
    add(any_part([](const Part& part) { return !part.attributes.empty(); }), "texture coordinates or colours");
  }
  return lost;
}

void WarnOfLosses(const Character& character, Kind to, const fs::path& out) {
  const std::vector<std::string> lost = Losses(character, to);
  if (lost.empty()) return;
  Warn("{}: {} holds no {}: {} written", out.string(), LowerExtension(out), fmt::join(lost, ", no "),
       to == Kind::kMotion ? "the skeleton's motion alone is" : "the surface as it rests is");
}

void ScaleTranslation(float scale, Transform& transform) {
  transform.translation.x *= scale;
  transform.translation.y *= scale;
  transform.translation.z *= scale;
}

// Adds one curve of a joint over all frames, with `width` floats per key, unless it never leaves rest.
template <typename Value>
void AddCurve(const Clip& clip, int joint, AnimationCurve::Path path, int width, const Value& value, Animation& out) {
  AnimationCurve curve;
  curve.joint = joint;
  curve.path = path;
  bool moves = path == AnimationCurve::Path::kRotation;
  for (int f = 0; f < clip.motion.frame_count(); ++f) {
    const float* now = value(clip.motion.frames[f][joint]);
    moves = moves || !std::equal(now, now + width, value(clip.skeleton.joints[joint].rest));
    curve.times.push_back(static_cast<float>(f) / clip.motion.frames_per_second);
    curve.values.insert(curve.values.end(), now, now + width);
  }
  if (moves) out.curves.push_back(std::move(curve));
}

}  // namespace

void ScaleCharacter(float scale, Character& character) {
  for (Part& part : character.parts) {
    part.mesh.positions *= scale;
    for (MorphTarget& morph : part.morphs) morph.positions *= scale;
    part.model_from_mesh.translation() *= scale;
  }
  for (Skin& skin : character.skins) {
    for (Eigen::Affine3f& bind : skin.inverse_bind) bind.translation() *= scale;
  }
  for (Joint& joint : character.skeleton.joints) ScaleTranslation(scale, joint.rest);
  for (Animation& animation : character.animations) {
    for (AnimationCurve& curve : animation.curves) {
      if (curve.path != AnimationCurve::Path::kTranslation) continue;
      for (float& value : curve.values) value *= scale;
    }
  }
}

Character CharacterOf(const Clip& clip) {
  Character character;
  character.name = clip.motion.name;
  character.skeleton = clip.skeleton;
  // Joints without a skin are only nodes: whatever has no mesh yet still has to be recognised as a skeleton.
  for (Joint& joint : character.skeleton.joints) joint.helper = false;
  if (clip.motion.frame_count() == 0) return character;
  if (clip.motion.frames_per_second <= 0) {
    throw UsageError("poses that belong to no time are no animation; use a motion");
  }
  Animation animation;
  animation.name = clip.motion.name;
  using Path = AnimationCurve::Path;
  for (int j = 0; j < clip.skeleton.joint_count(); ++j) {
    if (clip.skeleton.joints[j].helper) continue;
    AddCurve(
        clip, j, Path::kRotation, 4, [](const Transform& t) { return &t.rotation.x; }, animation);
    AddCurve(
        clip, j, Path::kTranslation, 3, [](const Transform& t) { return &t.translation.x; }, animation);
    AddCurve(
        clip, j, Path::kScale, 3, [](const Transform& t) { return &t.scale.x; }, animation);
  }
  character.animations.push_back(std::move(animation));
  return character;
}

Converted Convert(const fs::path& in, const fs::path& out, const ConvertOptions& options) {
  const Kind from = KindOf(in), to = KindOf(out);
  const bool motion_only = from == Kind::kMotion && (to == Kind::kMesh || to == Kind::kPoints);
  const bool shape_only = to == Kind::kMotion && (from == Kind::kMesh || from == Kind::kPoints);
  if (motion_only || shape_only) {
    throw UsageError(
        fmt::format("{} to {}: a motion has no surface, and a surface no motion", in.string(), out.string()));
  }
  Converted done;
  if (!options.unit.empty()) done.scale = static_cast<float>(MetresPer(options.unit));
  Character character = ReadAny(in, from, options, done);
  if (done.scale != 1) ScaleCharacter(done.scale, character);
  done.files = {out};
  Count(character, done);
  WarnOfLosses(character, to, out);
  switch (to) {
    case Kind::kCharacter:
      gltf::WriteGltf(character, out);
      break;
    case Kind::kMesh:
      WriteObj(AtRest(character), out);
      break;
    case Kind::kPoints:
      WritePoints(AtRest(character), out, done);
      break;
    case Kind::kMotion:
      WriteMotion(character, in, out, options, done);
      break;
  }
  return done;
}

}  // namespace sinew
