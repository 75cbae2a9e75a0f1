#include "sinew/offline/tables/upsampling_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/error.h"

namespace sinew::tables {
namespace {

using runtime::Float3;
using runtime::UpsamplingTable;

constexpr double kStep = 1.0 / (1 << 17);  // step of a packed weight

// A fine vertex as the table stores it: its largest weight is the third, which is not stored.
struct Packed {
  uint32_t corners[3];
  uint32_t bits[2];
};

uint32_t Bits(double weight) {
  return static_cast<uint32_t>(std::clamp(std::floor(weight / kStep + 0.5), 0.0, 65535.0));
}

Packed Pack(const RawUpsampling& raw, size_t vertex) {
  const uint32_t* corners = &raw.corners[3 * vertex];
  const double* weights = &raw.weights[3 * vertex];
  const auto third = static_cast<size_t>(std::max_element(weights, weights + 3) - weights);
  const size_t first = (third + 1) % 3, second = (third + 2) % 3;
  return {{corners[first], corners[second], corners[third]}, {Bits(weights[first]), Bits(weights[second])}};
}

size_t FineCount(const RawUpsampling& raw) { return raw.corners.size() / 3; }

[[noreturn]] void Refuse(const std::string& name, size_t vertex, const std::string& problem) {
  throw InputError(name, "vertex " + std::to_string(vertex), problem, "make the levels again");
}

void CheckVertex(const RawUpsampling& raw, size_t vertex, const std::string& name) {
  double sum = 0;
  for (size_t c = 3 * vertex; c < 3 * vertex + 3; ++c) {
    if (raw.corners[c] >= static_cast<uint32_t>(raw.coarse_count)) {
      Refuse(name, vertex,
             "lies on coarse vertex " + std::to_string(raw.corners[c]) + " of " + std::to_string(raw.coarse_count));
    }
    if (!(raw.weights[c] >= -1e-6) || !std::isfinite(raw.weights[c])) {
      Refuse(name, vertex, "has a weight of " + std::to_string(raw.weights[c]));
    }
    sum += raw.weights[c];
  }
  if (std::abs(sum - 1) > 1e-4) Refuse(name, vertex, "has weights with the sum " + std::to_string(sum));
}

void Check(const RawUpsampling& raw, const std::string& name) {
  if (raw.corners.size() % 3 != 0 || raw.weights.size() != raw.corners.size() || raw.coarse_count < 0 ||
      FineCount(raw) > 0x7fffff00) {
    throw UsageError(name + ": corners and weights must be three for each fine vertex");
  }
  for (size_t v = 0; v < FineCount(raw); ++v) CheckVertex(raw, v, name);
}

// Returns the place in memory of each vertex of the file: the inverse of an order. Throws UsageError if `order` is not
// a permutation.
std::vector<uint32_t> PlacesOf(MemoryOrder order, size_t count, const std::string& what) {
  std::vector<uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0);
  if (order.empty()) return places;
  constexpr uint32_t kNone = ~0u;
  places.assign(count, kNone);
  bool right = order.size() == count;
  for (size_t i = 0; right && i < count; ++i) {
    right = order[i] < count && places[order[i]] == kNone;
    if (right) places[order[i]] = static_cast<uint32_t>(i);
  }
  if (!right) {
    throw UsageError("the order of " + what + " must name each of the " + std::to_string(count) + " vertices once");
  }
  return places;
}

// Returns for each coarse vertex those that share a triangle with it, ascending.
std::vector<std::vector<uint32_t>> Neighbours(const RawUpsampling& raw) {
  std::vector<std::vector<uint32_t>> neighbours(raw.coarse_count);
  for (size_t c = 0; c < raw.corners.size(); ++c) {
    for (const size_t other : {c / 3 * 3 + (c + 1) % 3, c / 3 * 3 + (c + 2) % 3}) {
      if (raw.corners[other] != raw.corners[c]) neighbours[raw.corners[c]].push_back(raw.corners[other]);
    }
  }
  for (std::vector<uint32_t>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

struct Arrays {
  std::vector<UpsamplingTable::Tile> tiles;
  std::vector<uint32_t> corners;  // twice the distance from the tile's first coarse vertex
  std::vector<uint32_t> weights;
};

void AppendTile(std::span<const Packed> vertices, Arrays& out) {
  UpsamplingTable::Tile tile{~0u, 0};
  for (const Packed& vertex : vertices) {
    for (const uint32_t corner : vertex.corners) {
      tile.first = std::min(tile.first, corner);
      tile.last = std::max(tile.last, corner);
    }
  }
  for (const Packed& vertex : vertices) {
    for (const uint32_t corner : vertex.corners) out.corners.push_back(2 * (corner - tile.first));
    out.weights.push_back(vertex.bits[0] | vertex.bits[1] << 16);
  }
  out.tiles.push_back(tile);
}

Arrays Arrange(const RawUpsampling& raw, MemoryOrder order, const std::vector<uint32_t>& coarse_places) {
  std::vector<Packed> vertices(FineCount(raw));
  for (size_t i = 0; i < vertices.size(); ++i) {
    vertices[i] = Pack(raw, order.empty() ? i : order[i]);
    for (uint32_t& corner : vertices[i].corners) corner = coarse_places[corner];
  }
  Arrays out;
  for (size_t first = 0; first < vertices.size(); first += UpsamplingTable::kTileVertices) {
    const size_t count = std::min<size_t>(UpsamplingTable::kTileVertices, vertices.size() - first);
    AppendTile(std::span(vertices).subspan(first, count), out);
  }
  const size_t group = UpsamplingTable::kGroup, padded = (vertices.size() + group - 1) / group * group;
  out.corners.resize(3 * padded, 0);
  out.weights.resize(padded, 0);
  return out;
}

Block WriteBlock(const RawUpsampling& raw, const Arrays& arrays, MemoryOrder fine_order) {
  const bool narrow = std::all_of(arrays.corners.begin(), arrays.corners.end(), [](uint32_t c) { return c <= 65535; });
  const std::vector<uint16_t> narrow_corners(narrow ? arrays.corners.begin() : arrays.corners.end(),
                                             arrays.corners.end());
  const std::vector<uint32_t> order(fine_order.begin(), fine_order.end());
  UpsamplingTable::Header header{};
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.magic = UpsamplingTable::Header::kMagic;
  header.fine_count = static_cast<uint32_t>(FineCount(raw));
  header.coarse_count = static_cast<uint32_t>(raw.coarse_count);
  header.tile_count = static_cast<uint32_t>(arrays.tiles.size());
  header.corner_bytes = narrow ? 2 : 4;
  header.order_entries = static_cast<uint32_t>(order.size());
  header.tiles_offset = layout.Add(arrays.tiles);
  header.corners_offset = narrow ? layout.Add(narrow_corners) : layout.Add(arrays.corners);
  header.weights_offset = layout.Add(arrays.weights);
  header.order_offset = layout.Add(order);
  header.bytes = layout.bytes();
  return layout.Write(header);
}

}  // namespace

std::vector<uint32_t> CoarsestOrder(const RawUpsampling& raw) {
  Check(raw, "the coarsest level's operator");
  const std::vector<std::vector<uint32_t>> neighbours = Neighbours(raw);
  const auto fewer = [&](uint32_t a, uint32_t b) { return neighbours[a].size() < neighbours[b].size(); };
  std::vector<uint32_t> starts(raw.coarse_count), order;
  std::iota(starts.begin(), starts.end(), 0);
  std::stable_sort(starts.begin(), starts.end(), fewer);
  order.reserve(starts.size());
  std::vector<bool> reached(starts.size(), false);
  const auto reach = [&](uint32_t v) {
    if (!reached[v]) order.push_back(v);
    reached[v] = true;
  };
  for (const uint32_t start : starts) {
    size_t next = order.size();
    reach(start);
    for (; next < order.size(); ++next) {
      std::vector<uint32_t> around = neighbours[order[next]];
      std::stable_sort(around.begin(), around.end(), fewer);
      for (const uint32_t v : around) reach(v);
    }
  }
  return order;
}

std::vector<uint32_t> FollowingOrder(const RawUpsampling& raw, MemoryOrder coarse_order) {
  Check(raw, "the level's operator");
  const std::vector<uint32_t> places = PlacesOf(coarse_order, raw.coarse_count, "the coarse level");
  using Key = std::array<uint32_t, 4>;  // the places in memory of the triangle's corners, ascending, and the vertex
  std::vector<Key> keys;
  keys.reserve(FineCount(raw));
  for (size_t v = 0; v < FineCount(raw); ++v) {
    Key key{places[raw.corners[3 * v]], places[raw.corners[3 * v + 1]], places[raw.corners[3 * v + 2]]};
    std::sort(key.begin(), key.begin() + 3);
    key[3] = static_cast<uint32_t>(v);
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key[3]);
  return order;
}

BuiltUpsampling BuildUpsampling(const RawUpsampling& raw, const UpsamplingOrders& orders, const std::string& name) {
  Check(raw, name);
  PlacesOf(orders.fine, FineCount(raw), "the fine level");
  const Arrays arrays = Arrange(raw, orders.fine, PlacesOf(orders.coarse, raw.coarse_count, "the coarse level"));
  BuiltUpsampling built{WriteBlock(raw, arrays, orders.fine), {}};
  if (UpsamplingTable::Open(built.block.bytes(), &built.table) != runtime::Status::kOk) {
    throw FailedError(name + ": its upsampling table does not open");
  }
  return built;
}

double LargestPackingError(const RawUpsampling& raw, std::span<const Float3> coarse) {
  double largest = 0;
  for (size_t v = 0; v < FineCount(raw); ++v) {
    const Packed packed = Pack(raw, v);
    const double w1 = packed.bits[0] * kStep, w2 = packed.bits[1] * kStep, w3 = 1 - w1 - w2;
    double squared = 0;
    for (const auto axis : {&Float3::x, &Float3::y, &Float3::z}) {
      double off = w1 * coarse[packed.corners[0]].*axis + w2 * coarse[packed.corners[1]].*axis +
                   w3 * coarse[packed.corners[2]].*axis;
      for (size_t c = 3 * v; c < 3 * v + 3; ++c) off -= raw.weights[c] * coarse[raw.corners[c]].*axis;
      squared += off * off;
    }
    largest = std::max(largest, std::sqrt(squared));
  }
  return largest;
}

}  // namespace sinew::tables
