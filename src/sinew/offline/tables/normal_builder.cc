#include "sinew/offline/tables/normal_builder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "sinew/offline/core/error.h"

namespace sinew::tables {
namespace {

using runtime::Float3;
using runtime::NormalTable;

// Largest number of triangles of a group that is stored as a chain. Larger groups are stored as plain triangles: a tile
// would hold little else.
constexpr size_t kFanTriangles = 128;
constexpr size_t kTileGroups = 256;

bool SamePlace(const Float3& a, const Float3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool SameWeights(const runtime::PlainWeights& w, uint32_t a, uint32_t b) {
  for (int k = 0; k < w.influences; ++k) {
    const size_t i = static_cast<size_t>(a) * w.influences + k, j = static_cast<size_t>(b) * w.influences + k;
    if (w.joints[i] != w.joints[j] || w.weights[i] != w.weights[j]) return false;
  }
  return true;
}

bool SameNormal(std::span<const Float3> normals, uint32_t a, uint32_t b) {
  if (normals.empty()) return true;
  constexpr float kCosOfOneDegree = 0.99984770f;
  const Float3 &n = normals[a], &m = normals[b];
  return n.x * m.x + n.y * m.y + n.z * m.z >= kCosOfOneDegree;
}

// Returns for each vertex the first vertex of its class: among those at the same position, the first that `same` holds
// for. Vertices are compared only with the first of each class, so that the result does not depend on chains of
// near-equal ones.
template <typename Same>
std::vector<uint32_t> FirstOfClass(const RawSurface& surface, const Same& same) {
  const auto count = static_cast<uint32_t>(surface.positions.size());
  std::vector<uint32_t> sorted(count), first(count);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
    const Float3 &p = surface.positions[a], &q = surface.positions[b];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z < q.z;
  });
  std::vector<uint32_t> classes;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const uint32_t v = sorted[i];
    if (i == 0 || !SamePlace(surface.positions[sorted[i - 1]], surface.positions[v])) classes.clear();
    const auto found = std::find_if(classes.begin(), classes.end(), [&](uint32_t other) { return same(other, v); });
    first[v] = found != classes.end() ? *found : v;
    if (found == classes.end()) classes.push_back(v);
  }
  return first;
}

// Returns the distance of p along a space-filling curve through the mesh's bounding box: points near each other on it
// are near in space.
uint64_t MortonCode(const Float3& p, const Float3& low, float scale) {
  uint64_t code = 0;
  const float offset[3] = {p.x - low.x, p.y - low.y, p.z - low.z};
  for (int axis = 0; axis < 3; ++axis) {
    const auto cell = static_cast<uint64_t>(std::clamp(offset[axis] * scale, 0.0f, 2097151.0f));
    for (int bit = 0; bit < 21; ++bit) code |= ((cell >> bit) & 1) << (3 * bit + axis);
  }
  return code;
}

struct Group {
  uint32_t vertex;                // its first vertex
  std::vector<uint32_t> corners;  // entries of the triangle array that name its vertices, ascending
  std::vector<uint32_t> others;   // its other vertices
};

std::vector<Group> GatherGroups(const RawSurface& surface, const std::vector<uint32_t>& group_of) {
  std::vector<Group> groups(group_of.empty() ? 0 : *std::max_element(group_of.begin(), group_of.end()) + 1);
  std::vector<bool> seen(groups.size(), false);
  for (uint32_t v = 0; v < group_of.size(); ++v) {
    Group& group = groups[group_of[v]];
    if (seen[group_of[v]]) {
      group.others.push_back(v);
    } else {
      group.vertex = v;
    }
    seen[group_of[v]] = true;
  }
  for (uint32_t c = 0; c < surface.triangles.size(); ++c) {
    groups[group_of[surface.triangles[c]]].corners.push_back(c);
  }
  std::erase_if(groups, [](const Group& group) { return group.corners.empty(); });
  return groups;
}

void SortAlongCurve(const RawSurface& surface, std::vector<Group>& groups) {
  Float3 low = surface.positions.empty() ? Float3{} : surface.positions[0], high = low;
  for (const Float3& p : surface.positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const float extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-30f});
  std::vector<std::pair<uint64_t, uint32_t>> keys;
  for (uint32_t g = 0; g < groups.size(); ++g) {
    keys.emplace_back(MortonCode(surface.positions[groups[g].vertex], low, 2097151.0f / extent), g);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Group> sorted;
  sorted.reserve(groups.size());
  for (const auto& [key, g] : keys) sorted.push_back(std::move(groups[g]));
  groups = std::move(sorted);
}

// A triangle of a group, without the group's own corner.
struct Edge {
  uint32_t from, to;
};

