#include <fmt/format.h>

#include <map>

#include "sinew/offline/io/gltf/animations.h"
#include "sinew/offline/io/gltf/same.h"
#include "sinew/offline/io/gltf/write.h"

namespace sinew::gltf {
namespace {

const char* PathName(AnimationCurve::Path path) {
  switch (path) {
    case AnimationCurve::Path::kTranslation:
      return "translation";
    case AnimationCurve::Path::kRotation:
      return "rotation";
    default:
      return "scale";
  }
}

const char* InterpolationName(AnimationCurve::Interpolation interpolation) {
  switch (interpolation) {
    case AnimationCurve::Interpolation::kStep:
      return "STEP";
    case AnimationCurve::Interpolation::kLinear:
      return "LINEAR";
    default:
      return "CUBICSPLINE";
  }
}

// Returns the animation with only those channels, and their samplers, that move no joint of the character.
Json OtherChannels(WriteContext& context, const Json& animation) {
  std::vector<bool> is_joint(context.json()["nodes"].size(), false);
  for (const int node : context.original.joint_nodes) is_joint[node] = true;
  Json kept = animation;
  kept["channels"] = Json::array();
  kept["samplers"] = Json::array();
  for (const Json& channel : animation["channels"]) {
    const Json& target = channel["target"];
    const bool ours = target.contains("node") && target.contains("path") && target["path"].is_string() &&
                      is_joint[target["node"].get<size_t>()] && ParsePath(target["path"].get<std::string>());
    const auto sampler = channel.value("sampler", size_t{0});
    if (ours || sampler >= animation["samplers"].size()) continue;
    Json copy = channel;
    copy["sampler"] = kept["samplers"].size();
    kept["samplers"].push_back(animation["samplers"][sampler]);
    kept["channels"].push_back(std::move(copy));
  }
  return kept;
}

class AnimationWriter {
 public:
  explicit AnimationWriter(WriteContext& context) : context_(context) {}

  void AddCurves(const Animation& animation, Json& json) {
    for (const AnimationCurve& curve : animation.curves) {
      if (curve.times.empty() || curve.joint < 0) continue;
      const int width = curve.path == AnimationCurve::Path::kRotation ? 4 : 3;
      const std::string what = fmt::format("animation '{}', joint '{}', {}", animation.name,
                                           context_.character.skeleton.joints[curve.joint].name, PathName(curve.path));
      Json sampler = {{"input", Times(curve.times, what)},
                      {"interpolation", InterpolationName(curve.interpolation)},
                      {"output", context_.packer.AddFloats(curve.values, width, kNoTarget, false, what)}};
      json["channels"].push_back(
          {{"sampler", json["samplers"].size()},
           {"target", {{"node", context_.joint_nodes[curve.joint]}, {"path", PathName(curve.path)}}}});
      json["samplers"].push_back(std::move(sampler));
    }
  }

 private:
  // Adds an accessor of key times, once for equal ones: most curves of an animation have their keys at the same times.
  int Times(const std::vector<float>& times, const std::string& what) {
    const auto [found, is_new] = times_.try_emplace(times, -1);
    if (is_new) found->second = context_.packer.AddFloats(times, 1, kNoTarget, true, what);
    return found->second;
  }

  WriteContext& context_;
  std::map<std::vector<float>, int> times_;
};

const Animation* Find(const std::vector<Animation>& animations, int source) {
  for (const Animation& animation : animations) {
    if (animation.source_animation == source) return &animation;
  }
  return nullptr;
}

}  // namespace

void WriteAnimations(WriteContext& context) {
  Json list = Json::array();
  AnimationWriter writer(context);
  const Json old = context.json().contains("animations") ? context.json()["animations"] : Json::array();
  const bool same_joints = context.joint_nodes == context.original.joint_nodes;
  // Animations of the source: unchanged ones are copied, the others keep their channels of other nodes and get new
  // curves.
  for (size_t a = 0; a < old.size(); ++a) {
    const Animation* then = Find(context.original.character.animations, static_cast<int>(a));
    const Animation* now = Find(context.character.animations, static_cast<int>(a));
    if (then == nullptr || (now != nullptr && same_joints && Same(*now, *then))) {
      list.push_back(old[a]);
      continue;
    }
    Json changed = OtherChannels(context, old[a]);
    if (now != nullptr) writer.AddCurves(*now, changed);
    if (now != nullptr && now->name != then->name) changed["name"] = now->name;
    if (!changed["channels"].empty()) list.push_back(std::move(changed));
  }
  // New animations.
  for (const Animation& animation : context.character.animations) {
    const int source = animation.source_animation;
    if (source >= 0 && Find(context.original.character.animations, source) != nullptr) continue;
    Json json = {{"name", animation.name}, {"channels", Json::array()}, {"samplers", Json::array()}};
    writer.AddCurves(animation, json);
    if (!json["channels"].empty()) list.push_back(std::move(json));
  }
  if (list.empty()) {
    context.json().erase("animations");
  } else {
    context.json()["animations"] = std::move(list);
  }
}

}  // namespace sinew::gltf
