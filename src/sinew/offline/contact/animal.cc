#include "sinew/offline/contact/animal.h"

#include "sinew/offline/embedded/implicit.h"
#include "sinew/offline/mesh/fill_surface.h"

namespace sinew::contact {
namespace {

using embedded::CutPlane;
using embedded::Ellipsoid;
using embedded::Limb;
using embedded::Section;

constexpr int kPoints = 25;
constexpr double kFootHeight = 0.14;  // of the nodes that the frame holds
// Largest loads as shares of Young's modulus: of the body force times the height, and of the pressure on a patch.
constexpr double kHeight = 0.9, kBodyLoad = 0.004, kPatchLoad = 0.02, kPatch = 0.2;

embedded::Sculpture Bird() {
  embedded::Sculpture bird;
  const int body = bird.AddGroup("body", -1, 0);
  bird.Add(body, 0, Ellipsoid({0, 0.38, 0}, {0.26, 0.24, 0.36}, 0));
  bird.Add(body, 0, Limb({0, 0.42, -0.26}, Section::Round(0.13), {0, 0.58, -0.42}, Section::Oval(0.09, 0.04), 0.12));
  embedded::Primitive wing = Ellipsoid({0.25, 0.4, -0.06}, {0.07, 0.12, 0.21}, 0.06);
  wing.mirrored = true;
  bird.Add(body, 0, wing);
  const int head = bird.AddGroup("head", body, 0.1);
  bird.Add(head, 0, Limb({0, 0.5, 0.18}, Section::Round(0.15), {0, 0.7, 0.24}, Section::Round(0.13), 0));
  bird.Add(head, 0, Ellipsoid({0, 0.72, 0.25}, {0.17, 0.175, 0.18}, 0.05));
  bird.Add(head, 0, Ellipsoid({0, 0.69, 0.45}, {0.085, 0.05, 0.11}, 0.05));
  const int leg = bird.AddGroup("leg", body, 0.06, true);
  bird.Add(leg, 0, Limb({0.13, 0.22, 0.0}, Section::Round(0.075), {0.15, 0.07, 0.04}, Section::Round(0.065), 0));
  bird.Add(leg, 0, Ellipsoid({0.16, 0.05, 0.11}, {0.1, 0.065, 0.15}, 0.05));
  bird.cuts.push_back(CutPlane({0, 0, 0}, {0, 1, 0}, 0.02));
  return bird;
}

}  // namespace

LoadedSolid MakeAnimal(const SolidOptions& options) {
  SolidParts parts;
  parts.mesh = FillWithTets(embedded::Implicit(Bird()), options.tets);
  for (int n = 0; n < parts.mesh.node_count(); ++n) {
    if (parts.mesh.positions(n, 1) < kFootHeight) parts.foot.push_back(n);
  }
  parts.handles = SpreadHandles(parts.mesh, parts.foot, kPoints);
  parts.graph = GraphOf(parts.mesh, parts.handles);
  parts.loads = {.body = kBodyLoad * options.young / kHeight,
                 .pressure = kPatchLoad * options.young,
                 .patch = kPatch,
                 .volume = SignedVolume(parts.mesh),
                 .area = SurfaceAreaOf(parts.mesh)};
  return {std::move(parts), options, "animal"};
}

}  // namespace sinew::contact
