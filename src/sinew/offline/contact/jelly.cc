#include "sinew/offline/contact/jelly.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/tet_block.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3d;
using elasticity::HandleKind;
using elasticity::HeldNodes;

constexpr double kWidth = 1, kHeight = 0.6;
constexpr double kFootRadius = 0.25;
// Largest loads as shares of Young's modulus: of the body force times the height, and of the pressure on a patch, whose
// radius is kPatch in metre.
constexpr double kBodyLoad = 0.08, kPatchLoad = 0.15, kPatch = 0.3;
constexpr int kFewestTets = 500;

// The block with the number of tetrahedra nearest to the wanted one, centred at the origin.
TetMesh MakeBlock(int tets) {
  if (tets < kFewestTets) {
    throw UsageError(fmt::format("a jelly of {} tetrahedra; give at least {}", tets, kFewestTets));
  }
  const auto block = [](int cubes) {
    const int high = std::max(1, static_cast<int>(std::lround(cubes * kHeight / kWidth)));
    TetMesh mesh = MakeTetBlock({cubes, high, cubes}, 1);
    const Eigen::RowVector3d counts(cubes, high, cubes), size(kWidth, kHeight, kWidth);
    mesh.positions = (mesh.positions.rowwise() - counts / 2).array().rowwise() * (size.array() / counts.array());
    return mesh;
  };
  int cubes = 2;
  TetMesh below = block(cubes), above = block(cubes + 1);
  while (above.tet_count() < tets) {
    below = std::move(above);
    above = block(++cubes + 1);
  }
  return above.tet_count() - tets < tets - below.tet_count() ? above : below;
}

// Nodes near the middle of the base, of its lowest two layers, so that they are not in one plane.
std::vector<int> FootOf(const TetMesh& mesh) {
  double second = kHeight;
  for (int n = 0; n < mesh.node_count(); ++n) {
    const double height = mesh.positions(n, 1) + kHeight / 2;
    if (height > 1e-9) second = std::min(second, height);
  }
  std::vector<int> foot;
  for (int n = 0; n < mesh.node_count(); ++n) {
    const double off = std::hypot(mesh.positions(n, 0), mesh.positions(n, 2));
    if (off <= kFootRadius && mesh.positions(n, 1) + kHeight / 2 <= second * 1.001) foot.push_back(n);
  }
  return foot;
}

// Frame first, then the points of the middle layer and those on top.
std::vector<HeldNodes> HoldJelly(const TetMesh& mesh) {
  std::vector<HeldNodes> held = {{HandleKind::kFrame, FootOf(mesh)}};
  for (int i = 0; i < 18; ++i) {
    const Vector3d at((i % 3 - 1) * kWidth / 2, i / 9 * kHeight / 2, (i / 3 % 3 - 1) * kWidth / 2);
    held.push_back({HandleKind::kPoint, {NearestNode(mesh, at)}});
  }
  return held;
}

// The foot with the middle layer, each point there with the one above it, and neighbours on top.
ContactObject::Pairs JellyGraph() {
  ContactObject::Pairs graph;
  for (int i = 0; i < 9; ++i) {
    graph.emplace_back(0, 1 + i);
    graph.emplace_back(1 + i, 10 + i);
    if (i % 3 < 2) graph.emplace_back(10 + i, 11 + i);
    if (i < 6) graph.emplace_back(10 + i, 13 + i);
  }
  return graph;
}

}  // namespace

LoadedSolid MakeJelly(const SolidOptions& options) {
  SolidParts parts;
  parts.mesh = MakeBlock(options.tets);
  parts.handles = HoldJelly(parts.mesh);
  parts.graph = JellyGraph();
  parts.foot = parts.handles[0].nodes;
  parts.loads = {.body = kBodyLoad * options.young / kHeight,
                 .pressure = kPatchLoad * options.young,
                 .patch = kPatch,
                 .volume = kWidth * kHeight * kWidth,
                 .area = 2 * kWidth * (kWidth + 2 * kHeight)};
  return {std::move(parts), options, "jelly"};
}

}  // namespace sinew::contact
