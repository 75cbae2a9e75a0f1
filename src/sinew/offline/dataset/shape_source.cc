#include "sinew/offline/dataset/shape_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "sinew/offline/character/clip.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/morph_animation.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/io/obj.h"
#include "sinew/offline/io/point_cache.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;
constexpr const char* kKnown = "shapes are .pc2, .mdd, .npy, animated .glb, or .obj and .glb files, a frame each";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the run of digits at `at` without leading zeros, and moves `at` behind it.
std::string_view Digits(const std::string& text, size_t& at) {
  while (at < text.size() && text[at] == '0') ++at;
  const size_t begin = at;
  while (at < text.size() && IsDigit(text[at])) ++at;
  return std::string_view(text).substr(begin, at - begin);
}

ShapeSource OpenCache(const fs::path& path) {
  const PointCacheLayout layout = ReadPointCacheLayout(path);
  return {path.string(), layout.frames, layout.points,
          [path, layout](int frame) { return ReadPointCacheFrame(path, layout, frame); }};
}

ShapeSource OpenArray(const fs::path& path) {
  const auto array = std::make_shared<NpyArray>(ReadNpy(path));
  if (array->shape.size() != 3 || array->shape[2] != 3 || array->size() == 0) {
    throw InputError(path.string(), "", "is not an array of frames x vertices x 3", "save the shapes as one");
  }
  const int64_t vertices = array->shape[1];
  return {path.string(), static_cast<int>(array->shape[0]), static_cast<int>(vertices), [array, vertices](int frame) {
            const size_t row = static_cast<size_t>(vertices) * 3 * SizeOf(array->type);
            const auto begin = array->data.begin() + static_cast<std::ptrdiff_t>(frame * row);
            const NpyArray one{array->type, {vertices, 3}, {begin, begin + static_cast<std::ptrdiff_t>(row)}};
            const std::vector<float> values = one.ToFloats();
            Points shape(vertices, 3);
            std::memcpy(shape.data(), values.data(), values.size() * sizeof(float));
            return shape;
          }};
}

// Mesh that is deformed by animated morph targets and then, if it has a skin, by a skeleton.
struct MorphedFile {
  MorphedFile(Character read, MorphAnimation animated)
      : rest(std::move(read)), moved(rest), animation(std::move(animated)), poser(moved) {}

  Points Shape(int key, const Pose& pose) {
    for (size_t p = 0; p < rest.parts.size(); ++p) {
      moved.parts[p].mesh.positions = MorphedPositions(rest.parts[p], animation.weights[p], key);
    }
    return JoinParts(poser.Evaluate(pose));
  }

  const Character rest;
  Character moved;
  MorphAnimation animation;
  Poser poser;
};

ShapeSource OpenMorphs(const fs::path& path, Character character, MorphAnimation animation,
                       const std::vector<Pose>& poses, const std::vector<std::string>& joint_names) {
  const bool skinned = !character.skins.empty();
  if (skinned && JointNames(character.skeleton) != joint_names) {
    throw InputError(path.string(), "skeleton", "is another one than the character's",
                     "bake the shapes into meshes without a skeleton, or from this character");
  }
  const auto file = std::make_shared<MorphedFile>(std::move(character), std::move(animation));
  const int keys = file->animation.key_count();
  return {path.string(), keys, file->rest.vertex_count(), [file, skinned, &poses](int key) {
            // The importer refuses a source with more frames than poses.
            const bool posed = skinned && key < static_cast<int>(poses.size());
            return file->Shape(key, posed ? poses[key] : file->rest.skeleton.RestPose());
          }};
}

Points ReadOneShape(const fs::path& path) {
  if (LowerExtension(path) == ".obj") return ReadObjPositions(ReadFile(path), path.string());
  const Character character = ReadCharacter(path, {.skin = "", .quiet = true});
  return SkinnedShape(character, character.skeleton.RestPose());
}

ShapeSource OpenSequence(const std::vector<fs::path>& paths, const std::string& name) {
  const int vertices = static_cast<int>(ReadOneShape(paths[0]).rows());
  return {name, static_cast<int>(paths.size()), vertices, [paths, vertices](int frame) {
            Points shape = ReadOneShape(paths[frame]);
            if (shape.rows() == vertices) return shape;
            throw InputError(paths[frame].string(), "",
                             fmt::format("has {} vertices where {} has {}", shape.rows(), paths[0].string(), vertices),
                             "all frames must be of one mesh");
          }};
}

bool IsMesh(const fs::path& path) {
  const std::string extension = LowerExtension(path);
  return extension == ".obj" || extension == ".glb" || extension == ".gltf";
}

std::vector<fs::path> MeshesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && IsMesh(entry.path())) files.push_back(entry.path());
  }
  if (files.empty()) throw InputError(folder.string(), "", "holds no .obj or .glb file", kKnown);
  return files;
}

}  // namespace

bool NaturallyBefore(const std::string& a, const std::string& b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (IsDigit(a[i]) && IsDigit(b[j])) {
      const std::string_view x = Digits(a, i), y = Digits(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    if (a[i] != b[j]) return a[i] < b[j];
    ++i, ++j;
  }
  // Names such as "a1" and "a01", which are equal so far, are ordered by their length.
  if (i == a.size() && j == b.size()) return a.size() < b.size();
  return i == a.size();
}

ShapeSource OpenShapes(const std::vector<fs::path>& paths, const std::vector<Pose>& poses,
                       const std::vector<std::string>& joint_names) {
  std::vector<fs::path> files = paths;
  if (paths.size() == 1 && fs::is_directory(paths[0])) files = MeshesIn(paths[0]);
  const std::string extension = LowerExtension(files[0]);
  for (const fs::path& file : files) {
    if (LowerExtension(file) == extension) continue;
    throw InputError(file.string(), "", fmt::format("is of another type than {}", files[0].string()), kKnown);
  }
  if (files.size() == 1 && (extension == ".pc2" || extension == ".mdd")) return OpenCache(files[0]);
  if (files.size() == 1 && extension == ".npy") return OpenArray(files[0]);
  if (!IsMesh(files[0])) {
    throw InputError(files[0].string(), "", files.size() > 1 ? "is one of several" : "is no known type of shapes",
                     kKnown);
  }
  if (files.size() == 1 && extension != ".obj") {
    Character character = ReadCharacter(files[0], {.skin = "", .quiet = true});
    std::vector<MorphAnimation> animations = ReadMorphAnimations(character, files[0].string());
    if (!animations.empty()) {
      return OpenMorphs(files[0], std::move(character), std::move(animations[0]), poses, joint_names);
    }
  }
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return NaturallyBefore(a.string(), b.string()); });
  return OpenSequence(files, paths[0].string());
}

}  // namespace sinew::dataset
