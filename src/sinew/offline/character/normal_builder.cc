#include "sinew/offline/character/normal_builder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

using runtime::Float3;
using runtime::NormalTable;

// Groups with more triangles than this are fans: a tile would hold little else.
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

// For each vertex the first one that `same` holds for, among those at the same place. Vertices are compared with the
// first of each class only, so that the result does not depend on chains of near-equal ones.
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

// The distance along a space-filling curve through the mesh's box: neighbours on it are neighbours in space.
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
  uint32_t vertex;                  // its first
  std::vector<uint32_t> triangles;  // one entry for each corner of the group, ascending
  std::vector<uint32_t> others;     // its other vertices
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
    groups[group_of[surface.triangles[c]]].triangles.push_back(c / 3);
  }
  std::erase_if(groups, [](const Group& group) { return group.triangles.empty(); });
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

// Everything the table stores, filled tile by tile.
class Tiler {
 public:
  Tiler(const RawSurface& surface, std::vector<uint32_t> place_of)
      : surface_(surface), place_of_(std::move(place_of)) {}

  void Add(const Group& group) {
    if (group.triangles.size() > kFanTriangles) {
      AddFan(group);
      return;
    }
    if (!Holds(group)) Finish();
    for (const uint32_t triangle : group.triangles) LocalTriangle(triangle);
    groups_.push_back(&group);
  }

  void Finish() {
    if (groups_.empty() && fans_in_tile_.empty()) return;
    NormalTable::Tile tile{};
    tile.first_local = Size(locals);
    tile.first_triangle = Size(triangles);
    tile.first_run = Size(runs);
    tile.first_corner = Size(corners);
    tile.first_group = Size(representatives);
    tile.first_copy = Size(copies);
    tile.first_fan = Size(fans);
    AppendGroups();
    for (const Group* fan : fans_in_tile_) AppendFan(*fan);
    locals.insert(locals.end(), tile_locals_.begin(), tile_locals_.end());
    triangles.insert(triangles.end(), tile_triangles_.begin(), tile_triangles_.end());
    tile.locals = static_cast<uint16_t>(tile_locals_.size());
    tile.triangles = static_cast<uint16_t>(tile_triangles_.size());
    tile.runs = static_cast<uint16_t>(runs.size() - tile.first_run);
    tile.copies = static_cast<uint32_t>(copies.size() - tile.first_copy);
    tile.fans = static_cast<uint16_t>(fans.size() - tile.first_fan);
    tiles.push_back(tile);
    Clear();
  }

  std::vector<NormalTable::Tile> tiles;
  std::vector<uint32_t> locals;
  std::vector<NormalTable::Triangle> triangles;
  std::vector<NormalTable::Run> runs;
  std::vector<uint16_t> corners;
  std::vector<uint32_t> representatives;
  std::vector<NormalTable::Copy> copies;
  std::vector<NormalTable::Fan> fans;
  std::vector<uint32_t> fan_corners;

 private:
  template <typename T>
  static uint32_t Size(const std::vector<T>& array) {
    return static_cast<uint32_t>(array.size());
  }

  bool Holds(const Group& group) const {
    size_t new_triangles = 0, new_locals = 0;
    for (const uint32_t t : group.triangles) {
      if (local_triangle_.contains(t)) continue;
      ++new_triangles;
      for (int k = 0; k < 3; ++k) new_locals += local_.contains(Corner(t, k)) ? 0 : 1;
    }
    return groups_.size() < kTileGroups && tile_triangles_.size() + new_triangles <= NormalTable::kMaxTriangles &&
           tile_locals_.size() + new_locals <= NormalTable::kMaxLocals;
  }

  // Vertices at one place that move together have one position: any of them will do, the first is taken.
  uint32_t Corner(uint32_t triangle, int k) const { return place_of_[surface_.triangles[3 * size_t{triangle} + k]]; }

  uint16_t Local(uint32_t vertex) {
    const auto [it, fresh] = local_.try_emplace(vertex, static_cast<uint16_t>(tile_locals_.size()));
    if (fresh) tile_locals_.push_back(vertex);
    return it->second;
  }

  uint16_t LocalTriangle(uint32_t triangle) {
    const auto [it, fresh] = local_triangle_.try_emplace(triangle, static_cast<uint16_t>(tile_triangles_.size()));
    if (fresh) {
      tile_triangles_.push_back({{Local(Corner(triangle, 0)), Local(Corner(triangle, 1)), Local(Corner(triangle, 2))}});
    }
    return it->second;
  }

  void AddFan(const Group& group) {
    // One fan a tile at most: they are the only work whose size a tile does not bound.
    if (!fans_in_tile_.empty()) Finish();
    fans_in_tile_.push_back(&group);
  }

  void AppendGroups() {
    std::map<size_t, std::vector<const Group*>> by_valence;
    for (const Group* group : groups_) by_valence[group->triangles.size()].push_back(group);
    for (const auto& [valence, same] : by_valence) {
      runs.push_back({static_cast<uint16_t>(valence), static_cast<uint16_t>(same.size())});
      for (const Group* group : same) {
        representatives.push_back(group->vertex);
        for (const uint32_t triangle : group->triangles) corners.push_back(local_triangle_.at(triangle));
        AppendCopies(*group);
      }
    }
  }

  void AppendFan(const Group& group) {
    fans.push_back({group.vertex, Size(fan_corners), Size(group.triangles)});
    for (const uint32_t triangle : group.triangles) {
      for (int k = 0; k < 3; ++k) fan_corners.push_back(Corner(triangle, k));
    }
    AppendCopies(group);
  }

  void AppendCopies(const Group& group) {
    for (const uint32_t other : group.others) copies.push_back({group.vertex, other});
  }

  void Clear() {
    groups_.clear();
    fans_in_tile_.clear();
    tile_locals_.clear();
    tile_triangles_.clear();
    local_.clear();
    local_triangle_.clear();
  }

  const RawSurface& surface_;
  std::vector<uint32_t> place_of_;
  std::vector<const Group*> groups_, fans_in_tile_;
  std::vector<uint32_t> tile_locals_;
  std::vector<NormalTable::Triangle> tile_triangles_;
  std::unordered_map<uint32_t, uint16_t> local_, local_triangle_;
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
  add(tiler.triangles, header.triangles, header.triangles_offset);
  add(tiler.runs, header.runs, header.runs_offset);
  add(tiler.corners, header.corners, header.corners_offset);
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

}  // namespace sinew
