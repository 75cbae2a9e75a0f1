#include "sinew/offline/bodies/mix_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/lod/level_character.h"

namespace sinew::bodies {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

constexpr int kFewestDrawn = 3, kMostDrawn = 6;
// Largest difference of the sum of shares from 1.
constexpr double kSumTolerance = 1e-6;

std::string WhyNotSameSkeleton(const Parent& body, const Parent& other) {
  const std::vector<Joint>& a = body.character->skeleton.joints;
  const std::vector<Joint>& b = other.character->skeleton.joints;
  if (a.size() != b.size()) return fmt::format("has {} joints, '{}' has {}", a.size(), other.name, b.size());
  for (size_t j = 0; j < a.size(); ++j) {
    if (a[j].name == b[j].name && a[j].parent == b[j].parent) continue;
    return fmt::format("has joint '{}' where '{}' has '{}', or it hangs elsewhere", a[j].name, other.name, b[j].name);
  }
  const std::vector<Skin>& skins = body.character->skins;
  const std::vector<Skin>& others = other.character->skins;
  const bool same = skins.size() == others.size() &&
                    std::equal(skins.begin(), skins.end(), others.begin(),
                               [](const Skin& s, const Skin& t) { return s.has_joint == t.has_joint; });
  return same ? "" : fmt::format("binds other joints to its skins than '{}'", other.name);
}

std::string WhyNotSameTopology(const Parent& body, const Parent& other) {
  const std::vector<Part>& a = body.character->parts;
  const std::vector<Part>& b = other.character->parts;
  if (a.size() != b.size()) return fmt::format("has {} parts, '{}' has {}", a.size(), other.name, b.size());
  for (size_t p = 0; p < a.size(); ++p) {
    if (a[p].mesh.vertex_count() != b[p].mesh.vertex_count()) {
      return fmt::format("has {} vertices in part '{}', '{}' has {}", a[p].mesh.vertex_count(), a[p].name, other.name,
                         b[p].mesh.vertex_count());
    }
    const Triangles &s = a[p].mesh.triangles, &t = b[p].mesh.triangles;
    if (s.rows() != t.rows() || s != t) {
      return fmt::format("has other triangles in part '{}' than '{}'", a[p].name, other.name);
    }
    if (a[p].skin != b[p].skin || a[p].weights.empty() != b[p].weights.empty()) {
      return fmt::format("has part '{}' bound to another skin than '{}'", a[p].name, other.name);
    }
  }
  return "";
}

void CheckShares(const std::vector<Parent>& parents, const std::vector<double>& shares) {
  if (static_cast<int>(parents.size()) < kFewestParents || shares.size() != parents.size()) {
    throw UsageError(fmt::format("{} shares do not mix {} bodies; give at least two bodies and one share for each",
                                 shares.size(), parents.size()));
  }
  for (const double share : shares) {
    if (share >= kLowestShare && share <= kHighestShare) continue;
    throw UsageError(fmt::format("a body's share is {}; give {} to {}", share, kLowestShare, kHighestShare));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(std::abs(sum - 1) <= kSumTolerance)) {
    throw UsageError(fmt::format("the shares of the bodies sum to {}; they must sum to 1", sum));
  }
}

// Mixes rows of equal size from every parent: get(character) returns a reference to a matrix.
template <typename Matrix, typename Get>
Matrix MixRows(const std::vector<Parent>& parents, const std::vector<double>& shares, const Get& get) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(get(*parents[0].character).rows(), get(*parents[0].character).cols());
  for (size_t i = 0; i < parents.size(); ++i) sum += shares[i] * get(*parents[i].character).template cast<double>();
  return sum.template cast<float>();
}

SkinWeights MixWeights(const std::vector<Parent>& parents, const std::vector<double>& shares, size_t part) {
  const Part& first = parents[0].character->parts[part];
  const auto same = [&](const Parent& parent) {
    const SkinWeights& weights = parent.character->parts[part].weights;
    return weights.influences == first.weights.influences && weights.joints == first.weights.joints &&
           weights.weights == first.weights.weights;
  };
  if (first.weights.empty() || std::all_of(parents.begin(), parents.end(), same)) return first.weights;
  const std::vector<bool>& allowed = parents[0].character->skins[first.skin].has_joint;
  SkinWeights mixed = first.weights;
  for (int v = 0; v < first.mesh.vertex_count(); ++v) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(allowed.size()));
    for (size_t i = 0; i < parents.size(); ++i) {
      const Influences influences = InfluencesOf(parents[i].character->parts[part].weights, v);
      for (int k = 0; k < influences.count; ++k) row[influences.joints[k]] += shares[i] * influences.weights[k];
    }
    const auto chosen = lod::ToInfluences(row, mixed.influences, allowed);
    for (int k = 0; k < mixed.influences; ++k) {
      const size_t slot = static_cast<size_t>(v) * mixed.influences + k;
      const bool used = k < static_cast<int>(chosen.size());
      mixed.joints[slot] = used ? static_cast<uint16_t>(chosen[k].first) : 0;
      mixed.weights[slot] = used ? chosen[k].second : 0;
    }
  }
  return mixed;
}

