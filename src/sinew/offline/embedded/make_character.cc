#include "sinew/offline/embedded/make_character.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/carry.h"
#include "sinew/offline/embedded/mend_patches.h"
#include "sinew/offline/embedded/skin_weights.h"
#include "sinew/offline/remesh/remesh.h"

namespace sinew::embedded {
namespace {

// Returns the box around the meshed part of a figure; the half with x >= 0 for a symmetric kind.
Eigen::AlignedBox3d MeshDomain(const Kind& kind, const Figure& figure) {
  Eigen::AlignedBox3d domain = figure.domain;
  if (kind.symmetric) domain.min().x() = 0;
  return domain;
}

// Interleaves the bits of x, y and z: sorted by this code, points near in space are near in memory.
uint64_t MortonCode(const Eigen::Vector3d& point, const Eigen::AlignedBox3d& box) {
  uint64_t code = 0;
  const double size = box.sizes().maxCoeff();
  for (int k = 0; k < 3; ++k) {
    const auto cell = static_cast<uint64_t>((point[k] - box.min()[k]) / size * 1023);
    for (int bit = 0; bit < 10; ++bit) code |= ((cell >> bit) & 1) << (3 * bit + k);
  }
  return code;
}

FineMesh SortInSpace(const FineMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : mesh.positions) box.extend(p);
  std::vector<std::pair<uint64_t, int>> order;
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    order.emplace_back(MortonCode(mesh.positions[v], box), static_cast<int>(v));
  }
  std::sort(order.begin(), order.end());
  FineMesh sorted = mesh;
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) {
    place[order[k].second] = static_cast<int>(k);
    sorted.positions[k] = mesh.positions[order[k].second];
  }
  for (Eigen::Vector3i& t : sorted.triangles) t = {place[t[0]], place[t[1]], place[t[2]]};
  const auto first = [](const Eigen::Vector3i& t) { return t.minCoeff(); };
  std::stable_sort(sorted.triangles.begin(), sorted.triangles.end(),
                   [&](const Eigen::Vector3i& a, const Eigen::Vector3i& b) { return first(a) < first(b); });
  return sorted;
}

// Returns Group::spare at a point of the surface, blended between the groups that own it.
double SpareAt(const Sculpture& sculpture, const Implicit& surface, const Vector3d& point) {
  double spare = 0;
  for (const Owner& owner : surface.Owners(point, false)) spare += owner.weight * sculpture.groups[owner.group].spare;
  return spare;
}

FineMesh MeshNeutral(const Kind& kind, const Figure& figure, const Implicit& surface, int vertices) {
  if (vertices < kFewestVertices || vertices > kMaxVertices) {
    throw UsageError(
        fmt::format("{} vertices are out of range; give {} to {}", vertices, kFewestVertices, kMaxVertices));
  }
  RemeshOptions options;
  options.vertex_count = vertices;
  options.domain = MeshDomain(kind, figure);
  options.half = kind.symmetric;
  options.size.smallest_radius = 1.5 * kind.grid;
  options.size.spare = [&](const Vector3d& point) { return SpareAt(figure.sculpture, surface, point); };
  return SortInSpace(Remesh(surface, ExtractSurface(surface, kind.grid, options.domain), options));
}

// Returns for each vertex whether it is on a face of the box around the mesh, as the middle of a symmetric figure is.
std::vector<bool> OnFaces(const Eigen::AlignedBox3d& domain, const FineMesh& mesh) {
  std::vector<bool> on;
  for (const Vector3d& p : mesh.positions) on.push_back(DomainFaces(domain, p) != 0);
  return on;
}

// Interpolates between two shapes; share 1 gives exactly `to`.
Shape Between(const Shape& from, const Shape& to, double share) {
  if (share == 1) return to;
  Shape between = to;  // whose ranges contain those of `from`
  for (size_t i = 0; i < to.values().size(); ++i) {
    between.Set(to.parameters()[i].name, from.values()[i] + share * (to.values()[i] - from.values()[i]));
  }
  return between;
}

Skin MakeSkin(const Figure& figure, const std::string& name) {
  Skin skin;
  skin.name = name;
  for (const FigureJoint& joint : figure.joints) {
    skin.inverse_bind.emplace_back(Eigen::Translation3f((-joint.position).cast<float>()));
    skin.has_joint.push_back(true);
  }
  return skin;
}

}  // namespace

CharacterMaker::CharacterMaker(const Kind& kind, int vertices)
    : kind_(kind),
      neutral_(kind.build(Shape(kind.parameters))),
      surface_(neutral_.sculpture),
      mesh_(MeshNeutral(kind, neutral_, surface_, vertices)),
      weights_(MakeSkinWeights(neutral_, surface_, mesh_, kind.symmetric)) {}

// Transfers the neutral mesh to a shape in one step if that works; otherwise in 2, 4 or 8 steps over shapes in between.
// Small patches that run into themselves are mended.
FineMesh CharacterMaker::MeshOf(const Shape& shape) const {
  const Shape neutral(kind_.parameters);
  if (shape.values() == neutral.values()) return mesh_;
  for (const int steps : {1, 2, 4, 8}) {
    FineMesh mesh = mesh_;
    Figure before = neutral_;
    int folded = 0;
    for (int step = 1; step <= steps && folded == 0; ++step) {
      const Figure figure = kind_.build(Between(neutral, shape, static_cast<double>(step) / steps));
      const Implicit from(before.sculpture), to(figure.sculpture);
      mesh = CarryMesh({from, MeshDomain(kind_, before)}, mesh, {to, MeshDomain(kind_, figure)}, folded);
      before = figure;
    }
    if (folded == 0 && MendPatches(mesh_, OnFaces(MeshDomain(kind_, before), mesh), mesh)) return mesh;
  }
  throw FailedError("this shape folds the surface over; take parameters nearer to neutral");
}

Character CharacterMaker::Make(const Shape& shape) const {
  const Figure figure = kind_.build(shape);
  FineMesh mesh = MeshOf(shape);
  if (kind_.symmetric) mesh = Mirror(mesh);
  Character character;
  character.name = kind_.name;
  character.skeleton = SkeletonOf(figure.joints);
  character.skins.push_back(MakeSkin(figure, kind_.name));
  Part part;
  part.name = kind_.name;
  part.mesh = ToTriMesh(mesh);
  part.normals = VertexNormals(part.mesh);
  part.weights = weights_;
  part.skin = 0;
  character.parts.push_back(std::move(part));
  character.extras = Json::object();
  const auto limits = kind_.limits != nullptr ? kind_.limits(figure) : FindLimits(character.skeleton, {});
  StoreLimitsInExtras(limits, character);
  if (kind_.animations != nullptr) character.animations = kind_.animations(figure);
  return character;
}

Character MakeCharacter(const Kind& kind, const Shape& shape, int vertices) {
  return CharacterMaker(kind, vertices).Make(shape);
}

}  // namespace sinew::embedded
