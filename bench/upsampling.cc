#include "bench/upsampling.h"

#include <span>

#include "bench/floor.h"
#include "bench/levels.h"
#include "sinew/host/thread_pool.h"
#include "sinew/offline/tables/upsampling_builder.h"
#include "sinew/runtime/multires/upsampling.h"

namespace sinew::bench {

using runtime::Float3;
using runtime::Float4;
using runtime::StridedSpan;
using runtime::UpsamplingJob;
using runtime::VertexOrder;

namespace {

// The tables of one pair of levels, and the coarse level as each of them reads it.
struct Tables {
  explicit Tables(FileOrder order) : levels(MakeLevels(order)) {
    coarse_order = tables::CoarsestOrder(levels.raw());
    fine_order = tables::FollowingOrder(levels.raw(), coarse_order);
    internal = tables::BuildUpsampling(levels.raw(), {.fine = fine_order, .coarse = coarse_order}, "internal");
    file = tables::BuildUpsampling(levels.raw(), {}, "file");
    for (const uint32_t v : coarse_order) packed_coarse.push_back(levels.coarse[v]);
    for (const Float3& p : packed_coarse) padded_coarse.push_back({p.x, p.y, p.z, 0});
    for (const Float3& p : levels.coarse) padded_file_coarse.push_back({p.x, p.y, p.z, 0});
  }

  Levels levels;
  std::vector<uint32_t> coarse_order, fine_order;
  tables::BuiltUpsampling internal, file;
  std::vector<Float3> packed_coarse;
  std::vector<Float4> padded_coarse, padded_file_coarse;
};

StridedSpan<const Float3> Points(const std::vector<Float4>& padded) {
  return {reinterpret_cast<const Float3*>(padded.data()), padded.size(), sizeof(Float4)};
}

}  // namespace

struct Upsampling::State {
  Tables patches{FileOrder::kPatches}, shuffled{FileOrder::kShuffled};
  host::ThreadPool two_threads{2};
  std::vector<Float3> fine{Levels::kFine};
  FloorStreams whole, halves[2];
  volatile float sink = 0, sinks[2] = {};

  State() {
    // All of the table but its order, which nobody reads who stays in internal order.
    const runtime::UpsamplingTable& table = patches.internal.table;
    const std::span<const std::byte> block = patches.internal.block.bytes();
    const auto* order = reinterpret_cast<const std::byte*>(table.order(0));
    whole.read[0] = block.first(static_cast<size_t>(order - block.data()));
    whole.read[1] = std::as_bytes(std::span(patches.padded_coarse));
    whole.written = Floats();
    for (size_t i = 0; i < 2; ++i) {
      const auto half = [i](auto span) {
        const size_t middle = span.size() / 2 / 64 * 64;
        return i == 0 ? span.first(middle) : span.subspan(middle);
      };
      halves[i].read[0] = half(whole.read[0]);
      halves[i].read[1] = half(whole.read[1]);
      halves[i].written = half(whole.written);
    }
  }

  std::span<float> Floats() { return {&fine[0].x, 3 * fine.size()}; }
  void MoveHalves() {
    const auto move = [](void* state, int i) {
      auto* s = static_cast<State*>(state);
      s->sinks[i] = MoveBytes(s->halves[i]);
    };
    two_threads.Run(move, this, 2);
  }
  UpsamplingJob Job(const tables::BuiltUpsampling& built, StridedSpan<const Float3> coarse, VertexOrder order) {
    return {.table = &built.table, .coarse = coarse, .fine = fine, .order = order};
  }
  UpsamplingJob Internal(const Tables& t) { return Job(t.internal, Points(t.padded_coarse), VertexOrder::kInternal); }
  UpsamplingJob File(const Tables& t) { return Job(t.file, Points(t.padded_file_coarse), VertexOrder::kFile); }
};

Upsampling::Upsampling() : state_(std::make_unique<State>()) {}
Upsampling::~Upsampling() = default;

std::vector<Entry> Upsampling::Entries() {
  State* s = state_.get();
  const Tables &patches = s->patches, &shuffled = s->shuffled;
  const std::string floor = "upsampling floor", plain = "upsampling, plain float";
  const auto plain_loop = [s](const Tables& t) {
    return [s, &t] { UpsamplingReference({.coarse = std::span(t.levels.coarse), .fine = s->fine}, t.levels.plain()); };
  };
  const auto hash = [s] { return Hash(s->Floats()); };
  const auto entry = [&](const char* name, UpsamplingJob job, const std::string& scalar) {
    return Entry{{name, [job] { job.Run(); }, hash}, "upsampling", scalar, floor};
  };
  UpsamplingJob two_threads = s->Internal(patches);
  two_threads.runner = &s->two_threads;
  const UpsamplingJob to_file = s->Job(patches.internal, Points(patches.padded_coarse), VertexOrder::kFile);
  const UpsamplingJob from_packed = s->Job(patches.internal, std::span(patches.packed_coarse), VertexOrder::kInternal);
  return {
      {{floor, [s] { s->sink = MoveBytes(s->whole); }, nullptr}, "upsampling", "", floor},
      {{"upsampling floor, 2 threads", [s] { s->MoveHalves(); }, nullptr}, "upsampling", "", floor},
      {{plain, plain_loop(patches), hash}, "upsampling", "", floor},
      entry("upsampling", s->Internal(patches), plain),
      entry("upsampling, 2 threads", two_threads, plain),
      entry("upsampling, coarse not padded", from_packed, plain),
      entry("upsampling, order of the file", s->File(patches), plain),
      entry("upsampling, back to file order", to_file, plain),
      {{"shuffled, plain float", plain_loop(shuffled), hash}, "upsampling", "", floor},
      entry("shuffled, order of the file", s->File(shuffled), "shuffled, plain float"),
      entry("shuffled, internal order", s->Internal(shuffled), "shuffled, plain float"),
  };
}

}  // namespace sinew::bench
