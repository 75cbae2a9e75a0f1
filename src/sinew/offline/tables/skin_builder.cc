#include "sinew/offline/tables/skin_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/offline/core/error.h"

namespace sinew::tables {
namespace {

using runtime::kMaxInfluences;
using runtime::kTileVertices;
using runtime::SkinTable;

struct Influence {
  uint16_t joint;
  float weight;
};
using Influences = std::vector<Influence>;

[[noreturn]] void Refuse(const std::string& name, int vertex, const std::string& problem, const std::string& remedy) {
  throw InputError(name, "vertex " + std::to_string(vertex), problem, remedy);
}

// Returns the vertex's influences above zero, each joint once, strongest first, summing to 1.
Influences Clean(const runtime::PlainWeights& raw, int vertex, int joint_count, const std::string& name) {
  Influences clean;
  float sum = 0;
  for (int k = 0; k < raw.influences; ++k) {
    const uint16_t joint = raw.joints[static_cast<size_t>(vertex) * raw.influences + k];
    const float weight = raw.weights[static_cast<size_t>(vertex) * raw.influences + k];
    if (weight == 0) continue;
    if (!(weight > 0) || !std::isfinite(weight)) {
      Refuse(name, vertex, "has a weight of " + std::to_string(weight), "paint its weights again");
    }
    if (joint >= joint_count) {
      Refuse(name, vertex, "is moved by joint " + std::to_string(joint) + " of " + std::to_string(joint_count),
             "export the character again with all its joints");
    }
    sum += weight;
    const auto same = std::find_if(clean.begin(), clean.end(), [&](const Influence& i) { return i.joint == joint; });
    if (same != clean.end()) {
      same->weight += weight;
    } else {
      clean.push_back({joint, weight});
    }
  }
  if (clean.empty()) Refuse(name, vertex, "has no weight", "give every vertex at least one joint");
  if (clean.size() > kMaxInfluences) {
    Refuse(name, vertex, "is moved by " + std::to_string(clean.size()) + " joints, more than 8",
           "limit its influences");
  }
  for (Influence& influence : clean) influence.weight /= sum;
  std::stable_sort(clean.begin(), clean.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  return clean;
}

struct Arrays {
  std::vector<SkinTable::Tile> tiles;
  std::vector<uint16_t> order;
  std::vector<uint16_t> joints;
  std::vector<float> weights;
};

void AppendRun(const std::vector<Influences>& vertices, int first, int count, size_t k, SkinTable::Tile& tile,
               Arrays& out) {
  std::vector<uint16_t> run;
  for (int i = 0; i < count; ++i) {
    if (vertices[first + i].size() == k) run.push_back(static_cast<uint16_t>(i));
  }
  for (const uint16_t i : run) {
    out.order.push_back(i);
    for (const Influence& influence : vertices[first + i]) {
      out.joints.push_back(influence.joint);
      if (k > 1) out.weights.push_back(influence.weight);
    }
  }
  tile.counts[k - 1] = static_cast<uint16_t>(run.size());
  const bool consecutive = !run.empty() && run.back() - run.front() + 1 == static_cast<int>(run.size());
  if (consecutive) tile.consecutive |= 1u << (k - 1);
}

Arrays Arrange(const std::vector<Influences>& vertices) {
  Arrays out;
  const int vertex_count = static_cast<int>(vertices.size());
  for (int first = 0; first < vertex_count; first += kTileVertices) {
    SkinTable::Tile tile{};
    tile.first_joint = static_cast<uint32_t>(out.joints.size());
    tile.first_weight = static_cast<uint32_t>(out.weights.size());
    const int count = std::min(kTileVertices, vertex_count - first);
    for (size_t k = 1; k <= kMaxInfluences; ++k) AppendRun(vertices, first, count, k, tile, out);
    out.order.resize(out.order.size() + kTileVertices - count, 0);
    out.tiles.push_back(tile);
  }
  return out;
}

}  // namespace

BuiltSkin BuildSkin(const runtime::PlainWeights& weights, int joint_count, const std::string& name) {
  const int vertex_count = weights.influences == 0 ? 0 : static_cast<int>(weights.joints.size()) / weights.influences;
  std::vector<Influences> vertices;
  vertices.reserve(vertex_count);
  size_t most = 0;
  for (int v = 0; v < vertex_count; ++v) {
    vertices.push_back(Clean(weights, v, joint_count, name));
    most = std::max(most, vertices.back().size());
  }
  const Arrays arrays = Arrange(vertices);

  SkinTable::Header header{};
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.magic = SkinTable::Header::kMagic;
  header.vertex_count = static_cast<uint32_t>(vertex_count);
  header.joint_count = static_cast<uint32_t>(joint_count);
  header.max_influences = static_cast<uint32_t>(most);
  header.tile_count = static_cast<uint32_t>(arrays.tiles.size());
  header.joint_entries = static_cast<uint32_t>(arrays.joints.size());
  header.weight_entries = static_cast<uint32_t>(arrays.weights.size());
  header.tiles_offset = layout.Add(arrays.tiles);
  header.order_offset = layout.Add(arrays.order);
  header.joints_offset = layout.Add(arrays.joints);
  header.weights_offset = layout.Add(arrays.weights, 16);
  header.bytes = layout.bytes();

  BuiltSkin built{layout.Write(header), {}};
  if (SkinTable::Open(built.block.bytes(), &built.table) != runtime::Status::kOk) {
    throw FailedError(name + ": its skin table does not open");
  }
  return built;
}

}  // namespace sinew::tables
