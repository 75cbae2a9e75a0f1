#include "sinew/offline/io/morph_animation.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/accessor.h"

namespace sinew {
namespace {

using gltf::AccessorReader;
using gltf::Object;

constexpr const char* kRemedy = "bake the animation again, with all weights keyed at the same times";

// Values at the keys. For cubic splines, these are the middle one of in-tangents, values and out-tangents.
std::vector<float> KeyedValues(const Object& sampler, std::vector<float> values, size_t keys) {
  if (!sampler.Has("interpolation") || sampler.String("interpolation") != "CUBICSPLINE") return values;
  if (keys == 0 || values.size() % (3 * keys) != 0) sampler.Fail("has not three values for each of its keys");
  const size_t width = values.size() / (3 * keys);
  std::vector<float> keyed;
  for (size_t k = 0; k < keys; ++k) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>((3 * k + 1) * width);
    keyed.insert(keyed.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return keyed;
}

class ChannelReader {
 public:
  ChannelReader(const Character& character, AccessorReader& accessors, const std::string& file)
      : character_(character), accessors_(accessors), file_(file) {}

  // Adds one channel to the animation, if it is a channel of weights.
  void Read(const Object& channel, const std::vector<Object>& samplers, MorphAnimation& animation) {
    const Object target = channel.Child("target");
    if (target.String("path") != "weights") return;
    const int node = target.Index("node", "nodes");
    const int64_t index = channel.RequiredInteger("sampler", 0, static_cast<int64_t>(samplers.size()) - 1);
    const Object& sampler = samplers[index];
    const int input = sampler.Index("input", "accessors"), output = sampler.Index("output", "accessors");
    if (input < 0 || output < 0) sampler.Fail("has no input or no output");
    const std::vector<float> times = accessors_.Floats(input, 1);
    if (!animation.times.empty() && times != animation.times) {
      throw InputError(file_, fmt::format("animation \"{}\"", animation.name),
                       "keys its morph weights at different times", kRemedy);
    }
    animation.times = times;
    const std::vector<float> values = KeyedValues(sampler, accessors_.Floats(output, 1), times.size());
    for (size_t p = 0; p < character_.parts.size(); ++p) {
      if (character_.parts[p].source_node == node && node >= 0) SetWeights(p, values, animation);
    }
  }

 private:
  void SetWeights(size_t p, const std::vector<float>& values, MorphAnimation& animation) const {
    const Part& part = character_.parts[p];
    if (values.size() != animation.times.size() * part.morphs.size()) {
      throw InputError(file_, fmt::format("animation \"{}\"", animation.name),
                       fmt::format("has {} weights for {} keys of {} targets of \"{}\"", values.size(),
                                   animation.times.size(), part.morphs.size(), part.name),
                       kRemedy);
    }
    animation.weights[p] = values;
  }

  const Character& character_;
  AccessorReader& accessors_;
  const std::string& file_;
};

}  // namespace

std::vector<MorphAnimation> ReadMorphAnimations(const Character& character, const std::string& file) {
  std::vector<MorphAnimation> animations;
  if (!character.source) return animations;
  AccessorReader accessors(*character.source);
  ChannelReader channels(character, accessors, file);
  for (int a = 0; a < gltf::Count(*character.source, "animations"); ++a) {
    const Object object = gltf::Item(*character.source, "animations", a);
    MorphAnimation animation;
    animation.name = object.String("name");
    animation.source_animation = a;
    animation.weights.resize(character.parts.size());
    const std::vector<Object> samplers = object.Children("samplers");
    for (const Object& channel : object.Children("channels")) channels.Read(channel, samplers, animation);
    if (!animation.times.empty()) animations.push_back(std::move(animation));
  }
  return animations;
}

Points MorphedPositions(const Part& part, const std::vector<float>& weights, int key) {
  Points positions = part.mesh.positions;
  for (size_t t = 0; t < part.morphs.size() && !weights.empty(); ++t) {
    const float weight = weights[static_cast<size_t>(key) * part.morphs.size() + t];
    if (weight != 0 && part.morphs[t].positions.rows() > 0) positions += weight * part.morphs[t].positions;
  }
  return positions;
}

Points MorphedPositionsAt(const Character& character, const MorphAnimation& animation, int p, float time) {
  const Part& part = character.parts[p];
  const std::vector<float>& weights = animation.weights[p];
  const auto after = std::upper_bound(animation.times.begin(), animation.times.end(), time);
  const int next = static_cast<int>(after - animation.times.begin());
  if (next == 0) return MorphedPositions(part, weights, 0);
  Points before = MorphedPositions(part, weights, next - 1);
  if (next == animation.key_count()) return before;
  const float start = animation.times[next - 1], share = (time - start) / (animation.times[next] - start);
  if (share > 0) before += share * (MorphedPositions(part, weights, next) - before);
  return before;
}

}  // namespace sinew
