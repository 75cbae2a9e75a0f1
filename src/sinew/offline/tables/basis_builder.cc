#include "sinew/offline/tables/basis_builder.h"

#include <algorithm>
#include <array>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/quantize.h"

namespace sinew::tables {
namespace {

using runtime::BasisTable;
using runtime::Precision;

constexpr int kVertices = BasisTable::kBlockVertices;
constexpr int kElements = BasisTable::kBlockElements;

// One vertex of one region.
struct Member {
  uint32_t region, index;  // index into the region's vertices
  uint32_t place;          // index of the vertex in its block
};

void Check(const std::vector<RawModes>& regions, int vertex_count, int coefficient_count, const std::string& name) {
  for (const RawModes& region : regions) {
    bool fits = region.modes >= 1 && region.first_coefficient >= 0 &&
                region.first_coefficient + region.modes <= coefficient_count &&
                region.values.size() == region.vertices.size() * region.modes * 3;
    for (const uint32_t v : region.vertices) fits = fits && v < static_cast<uint32_t>(vertex_count);
    if (!fits) throw UsageError(name + ": the modes of a region do not fit its level");
  }
}

// Returns for each block the members of all regions that lie in it, region by region.
std::vector<std::vector<Member>> MembersOf(const std::vector<RawModes>& regions, int vertex_count) {
  std::vector<std::vector<Member>> blocks((vertex_count + kVertices - 1) / kVertices);
  for (uint32_t r = 0; r < regions.size(); ++r) {
    for (uint32_t i = 0; i < regions[r].vertices.size(); ++i) {
      const uint32_t v = regions[r].vertices[i];
      blocks[v / kVertices].push_back({r, i, v % kVertices});
    }
  }
  return blocks;
}

struct Arrays {
  std::vector<uint32_t> firsts{0};
  std::vector<uint16_t> indices;
  std::vector<float> scales;
  std::vector<std::byte> elements;
};

void AppendEntry(const RawModes& region, std::span<const Member> members, int mode, Precision precision, Arrays& out) {
  std::array<float, kElements> values{};
  for (const Member& member : members) {
    const float* from = &region.values[(static_cast<size_t>(member.index) * region.modes + mode) * 3];
    std::copy(from, from + 3, values.begin() + 3 * member.place);
  }
  const float scale = ByteScale(values);
  if (scale == 0) return;
  out.indices.push_back(static_cast<uint16_t>(region.first_coefficient + mode));
  if (precision == Precision::kI8) out.scales.push_back(scale);
  const size_t first = out.elements.size();
  out.elements.resize(first + kElements * runtime::BytesOf(precision));
  for (int i = 0; i < kElements; ++i) Quantize(values[i], scale, precision, i, out.elements.data() + first);
}

void AppendBlock(const std::vector<RawModes>& regions, const std::vector<Member>& members, Precision precision,
                 Arrays& out) {
  for (size_t begin = 0; begin < members.size();) {
    size_t end = begin;
    while (end < members.size() && members[end].region == members[begin].region) ++end;
    const RawModes& region = regions[members[begin].region];
    for (int mode = 0; mode < region.modes; ++mode) {
      AppendEntry(region, std::span(members).subspan(begin, end - begin), mode, precision, out);
    }
    begin = end;
  }
  out.firsts.push_back(static_cast<uint32_t>(out.indices.size()));
}

}  // namespace

size_t CountBasisEntries(const std::vector<RawModes>& regions, const std::vector<uint32_t>& order) {
  std::vector<uint32_t> block_of(order.size());
  for (size_t i = 0; i < order.size(); ++i) block_of[order[i]] = static_cast<uint32_t>(i / kVertices);
  size_t entries = 0;
  for (const RawModes& region : regions) {
    std::vector<uint32_t> blocks;
    for (const uint32_t v : region.vertices) blocks.push_back(block_of[v]);
    std::sort(blocks.begin(), blocks.end());
    entries += region.modes * (std::unique(blocks.begin(), blocks.end()) - blocks.begin());
  }
  return entries;
}

BuiltBasis BuildBasis(const std::vector<RawModes>& regions, int vertex_count, int coefficient_count,
                      Precision precision, const std::string& name) {
  Check(regions, vertex_count, coefficient_count, name);
  Arrays arrays;
  for (const std::vector<Member>& members : MembersOf(regions, vertex_count)) {
    AppendBlock(regions, members, precision, arrays);
  }
  BasisTable::Header header{};
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.magic = BasisTable::Header::kMagic;
  header.vertex_count = static_cast<uint32_t>(vertex_count);
  header.block_count = static_cast<uint32_t>(arrays.firsts.size() - 1);
  header.entry_count = static_cast<uint32_t>(arrays.indices.size());
  header.coefficient_count = static_cast<uint32_t>(coefficient_count);
  header.precision = static_cast<uint32_t>(precision);
  header.firsts_offset = layout.Add(arrays.firsts);
  header.indices_offset = layout.Add(arrays.indices);
  header.scales_offset = layout.Add(arrays.scales);
  header.elements_offset = layout.Add(arrays.elements);
  header.bytes = layout.bytes();
  BuiltBasis built{layout.Write(header), {}};
  if (BasisTable::Open(built.block.bytes(), &built.table) != runtime::Status::kOk) {
    throw FailedError(name + ": its basis table does not open");
  }
  return built;
}

}  // namespace sinew::tables
