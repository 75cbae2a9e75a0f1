#include "bench/contact.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "bench/scene.h"
#include "sinew/offline/tables/contact_builder.h"
#include "sinew/runtime/base/tiles.h"
#include "sinew/runtime/contact/contact_tile.h"
#include "tests/support/contact_fields.h"

namespace sinew::bench {

using runtime::Float3;
using runtime::kTileVertices;

namespace {

constexpr int kWidth = 128;  // of the hidden layer

float Distance(const Float3& a, const Float3& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

// A sphere on the torus whose window, as wide as its radius, holds `share` of the vertices.
struct Ball {
  Ball(const Scene& scene, double share) {
    const Float3& place = scene.positions[Scene::kVertices / 2];
    std::vector<float> distances;
    for (const Float3& p : scene.positions) distances.push_back(Distance(p, place));
    std::sort(distances.begin(), distances.end());
    const float reach = distances[static_cast<size_t>(share * Scene::kVertices)];
    contact =
        tables::BuildContact({testing::SphereField({.joints = Scene::kJoints, .width = kWidth, .radius = reach / 2})});
    collider.pose.m[12] = place.x;
    collider.pose.m[13] = place.y;
    collider.pose.m[14] = place.z;
  }
  tables::BuiltContact contact;
  runtime::Collider collider;
};

}  // namespace

struct Contact::State {
  Scene scene = MakeScene();
  Weights full = MakeWeights({0, 0, 0, 100});
  tables::BuiltSkin skin = tables::BuildSkin(full.plain(), Scene::kJoints, "full");
  Ball wide{scene, 0.05}, narrow{scene, 0.01};
  std::vector<Float3> positions = scene.positions, normals = scene.normals;
  std::vector<int16_t> slots;
  std::vector<runtime::Bounds> boxes;  // of the tiles, which skinning gives
  Block memory;

  State() {
    for (int j = 0; j < Scene::kJoints; ++j) slots.push_back(static_cast<int16_t>(j));
    for (int first = 0; first < Scene::kVertices; first += kTileVertices) {
      runtime::Bounds box = runtime::kEmptyBounds;
      for (int v = first; v < std::min(first + kTileVertices, Scene::kVertices); ++v) {
        runtime::Extend(box, {scene.positions[v], scene.positions[v]});
      }
      boxes.push_back(box);
    }
    memory = Block(runtime::PosedFieldFloats(wide.contact.table, slots.size()) * sizeof(float));
  }

  // All that a frame does for the collider, and its vertices put back first.
  void Press(const Ball& ball, bool with_normals) {
    runtime::PosedField posed;
    runtime::PoseField(ball.contact.table, ball.collider, scene.matrices, slots,
                       reinterpret_cast<float*>(memory.bytes().data()), &posed);
    runtime::Touch touch;
    for (int t = 0; t < static_cast<int>(boxes.size()); ++t) {
      if (!runtime::MeetsWindow({&posed, 1}, boxes[t])) continue;
      const int first = t * kTileVertices, count = std::min(kTileVertices, Scene::kVertices - first);
      runtime::FeelTile({&posed, 1}, skin.table, t, std::span(scene.positions).subspan(first, count), &touch);
    }
    runtime::SetTouch(touch, posed);
    for (int t = 0; t < static_cast<int>(boxes.size()); ++t) {
      if (!runtime::MeetsWindow({&posed, 1}, boxes[t])) continue;
      const int first = t * kTileVertices, count = std::min(kTileVertices, Scene::kVertices - first);
      std::copy_n(scene.positions.begin() + first, count, positions.begin() + first);
      std::copy_n(scene.normals.begin() + first, count, normals.begin() + first);
      runtime::ContactStreams streams;
      streams.positions = std::span(positions).subspan(first, count);
      if (with_normals) streams.normals = std::span(normals).subspan(first, count);
      runtime::ContactTile({&posed, 1}, skin.table, t, streams);
    }
  }
};

Contact::Contact() : state_(std::make_unique<State>()) {}
Contact::~Contact() = default;

std::vector<Entry> Contact::Entries() {
  State* s = state_.get();
  const auto entry = [s](const char* name, const Ball& ball, bool with_normals) {
    const auto hash = [s] { return Hash({&s->positions[0].x, 3 * s->positions.size()}); };
    return Entry{{name, [s, &ball, with_normals] { s->Press(ball, with_normals); }, hash}, "contact", "", ""};
  };
  return {entry("contact, 1% in the window", s->narrow, false), entry("contact, 5% in the window", s->wide, false),
          entry("contact, 5%, turned normals", s->wide, true)};
}

}  // namespace sinew::bench
