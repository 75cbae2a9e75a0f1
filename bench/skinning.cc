#include "bench/skinning.h"

#include <span>
#include <utility>

#include "bench/floor.h"
#include "bench/scene.h"
#include "sinew/host/thread_pool.h"
#include "sinew/offline/tables/normal_builder.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/reference.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::bench {

using runtime::DualQuaternionJob;
using runtime::Float3;
using runtime::LinearBlendJob;
using runtime::NormalsJob;

namespace {

std::span<const float> Floats(const std::vector<Float3>& points) { return {&points[0].x, 3 * points.size()}; }
std::span<float> Floats(std::vector<Float3>& points) { return {&points[0].x, 3 * points.size()}; }

// One half of all streams.
FloorStreams Half(const FloorStreams& whole, int half) {
  const auto cut = [half](auto span) {
    return half == 0 ? span.first(span.size() / 2) : span.subspan(span.size() / 2);
  };
  FloorStreams streams = whole;
  for (int k = 0; k < 2; ++k) {
    streams.copied[k] = cut(whole.copied[k]);
    streams.copies[k] = cut(whole.copies[k]);
    streams.read[k] = cut(whole.read[k]);
  }
  return streams;
}

}  // namespace

struct Skinning::State {
  Scene scene = MakeScene();
  Weights full = MakeWeights({0, 0, 0, 100});
  Weights mix = MakeWeights({64, 22, 6, 8});
  tables::BuiltSkin full_skin = tables::BuildSkin(full.plain(), Scene::kJoints, "full");
  tables::BuiltSkin mix_skin = tables::BuildSkin(mix.plain(), Scene::kJoints, "mix");
  tables::RawSurface surface{scene.positions, {}, scene.triangles, {}};
  std::vector<uint32_t> groups = tables::SmoothingGroups(surface);
  tables::BuiltNormals normal_table = tables::BuildNormals(surface, "torus");
  host::ThreadPool two_threads{2};

  std::vector<Float3> positions{Scene::kVertices}, normals{Scene::kVertices}, sums{Scene::kVertices};
  FloorStreams halves[2];
  volatile float sink = 0, sinks[2] = {};

  runtime::SkinStreams Streams() {
    runtime::SkinStreams streams;
    streams.rest_positions = scene.positions;
    streams.rest_normals = scene.normals;
    streams.positions = positions;
    streams.normals = normals;
    return streams;
  }
  LinearBlendJob Linear(const tables::BuiltSkin& skin) {
    return {.table = &skin.table, .matrices = scene.matrices, .streams = Streams()};
  }
  DualQuaternionJob Dual(const tables::BuiltSkin& skin) {
    return {.table = &skin.table, .joints = scene.rigid, .streams = Streams()};
  }
  NormalsJob Normals() { return {.table = &normal_table.table, .positions = scene.positions, .normals = normals}; }

  void MoveHalves() {
    const auto move = [](void* state, int i) {
      auto* s = static_cast<State*>(state);
      s->sinks[i] = MoveBytes(s->halves[i]);
    };
    two_threads.Run(move, this, 2);
  }

  uint64_t HashSkinned() { return Hash(Floats(normals), Hash(Floats(positions))); }
  uint64_t HashNormals() { return Hash(Floats(normals)); }
};

Skinning::Skinning() : state_(std::make_unique<State>()) {}
Skinning::~Skinning() = default;

int Skinning::vertex_count() { return Scene::kVertices; }

std::vector<Entry> Skinning::Entries() {
  State* s = state_.get();
  const FloorStreams floor{{Floats(std::as_const(s->scene.positions)), Floats(std::as_const(s->scene.normals))},
                           {Floats(s->positions), Floats(s->normals)},
                           {std::as_bytes(std::span(s->full.joints)), std::as_bytes(std::span(s->full.weights))}};
  for (int i = 0; i < 2; ++i) s->halves[i] = Half(floor, i);
  const auto skinned = [s] { return s->HashSkinned(); };
  const auto normals = [s] { return s->HashNormals(); };
  LinearBlendJob full = s->Linear(s->full_skin), full_2 = full, mix = s->Linear(s->mix_skin), mix_2 = mix;
  DualQuaternionJob dual = s->Dual(s->full_skin);
  NormalsJob normals_1 = s->Normals(), normals_2 = normals_1;
  full_2.runner = mix_2.runner = normals_2.runner = &s->two_threads;
  return {
      {{"floor: bytes of 4 influences", [=] { s->sink = MoveBytes(floor); }, nullptr}, "floor", ""},
      {{"floor, 2 threads", [=] { s->MoveHalves(); }, nullptr}, "floor", ""},
      {{"linear 4, scalar", [=] { LinearBlendReference(full, s->full.plain()); }, skinned}, "linear", ""},
      {{"linear 4", [=] { full.Run(); }, skinned}, "linear", "linear 4, scalar"},
      {{"linear 4, 2 threads", [=] { full_2.Run(); }, skinned}, "linear", "linear 4, scalar"},
      {{"linear mix, scalar", [=] { LinearBlendReference(mix, s->mix.plain()); }, skinned}, "linear", ""},
      {{"linear mix", [=] { mix.Run(); }, skinned}, "linear", "linear mix, scalar"},
      {{"linear mix, 2 threads", [=] { mix_2.Run(); }, skinned}, "linear", "linear mix, scalar"},
      {{"dual 4, scalar", [=] { DualQuaternionReference(dual, s->full.plain()); }, skinned}, "dual", ""},
      {{"dual 4", [=] { dual.Run(); }, skinned}, "dual", "dual 4, scalar"},
      {{"normals, scalar", [=] { NormalsReference(normals_1, s->scene.triangles, s->groups, s->sums); }, normals},
       "normals",
       ""},
      {{"normals", [=] { normals_1.Run(); }, normals}, "normals", "normals, scalar"},
      {{"normals, 2 threads", [=] { normals_2.Run(); }, normals}, "normals", "normals, scalar"},
  };
}

}  // namespace sinew::bench