// Removes from `unused` a trail of edges, each starting where the one before it ends, that begins with edge `start`,
// and returns its points. If several edges continue it, the first one is taken.
std::vector<uint32_t> TakeTrail(std::vector<Edge>& unused, size_t start) {
  std::vector<uint32_t> trail = {unused[start].from, unused[start].to};
  unused.erase(unused.begin() + static_cast<std::ptrdiff_t>(start));
  for (;;) {
    const auto next =
        std::find_if(unused.begin(), unused.end(), [&](const Edge& edge) { return edge.from == trail.back(); });
    if (next == unused.end()) return trail;
    trail.push_back(next->to);
    unused.erase(next);
  }
}

// Strings all edges into one chain around `center` (normal_table.h) and returns its points: an odd number, at least
// three.
std::vector<uint32_t> StringChain(std::vector<Edge> unused, uint32_t center) {
  std::vector<uint32_t> chain;
  while (!unused.empty()) {
    // A trail that starts where no other edge ends is a whole fan; if there is none, only closed rings are left.
    size_t start = 0;
    const auto is_end = [&](uint32_t point) {
      return std::any_of(unused.begin(), unused.end(), [&](const Edge& edge) { return edge.to == point; });
    };
    while (start < unused.size() && is_end(unused[start].from)) ++start;
    const std::vector<uint32_t> trail = TakeTrail(unused, start < unused.size() ? start : 0);
    if (!chain.empty()) chain.push_back(center);
    chain.insert(chain.end(), trail.begin(), trail.end());
    if (chain.size() % 2 == 0) chain.push_back(center);
  }
  return chain;
}

// All arrays that the table stores, filled tile by tile.
class Tiler {
 public:
  Tiler(const RawSurface& surface, std::vector<uint32_t> place_of)
      : surface_(surface), place_of_(std::move(place_of)) {}

  void Add(const Group& group) {
    if (group.corners.size() > kFanTriangles) {
      // At most one fan per tile: fans are the only work whose size a tile does not bound.
      if (fan_ != nullptr) Finish();
      fan_ = &group;
      return;
    }
    std::vector<uint32_t> chain = {place_of_[group.vertex]};
    const std::vector<uint32_t> points = StringChain(Edges(group), chain[0]);
    chain.insert(chain.end(), points.begin(), points.end());
    if (!Holds(chain)) Finish();
    for (uint32_t& point : chain) point = Local(point);
    std::vector<Member>& same_length = members_[chain.size()];
    same_length.push_back({&group, std::move(chain)});
    ++group_count_;
  }

  void Finish() {
    if (members_.empty() && fan_ == nullptr) return;
    NormalTable::Tile tile{};
    tile.first_local = Size(locals);
    tile.first_run = Size(runs);
    tile.first_chain = Size(chains);
    tile.first_group = Size(representatives);
    tile.first_copy = Size(copies);
    tile.first_fan = Size(fans);
    AppendGroups();
    if (fan_ != nullptr) AppendFan(*fan_);
    locals.insert(locals.end(), tile_locals_.begin(), tile_locals_.end());
    tile.locals = static_cast<uint16_t>(tile_locals_.size());
    tile.runs = static_cast<uint16_t>(runs.size() - tile.first_run);
    tile.copies = static_cast<uint32_t>(copies.size() - tile.first_copy);
    tile.fans = static_cast<uint16_t>(fans.size() - tile.first_fan);
    tiles.push_back(tile);
    Clear();
  }

  std::vector<NormalTable::Tile> tiles;
  std::vector<uint32_t> locals;
  std::vector<NormalTable::Run> runs;
  std::vector<uint16_t> chains;
  std::vector<uint32_t> representatives;
  std::vector<NormalTable::Copy> copies;
  std::vector<NormalTable::Fan> fans;
  std::vector<uint32_t> fan_corners;

 private:
  struct Member {
    const Group* group;
    std::vector<uint32_t> chain;  // indices into tile_locals_
  };

  template <typename T>
  static uint32_t Size(const std::vector<T>& array) {
    return static_cast<uint32_t>(array.size());
  }

  // Vertices at the same position that move together keep one position: the first of them is used for all.
  uint32_t Corner(uint32_t corner) const { return place_of_[surface_.triangles[corner]]; }

  std::vector<Edge> Edges(const Group& group) const {
    std::vector<Edge> edges;
    for (const uint32_t corner : group.corners) {
      const uint32_t first = corner / 3 * 3, k = corner % 3;
      edges.push_back({Corner(first + (k + 1) % 3), Corner(first + (k + 2) % 3)});
    }
    return edges;
  }

