#include "sinew/offline/io/gltf/animations.h"

#include <fmt/format.h>

#include <unordered_set>

#include "sinew/offline/io/gltf/gltf.h"

namespace sinew::gltf {
namespace {

using Interpolation = AnimationCurve::Interpolation;

Interpolation ParseInterpolation(const Object& sampler) {
  const std::string name = sampler.Has("interpolation") ? sampler.String("interpolation") : "LINEAR";
  if (name == "LINEAR") return Interpolation::kLinear;
  if (name == "STEP") return Interpolation::kStep;
  if (name == "CUBICSPLINE") return Interpolation::kCubicSpline;
  sampler.Fail(fmt::format("has the unknown interpolation '{}'", name));
}

void CheckTimes(const Object& sampler, const std::vector<float>& times) {
  for (size_t k = 0; k < times.size(); ++k) {
    if (times[k] < (k == 0 ? 0 : times[k - 1])) {
      sampler.Fail(fmt::format("key {} is at {} s: keys must not go back in time", k, times[k]));
    }
  }
}

std::string NameOf(const Object& animation, int index) {
  std::string name = animation.String("name");
  return name.empty() ? fmt::format("animation_{}", index) : name;
}

AnimationCurve ReadCurve(AccessorReader& accessors, const Object& sampler, AnimationCurve::Path path, int joint) {
  AnimationCurve curve;
  curve.joint = joint;
  curve.path = path;
  curve.interpolation = ParseInterpolation(sampler);
  const int input = sampler.Index("input", "accessors"), output = sampler.Index("output", "accessors");
  if (input < 0 || output < 0) sampler.Fail("has no input or no output");
  curve.times = accessors.Floats(input, 1);
  CheckTimes(sampler, curve.times);
  const int width = path == AnimationCurve::Path::kRotation ? 4 : 3;
  curve.values = accessors.Floats(output, width);
  const size_t values = curve.times.size() * (curve.interpolation == Interpolation::kCubicSpline ? 3 : 1);
  if (curve.values.size() != values * width) {
    sampler.Fail(fmt::format("has {} keys but {} values where {} are needed", curve.times.size(),
                             curve.values.size() / width, values));
  }
  return curve;
}

}  // namespace

std::optional<AnimationCurve::Path> ParsePath(const std::string& path) {
  if (path == "translation") return AnimationCurve::Path::kTranslation;
  if (path == "rotation") return AnimationCurve::Path::kRotation;
  if (path == "scale") return AnimationCurve::Path::kScale;
  return std::nullopt;
}

std::vector<Animation> ReadAnimations(AccessorReader& accessors, const Rig& rig) {
  std::vector<Animation> animations;
  const SourceDocument& document = accessors.document();
  for (int a = 0; a < Count(document, "animations"); ++a) {
    const Object object = Item(document, "animations", a);
    Animation animation{.name = NameOf(object, a), .curves = {}, .source_animation = a};
    const std::vector<Object> samplers = object.Children("samplers");
    for (const Object& channel : object.Children("channels")) {
      const Object target = channel.Child("target");
      const int node = target.Index("node", "nodes");
      const auto path = ParsePath(target.String("path"));
      if (node < 0 || rig.node_joints[node] < 0 || !path) continue;
      const auto last = static_cast<int64_t>(samplers.size()) - 1;
      const int64_t sampler = channel.RequiredInteger("sampler", 0, last);
      animation.curves.push_back(ReadCurve(accessors, samplers[sampler], *path, rig.node_joints[node]));
    }
    if (!animation.curves.empty()) animations.push_back(std::move(animation));
  }
  return animations;
}

std::vector<OtherAnimation> OtherAnimations(const Character& character) {
  std::vector<OtherAnimation> others;
  if (character.source == nullptr) return others;
  const SourceDocument& document = *character.source;
  std::vector<bool> known(Count(document, "animations"), false);
  for (const Animation& animation : character.animations) {
    const int a = animation.source_animation;
    if (a >= 0 && a < static_cast<int>(known.size())) known[a] = true;
  }
  for (int a = 0; a < static_cast<int>(known.size()); ++a) {
    if (known[a]) continue;
    const Object object = Item(document, "animations", a);
    OtherAnimation other{.name = NameOf(object, a), .nodes = {}};
    std::unordered_set<int> seen;
    for (const Object& channel : object.Children("channels")) {
      const Object target = channel.Child("target");
      const std::string path = target.String("path");
      const int node = target.Index("node", "nodes");
      if (path == "weights") other.morphs = true;
      if (node < 0 || !ParsePath(path) || !seen.insert(node).second) continue;
      const std::string name = Item(document, "nodes", node).String("name");
      other.nodes.push_back(name.empty() ? fmt::format("node {}", node) : name);
    }
    others.push_back(std::move(other));
  }
  return others;
}

}  // namespace sinew::gltf
