#include "sinew/offline/skincells/guidance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/skincells/field.h"
#include "sinew/offline/skincells/simple_weights.h"

namespace sinew::skincells {
namespace {

// Largest distance at which a painted surface guides a vertex, as a fraction of the subject's longest side.
constexpr float kNear = 0.01f;
// Distance from the body below which cloth lies on the skin, as a fraction of the garment's longest side.
constexpr float kOnTheSkin = 0.02f;
// Strength of the guides toward weights that are kept anyway.
constexpr float kHold = 10;

std::vector<int> SurfaceVertices(const Subject& subject) {
  std::vector<int> out;
  for (const std::vector<int>& part : subject.surface_of) out.insert(out.end(), part.begin(), part.end());
  return out;
}

std::vector<Guide> GuidesFromTable(const Subject& subject, const Paint& paint) {
  const std::vector<int> surface = SurfaceVertices(subject);
  const auto vertices = static_cast<int64_t>(surface.size()), joints = static_cast<int64_t>(subject.joints.size());
  const bool own_strength = paint.shape.size() == 3 && paint.shape[2] == 2;
  if ((paint.shape.size() != 2 && !own_strength) || paint.shape[0] != vertices || paint.shape[1] != joints) {
    throw InputError(
        paint.file, "",
        fmt::format("is no array of {} vertices by {} joints, or by {} joints by 2", vertices, joints, joints),
        "see docs/skin.md for what painted weights are");
  }
  std::vector<Guide> guides;
  const int step = own_strength ? 2 : 1;
  for (int64_t v = 0; v < vertices; ++v) {
    for (int64_t j = 0; j < joints; ++j) {
      const double* at = &paint.values[(v * joints + j) * step];
      const double strength = paint.strength * (own_strength ? at[1] : 1);
      if (!std::isfinite(at[0]) || !std::isfinite(strength) || strength <= 0) continue;
      if (at[0] < 0 || at[0] > 1) {
        throw InputError(paint.file, fmt::format("vertex {}, joint {}", v, j),
                         fmt::format("has a weight of {:.3g}", at[0]), "paint weights from 0 to 1");
      }
      guides.push_back({surface[v], static_cast<int>(j), static_cast<float>(at[0]), static_cast<float>(strength)});
    }
  }
  return guides;
}

// Values of the attribute _STRENGTH at the vertices of the painted surface; 1 where there are none.
std::vector<float> Strengths(const Subject& painted, const Character& character) {
  std::vector<float> out(painted.surface.vertex_count(), 1);
  for (size_t i = 0; i < painted.parts.size(); ++i) {
    for (const VertexAttribute& attribute : character.parts[painted.parts[i]].attributes) {
      if (attribute.name != "_STRENGTH" || attribute.components != 1) continue;
      for (size_t v = 0; v < painted.surface_of[i].size(); ++v) {
        out[painted.surface_of[i][v]] = std::max(0.0f, attribute.values[v]);
      }
    }
  }
  return out;
}

// Makes guides for the vertices within `reach` (a fraction of the longest side) of a painted surface. fade: their
// strength falls linearly with the distance, to zero at `reach`.
std::vector<Guide> GuidesFromSurface(const Subject& subject, const std::string& file, const Paint& paint, float reach,
                                     bool fade) {
  const Subject painted = MakeSubject(*paint.character, paint.file);
  const SkinWeights weights =
      TransferWeights(subject, painted, SurfaceWeights(painted, *paint.character), kMaxInfluences, file, paint.file);
  const std::vector<float> strengths = Strengths(painted, *paint.character);
  const SurfaceQuery query(painted.surface);
  std::vector<Guide> guides;
  for (int v = 0; v < subject.surface.vertex_count(); ++v) {
    const auto farthest = reach * static_cast<float>(subject.size);
    const auto near = query.Closest(subject.surface.positions.row(v).transpose(), farthest);
    if (!near) continue;
    double strength = 0;
    for (int k = 0; k < 3; ++k) {
      strength += near->barycentric[k] * strengths[painted.surface.triangles(near->triangle, k)];
    }
    if (fade) strength *= 1 - near->distance / farthest;
    if (strength <= 0) continue;
    for (size_t j = 0; j < subject.joints.size(); ++j) {
      float target = 0;
      for (int k = 0; k < weights.influences; ++k) {
        const size_t slot = static_cast<size_t>(v) * weights.influences + k;
        if (weights.joints[slot] == subject.joints[j]) target += weights.weights[slot];
      }
      guides.push_back({v, static_cast<int>(j), target, static_cast<float>(paint.strength * strength)});
    }
  }
  return guides;
}

// Weights of one vertex, one entry per joint of the skeleton.
std::vector<double> Row(const SkinWeights& weights, int vertex, int joints) {
  std::vector<double> row(joints, 0.0);
  for (int k = 0; k < weights.influences; ++k) {
    const size_t slot = static_cast<size_t>(vertex) * weights.influences + k;
    row[weights.joints[slot]] += weights.weights[slot];
  }
  return row;
}

// Sets the entries that `which` selects to zero, except for the largest `count`; returns the sum of these.
template <typename Which>
double KeepLargest(std::vector<double>& row, int count, const Which& which) {
  std::vector<int> order;
  for (int j = 0; j < static_cast<int>(row.size()); ++j) {
    if (which(j) && row[j] > 0) order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return row[a] > row[b]; });
  double sum = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    if (static_cast<int>(k) < count)
      sum += row[order[k]];
    else
      row[order[k]] = 0;
  }
  return sum;
}