  // Whether the current tile has room for one more group with this chain.
  bool Holds(const std::vector<uint32_t>& chain) const {
    const auto fresh = std::count_if(chain.begin(), chain.end(), [&](uint32_t v) { return !local_.contains(v); });
    return group_count_ < kTileGroups && tile_locals_.size() + static_cast<size_t>(fresh) <= NormalTable::kMaxLocals;
  }

  // Returns the index of a vertex in the current tile's locals, adding it if it is new.
  uint32_t Local(uint32_t vertex) {
    const auto [it, fresh] = local_.try_emplace(vertex, Size(tile_locals_));
    if (fresh) tile_locals_.push_back(vertex);
    return it->second;
  }

  void AppendGroups() {
    for (const auto& [length, members] : members_) {
      runs.push_back({static_cast<uint16_t>((length - 2) / 2), static_cast<uint16_t>(members.size())});
      for (const Member& member : members) {
        representatives.push_back(member.group->vertex);
        for (const uint32_t local : member.chain) chains.push_back(static_cast<uint16_t>(4 * local));
        AppendCopies(*member.group);
      }
    }
  }

  void AppendFan(const Group& group) {
    fans.push_back({group.vertex, Size(fan_corners), Size(group.corners)});
    for (const uint32_t corner : group.corners) {
      for (uint32_t k = 0; k < 3; ++k) fan_corners.push_back(Corner(corner / 3 * 3 + k));
    }
    AppendCopies(group);
  }

  void AppendCopies(const Group& group) {
    for (const uint32_t other : group.others) copies.push_back({group.vertex, other});
  }

  void Clear() {
    members_.clear();
    group_count_ = 0;
    fan_ = nullptr;
    tile_locals_.clear();
    local_.clear();
  }

  const RawSurface& surface_;
  std::vector<uint32_t> place_of_;
  std::map<size_t, std::vector<Member>> members_;  // by the length of their chains
  size_t group_count_ = 0;
  const Group* fan_ = nullptr;
  std::vector<uint32_t> tile_locals_;
  std::unordered_map<uint32_t, uint32_t> local_;
};

Block WriteBlock(const Tiler& tiler, size_t vertex_count) {
  NormalTable::Header header{};
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.magic = NormalTable::Header::kMagic;
  header.vertex_count = static_cast<uint32_t>(vertex_count);
  header.tile_count = static_cast<uint32_t>(tiler.tiles.size());
  header.tiles_offset = layout.Add(tiler.tiles);
  const auto add = [&](const auto& array, uint32_t& count, uint64_t& offset) {
    count = static_cast<uint32_t>(array.size());
    offset = layout.Add(array);
  };
  add(tiler.locals, header.locals, header.locals_offset);
  add(tiler.runs, header.runs, header.runs_offset);
  add(tiler.chains, header.chains, header.chains_offset);
  add(tiler.representatives, header.groups, header.groups_offset);
  add(tiler.copies, header.copies, header.copies_offset);
  add(tiler.fans, header.fans, header.fans_offset);
  add(tiler.fan_corners, header.fan_corners, header.fan_corners_offset);
  header.bytes = layout.bytes();
  return layout.Write(header);
}

}  // namespace

std::vector<uint32_t> SmoothingGroups(const RawSurface& surface) {
  const std::vector<uint32_t> first = FirstOfClass(surface, [&](uint32_t a, uint32_t b) {
    return SameWeights(surface.weights, a, b) && SameNormal(surface.normals, a, b);
  });
  std::vector<uint32_t> group(first.size());
  uint32_t next = 0;
  for (uint32_t v = 0; v < first.size(); ++v) group[v] = first[v] == v ? next++ : group[first[v]];
  return group;
}

BuiltNormals BuildNormals(const RawSurface& surface, const std::string& name) {
  for (size_t c = 0; c < surface.triangles.size(); ++c) {
    if (surface.triangles[c] >= surface.positions.size()) {
      throw InputError(
          name, "triangle " + std::to_string(c / 3),
          "uses vertex " + std::to_string(surface.triangles[c]) + " of " + std::to_string(surface.positions.size()),
          "export the mesh again");
    }
  }
  std::vector<Group> groups = GatherGroups(surface, SmoothingGroups(surface));
  SortAlongCurve(surface, groups);
  Tiler tiler(surface,
              FirstOfClass(surface, [&](uint32_t a, uint32_t b) { return SameWeights(surface.weights, a, b); }));
  for (const Group& group : groups) tiler.Add(group);
  tiler.Finish();

  BuiltNormals built{WriteBlock(tiler, surface.positions.size()), {}};
  if (NormalTable::Open(built.block.bytes(), &built.table) != runtime::Status::kOk) {
    throw FailedError(name + ": its normal table does not open");
  }
  return built;
}

}  // namespace sinew::tables
