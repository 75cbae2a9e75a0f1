#include "sinew/offline/io/clips.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/offline/character/reach.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/poses.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string Extension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

void NameSource(const fs::path& path, Clip& clip) {
  clip.sources = {{.kind = "motion", .file = path.filename().string(), .clip = clip.motion.name}};
  clip.origins.clear();
  for (int f = 0; f < clip.motion.frame_count(); ++f) clip.origins.push_back({0, f});
}

// "walk.glb#Run": the part behind the last #, unless a file has just that name.
struct Where {
  fs::path path;
  std::string animation;
};

Where Split(const std::string& where) {
  const size_t mark = where.rfind('#');
  if (mark == std::string::npos || fs::exists(where)) return {where, ""};
  return {where.substr(0, mark), where.substr(mark + 1)};
}

std::vector<Clip> Choose(std::vector<Clip> clips, const Where& where) {
  if (where.animation.empty()) return clips;
  std::string names;
  for (size_t i = 0; i < clips.size(); ++i) {
    const std::string& name = clips[i].motion.name;
    if (name == where.animation || std::to_string(i) == where.animation) return {clips[i]};
    names += fmt::format("{}{} \"{}\"", i > 0 ? ", " : "", i, name);
  }
  throw UsageError(fmt::format("{}: there is no animation \"{}\"; there are {}", where.path.string(), where.animation,
                               names.empty() ? "none" : names));
}

}  // namespace

std::vector<Clip> ClipsOf(const Character& character, const std::string& file, float frames_per_second) {
  std::vector<Clip> clips;
  for (const Animation& animation : character.animations) {
    Clip clip;
    clip.skeleton = character.skeleton;
    clip.motion = SampleAnimation(character.skeleton, animation, frames_per_second);
    if (clip.motion.name.empty()) clip.motion.name = fmt::format("animation {}", clips.size());
    RefuseUnlessInReach(clip.skeleton, clip.motion, file);
    NameSource(file, clip);
    clips.push_back(std::move(clip));
  }
  return clips;
}

std::vector<Clip> ReadClips(const std::string& where_text, float frames_per_second) {
  const Where where = Split(where_text);
  const std::string extension = Extension(where.path);
  std::vector<Clip> clips;
  if (IsPoseFile(where.path)) {
    clips.push_back(ReadPoses(where.path));
    if (clips[0].sources.empty()) NameSource(where.path, clips[0]);
  } else if (extension == ".bvh") {
    clips.push_back(ReadBvh(where.path));
    NameSource(where.path, clips[0]);
  } else if (extension == ".glb" || extension == ".gltf") {
    clips = Choose(ClipsOf(gltf::ReadGltf(where.path), where.path.string(), frames_per_second), where);
  } else {
    throw InputError(where.path.string(), "", "is not a motion that can be read",
                     "name a .bvh file, a .glb or .gltf file with animations, or a .poses folder");
  }
  if (clips.empty()) throw InputError(where.path.string(), "", "holds no animation", "name a file that does");
  for (const Clip& clip : clips) RefuseUnlessInReach(clip.skeleton, clip.motion, where.path.string());
  return clips;
}

Skeleton ReadSkeleton(const std::string& file) {
  if (Extension(file) == ".bvh") return ReadBvh(file).skeleton;
  Skeleton skeleton = ReadCharacter(file).skeleton;
  if (skeleton.joints.empty()) throw InputError(file, "", "has no skeleton", "name a rigged character or a .bvh file");
  return skeleton;
}

}  // namespace sinew