// Merges the weights of one vertex: kept joints have their old weights, the others share what these leave.
std::vector<double> Merge(const std::vector<double>& fresh, const std::vector<double>& old,
                          const std::vector<bool>& kept, int l) {
  std::vector<double> row = fresh;
  const auto is_kept = [&](int j) { return kept[j]; };
  const auto is_free = [&](int j) { return !kept[j]; };
  for (size_t j = 0; j < row.size(); ++j) {
    if (kept[j]) row[j] = old[j];
  }
  const double held = KeepLargest(row, l, is_kept);
  const int slots = l - static_cast<int>(std::count_if(
                            row.begin(), row.end(), [&](const double& w) { return w > 0 && kept[&w - row.data()]; }));
  double rest = KeepLargest(row, slots, is_free);
  if (rest == 0 && held < 1) {
    // The new weights have only kept joints here: the old weights then decide who shares the rest.
    for (size_t j = 0; j < row.size(); ++j) {
      if (!kept[j]) row[j] = old[j];
    }
    rest = KeepLargest(row, slots, is_free);
  }
  for (size_t j = 0; j < row.size(); ++j) {
    if (!kept[j] && rest > 0) row[j] *= std::max(0.0, 1 - held) / rest;
  }
  return row;
}

}  // namespace

std::vector<Guide> GuidesFromPaint(const Subject& subject, const std::string& file, const Paint& paint) {
  if (paint.character == nullptr) return GuidesFromTable(subject, paint);
  std::vector<Guide> guides = GuidesFromSurface(subject, file, paint, kNear, false);
  if (guides.empty()) {
    throw InputError(paint.file, "", fmt::format("lies nowhere on the surface of {}", file),
                     "paint on the same mesh, or on a part or a level of it");
  }
  return guides;
}

std::vector<Guide> GuidesFromBody(const Subject& garment, const std::string& file, const Character& body,
                                  const std::string& body_file) {
  for (const int j : MakeSubject(body, body_file).joints) {
    const int own = garment.skeleton.Find(body.skeleton.joints[j].name);
    if (!std::binary_search(garment.joints.begin(), garment.joints.end(), own)) return {};
  }
  Paint paint;
  paint.file = body_file;
  paint.character = &body;
  return GuidesFromSurface(garment, file, paint, kOnTheSkin, true);
}

Kept MakeKept(const Subject& subject, const Character& character, const std::vector<std::string>& locks,
              const std::vector<bool>& mask, const std::string& file) {
  Kept kept;
  if (!locks.empty()) kept.joints.assign(subject.skeleton.joint_count(), false);
  for (const std::string& name : locks) {
    const int joint = subject.skeleton.Find(name);
    if (joint < 0 || !std::binary_search(subject.joints.begin(), subject.joints.end(), joint)) {
      throw UsageError(fmt::format("--lock {}: {} has no such joint that carries weight", name, file));
    }
    kept.joints[joint] = true;
  }
  if (mask.empty()) return kept;
  if (static_cast<int>(mask.size()) != character.vertex_count()) {
    throw UsageError(
        fmt::format("--mask: has {} entries, but {} has {} vertices", mask.size(), file, character.vertex_count()));
  }
  kept.vertices.assign(subject.surface.vertex_count(), false);
  size_t first = 0;
  for (size_t p = 0, i = 0; p < character.parts.size(); ++p) {
    if (i < subject.parts.size() && subject.parts[i] == static_cast<int>(p)) {
      for (size_t v = 0; v < subject.surface_of[i].size(); ++v) {
        if (mask[first + v]) kept.vertices[subject.surface_of[i][v]] = true;
      }
      ++i;
    }
    first += character.parts[p].mesh.vertex_count();
  }
  return kept;
}

std::vector<Guide> GuidesFromKept(const Subject& subject, const SkinWeights& old, const Kept& kept) {
  std::vector<Guide> guides;
  if (!kept.any()) return guides;
  for (int v = 0; v < subject.surface.vertex_count(); ++v) {
    const bool whole = !kept.vertices.empty() && kept.vertices[v];
    const std::vector<double> row = Row(old, v, subject.skeleton.joint_count());
    for (size_t j = 0; j < subject.joints.size(); ++j) {
      const int joint = subject.joints[j];
      if (!whole && (kept.joints.empty() || !kept.joints[joint])) continue;
      guides.push_back({v, static_cast<int>(j), static_cast<float>(row[joint]), kHold});
    }
  }
  return guides;
}

SkinWeights PutBack(const Subject& subject, const SkinWeights& weights, const SkinWeights& old, const Kept& kept,
                    int l) {
  if (!kept.any()) return weights;
  const int joints = subject.skeleton.joint_count();
  std::vector<int> all(joints);
  for (int j = 0; j < joints; ++j) all[j] = j;
  return StrongestWeights(subject.surface.vertex_count(), all, l, [&](int v, std::span<double> out) {
    const bool whole = !kept.vertices.empty() && kept.vertices[v];
    std::vector<double> row = Row(whole ? old : weights, v, joints);
    if (!whole && !kept.joints.empty()) row = Merge(row, Row(old, v, joints), kept.joints, l);
    std::copy(row.begin(), row.end(), out.begin());
  });
}

}  // namespace sinew::skincells