// Mixes frames: places affinely; turns by the sum of quaternions, which all bodies of one rig nearly share; scales in
// between.
Transform MixTransforms(const std::vector<Transform>& transforms, const std::vector<double>& shares) {
  Eigen::Vector3f place = Eigen::Vector3f::Zero(), scale = Eigen::Vector3f::Zero();
  Eigen::Vector4f turn = Eigen::Vector4f::Zero();
  const Eigen::Vector4f first = ToEigen(transforms[0].rotation).coeffs();
  for (size_t i = 0; i < transforms.size(); ++i) {
    const auto share = static_cast<float>(shares[i]);
    place += share * ToEigen(transforms[i].translation);
    scale += share * ToEigen(transforms[i].scale);
    const Eigen::Vector4f q = ToEigen(transforms[i].rotation).coeffs();
    turn += share * (q.dot(first) < 0 ? -q : q);
  }
  if (!(turn.norm() > 0.1F)) turn = first;
  return {ToFloat3(place), ToQuaternion(Eigen::Quaternionf(turn.normalized())), ToFloat3(scale)};
}

// Mixes inverse bind matrices of one skin: the frames that they are the inverse of.
void MixSkin(const std::vector<Parent>& parents, const std::vector<double>& shares, size_t s, Skin& skin) {
  for (size_t j = 0; j < skin.inverse_bind.size(); ++j) {
    if (!skin.has_joint[j]) continue;
    const auto of = [&](size_t i) -> const Eigen::Affine3f& { return parents[i].character->skins[s].inverse_bind[j]; };
    std::vector<Transform> frames;
    bool same_turn = true;
    Vector3d place = Vector3d::Zero();
    for (size_t i = 0; i < parents.size(); ++i) {
      const Affine3d frame = of(i).cast<double>().inverse();
      same_turn = same_turn && of(i).linear().isApprox(of(0).linear(), 1e-5F);
      place += shares[i] * frame.translation();
      frames.push_back(ToTransform(frame.cast<float>()));
    }
    // A rotation that all bodies share is kept to the last bit.
    Affine3d mixed =
        same_turn ? of(0).cast<double>().inverse() : ToAffine(MixTransforms(frames, shares)).cast<double>();
    mixed.translation() = place;
    skin.inverse_bind[j] = mixed.inverse().cast<float>();
  }
}

}  // namespace

MixRecipe DrawMix(int bodies, uint64_t seed) {
  if (bodies < kFewestParents) throw UsageError(fmt::format("{} bodies cannot be mixed; give at least two", bodies));
  Random random(seed);
  const int most = std::min(kMostDrawn, bodies), fewest = std::min(kFewestDrawn, bodies);
  const int count = fewest + static_cast<int>(random.Below(most - fewest + 1));
  // The first `count` of a random order.
  std::vector<int> order(bodies);
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < count; ++i) std::swap(order[i], order[i + static_cast<int>(random.Below(bodies - i))]);
  MixRecipe recipe;
  recipe.parents.assign(order.begin(), order.begin() + count);
  std::sort(recipe.parents.begin(), recipe.parents.end());
  double last = kHighestShare + 1;
  while (!(last >= kLowestShare && last <= kHighestShare)) {
    recipe.shares.clear();
    last = 1;
    for (int i = 0; i + 1 < count; ++i) {
      recipe.shares.push_back(random.Uniform(kLowestShare, kHighestShare));
      last -= recipe.shares.back();
    }
  }
  recipe.shares.push_back(last);
  return recipe;
}

std::string WhyNotMixed(const Parent& body, const Parent& other) {
  const std::string why = WhyNotSameSkeleton(body, other);
  return why.empty() ? WhyNotSameTopology(body, other) : why;
}

Character MixBodies(const std::vector<Parent>& parents, const std::vector<double>& shares) {
  CheckShares(parents, shares);
  for (const Parent& parent : parents) {
    const std::string why = WhyNotMixed(parent, parents[0]);
    if (!why.empty()) throw InputError(parent.name, "", why, "mix only bodies of one skeleton and one topology");
  }
  Character mixed = *parents[0].character;
  for (int j = 0; j < mixed.skeleton.joint_count(); ++j) {
    std::vector<Transform> rest;
    for (const Parent& parent : parents) rest.push_back(parent.character->skeleton.joints[j].rest);
    mixed.skeleton.joints[j].rest = MixTransforms(rest, shares);
  }
  for (size_t s = 0; s < mixed.skins.size(); ++s) MixSkin(parents, shares, s, mixed.skins[s]);
  for (size_t p = 0; p < mixed.parts.size(); ++p) {
    Part& part = mixed.parts[p];
    part.mesh.positions = MixRows<Points>(
        parents, shares, [&](const Character& body) -> const Points& { return body.parts[p].mesh.positions; });
    part.weights = MixWeights(parents, shares, p);
    for (size_t m = 0; m < part.morphs.size(); ++m) {
      const auto has = [&](const Parent& parent) {
        const std::vector<MorphTarget>& morphs = parent.character->parts[p].morphs;
        return m < morphs.size() && morphs[m].positions.rows() == part.morphs[m].positions.rows();
      };
      if (!std::all_of(parents.begin(), parents.end(), has)) continue;
      part.morphs[m].positions = MixRows<Points>(
          parents, shares, [&](const Character& body) -> const Points& { return body.parts[p].morphs[m].positions; });
    }
    const auto has_normals = [&](const Parent& parent) { return parent.character->parts[p].normals.rows() > 0; };
    if (!std::all_of(parents.begin(), parents.end(), has_normals)) continue;
    part.normals =
        MixRows<Points>(parents, shares, [&](const Character& body) -> const Points& { return body.parts[p].normals; });
    for (int v = 0; v < part.mesh.vertex_count(); ++v) part.normals.row(v).stableNormalize();
  }
  return mixed;
}

}  // namespace sinew::bodies
