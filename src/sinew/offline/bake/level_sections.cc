#include "sinew/offline/bake/level_sections.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/basis_builder.h"
#include "sinew/offline/tables/network_builder.h"
#include "sinew/offline/tables/normal_builder.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/offline/tables/upsampling_builder.h"

namespace sinew::bake {
namespace {

namespace format = runtime::format;
using format::SectionType;
using runtime::Precision;

std::vector<uint32_t> InverseOf(const std::vector<uint32_t>& order) {
  std::vector<uint32_t> places(order.size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<uint32_t>(i);
  return places;
}

// Returns the vertices of each point.
std::vector<std::vector<uint32_t>> VerticesOfPoints(const lod::Level& level) {
  std::vector<std::vector<uint32_t>> vertices(level.point_count);
  for (int v = 0; v < level.vertex_count(); ++v) {
    vertices[level.point_of_vertex[v]].push_back(static_cast<uint32_t>(v));
  }
  return vertices;
}

void CheckRegion(const deformer::RegionCorrective& region, const lod::Level& level, const std::string& name) {
  const auto rows = 3 * static_cast<Eigen::Index>(region.points.size());
  bool fits = (region.V.cols() == 0 || region.V.rows() == rows) && region.V.allFinite() &&
              (region.own.cols() == 0 || region.own.rows() == rows) && region.own.allFinite() &&
              region.modes() == region.network.outputs();
  for (const int point : region.points) fits = fits && point >= 0 && point < level.point_count;
  if (!fits) {
    throw InputError(name, "region " + std::to_string(region.region), "does not fit the hierarchy",
                     "bake with the hierarchy that it was trained on");
  }
}

// Returns for each mode its component of largest magnitude, by which the mode is divided and its coefficient
// multiplied.
std::vector<float> ModeScales(const Eigen::MatrixXf& V) {
  std::vector<float> scales;
  for (Eigen::Index m = 0; m < V.cols(); ++m) {
    const float longest = V.rows() > 0 ? V.col(m).cwiseAbs().maxCoeff() : 0;
    scales.push_back(longest > 0 ? longest : 1);
  }
  return scales;
}

// Converts the modes V, given at points of the level, to vertices in the file's order.
tables::RawModes ModesOf(const Eigen::MatrixXf& V, const std::vector<int>& points, const std::vector<float>& scales,
                         const std::vector<std::vector<uint32_t>>& vertices, int first_coefficient) {
  tables::RawModes modes;
  modes.first_coefficient = first_coefficient;
  modes.modes = static_cast<int>(V.cols());
  for (size_t p = 0; p < points.size(); ++p) {
    for (const uint32_t v : vertices[points[p]]) {
      modes.vertices.push_back(v);
      for (Eigen::Index m = 0; m < V.cols(); ++m) {
        for (int k = 0; k < 3; ++k) {
          modes.values.push_back(V(static_cast<Eigen::Index>(3 * p) + k, m) / scales[m]);
        }
      }
    }
  }
  return modes;
}

tables::RawLayer LayerOf(const Eigen::MatrixXf& W, const Eigen::VectorXf& b) {
  tables::RawLayer layer{
      .rows = static_cast<int>(W.rows()), .columns = static_cast<int>(W.cols()), .weights = {}, .biases = {}};
  for (Eigen::Index r = 0; r < W.rows(); ++r) {
    for (Eigen::Index c = 0; c < W.cols(); ++c) layer.weights.push_back(W(r, c));
  }
  layer.biases.assign(b.data(), b.data() + b.size());
  return layer;
}

// Converts a region's network, its outputs multiplied by the scales of the modes.
tables::RawNetwork NetworkOf(const deformer::RegionCorrective& region, const std::vector<float>& scales,
                             Precision precision) {
  tables::RawNetwork raw;
  const learn::Network& n = region.network;
  const Eigen::VectorXf scale =
      Eigen::Map<const Eigen::VectorXf>(scales.data(), static_cast<Eigen::Index>(scales.size()));
  raw.layers[0] = LayerOf(n.W1, n.b1);
  raw.layers[1] = LayerOf(n.W2, n.b2);
  raw.layers[2] = LayerOf(scale.asDiagonal() * n.W3, scale.cwiseProduct(n.b3));
  raw.joints.assign(region.joints.begin(), region.joints.end());
  raw.ranges.assign(region.ranges.begin(), region.ranges.end());
  // A network that was not made zero at rest differs from it by more than rounding.
  constexpr float kRounding = 1e-4f;  // share of the coefficients' spread
  const Eigen::VectorXf at_rest = learn::Evaluate(n, Eigen::MatrixXf::Zero(n.W1.cols(), 1));
  if (at_rest.norm() > kRounding * region.spread.norm()) {
    const Eigen::VectorXf scaled = scale.cwiseProduct(at_rest);
    raw.at_rest.assign(scaled.data(), scaled.data() + scaled.size());
  }
  // Rounding errors of networks multiply layer by layer: with bytes the outputs are off by as much as a third of their
  // value, where half floats change nothing measurable. Networks are a small part of a bundle.
  raw.precision = precision == Precision::kI8 ? Precision::kF16 : precision;
  return raw;
}

// Correctives of a level's regions, before an order in memory is chosen.
struct Correctives {
  // Modes in the file's order: `modes` are handed on to finer levels, `own` are of this level alone.
  std::vector<tables::RawModes> modes, own;
  std::vector<tables::RawNetwork> networks;
  int coefficients = 0;
};

Correctives CorrectivesOf(const deformer::LevelCorrectives& trained, const lod::Level& level, Precision precision,
                          const std::string& name) {
  Correctives correctives;
  const std::vector<std::vector<uint32_t>> vertices = VerticesOfPoints(level);
  for (const deformer::RegionCorrective& region : trained.regions) {
    CheckRegion(region, level, name);
    std::vector<float> scales;
    const auto add = [&](const Eigen::MatrixXf& V, std::vector<tables::RawModes>& modes) {
      if (V.cols() == 0) return;
      const std::vector<float> of_modes = ModeScales(V);
      modes.push_back(ModesOf(V, region.points, of_modes, vertices, correctives.coefficients));
      correctives.coefficients += static_cast<int>(V.cols());
      scales.insert(scales.end(), of_modes.begin(), of_modes.end());
    };
    add(region.V, correctives.modes);
    add(region.own, correctives.own);
    correctives.networks.push_back(NetworkOf(region, scales, precision));
  }
  return correctives;
}

// The upsampling operator on vertices instead of points: a vertex is interpolated as its point, from the first vertices
// of the coarser points.
struct VertexUpsampling {
  std::vector<uint32_t> corners;
  std::vector<double> weights;
  int coarse_count = 0;

  tables::RawUpsampling raw() const { return {coarse_count, corners, weights}; }
};

VertexUpsampling OnVertices(const lod::Upsampling& U, const lod::Level& fine, const LevelData& coarse) {
  VertexUpsampling on;
  on.coarse_count = coarse.vertex_count();
  for (const int point : fine.point_of_vertex) {
    for (int c = 0; c < 3; ++c) {
      on.corners.push_back(coarse.first_vertex[U.corners[point][c]]);
      on.weights.push_back(U.weights[point][c]);
    }
  }
  return on;
}

// Returns an order in memory by region: vertices are sorted by their region of most weight, then by all their regions,
// so that the vertices of a block share regions.
std::vector<uint32_t> RegionOrder(const std::vector<tables::RawModes>& modes, int vertex_count) {
  // The regions of each vertex, and the strongest of them: that of the largest squared modes.
  struct Key {
    std::vector<uint32_t> regions;
    uint32_t vertex;
  };
  std::vector<Key> keys(vertex_count);
  std::vector<float> most(vertex_count, -1.0f);
  std::vector<uint32_t> strongest(vertex_count, 0);
  for (uint32_t r = 0; r < modes.size(); ++r) {
    for (size_t i = 0; i < modes[r].vertices.size(); ++i) {
      const uint32_t v = modes[r].vertices[i];
      keys[v].regions.push_back(r);
      float square = 0;
      const size_t width = 3 * static_cast<size_t>(modes[r].modes);
      for (size_t k = i * width; k < (i + 1) * width; ++k) square += modes[r].values[k] * modes[r].values[k];
      if (square > most[v]) {
        most[v] = square;
        strongest[v] = r;
      }
    }
  }
  // Sort by the strongest region, then by all regions.
  for (int v = 0; v < vertex_count; ++v) {
    keys[v].vertex = static_cast<uint32_t>(v);
    keys[v].regions.insert(keys[v].regions.begin(), strongest[v]);
  }
  std::stable_sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.regions < b.regions; });
  std::vector<uint32_t> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.vertex);
  return order;
}

// Least ratio of basis entries at which an order other than the file's is chosen: writing to another order costs more
// than the bases' zeros unless there are many of those.
constexpr double kWorthAnOrder = 1.5;

std::vector<uint32_t> ChooseOrder(const Correctives& correctives, int vertex_count, BakeOrder wish) {
  std::vector<tables::RawModes> modes = correctives.modes;
  modes.insert(modes.end(), correctives.own.begin(), correctives.own.end());
  if (wish == BakeOrder::kFile || (wish == BakeOrder::kBest && modes.empty())) return {};
  std::vector<uint32_t> order = RegionOrder(modes, vertex_count);
  if (wish == BakeOrder::kInternal) return order;
  std::vector<uint32_t> file(vertex_count);
  std::iota(file.begin(), file.end(), 0);
  const auto of_file = static_cast<double>(tables::CountBasisEntries(modes, file));
  return of_file > kWorthAnOrder * static_cast<double>(tables::CountBasisEntries(modes, order))
             ? order
             : std::vector<uint32_t>();
}

Block RestSection(const LevelBake& level) {
  const auto positions = InOrder(level.data.positions, level.order), normals = InOrder(level.data.normals, level.order);
  const auto tangents = InOrder(level.data.tangents, level.order);
  format::RestHeader header{};
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.vertex_count = static_cast<uint32_t>(positions.size());
  header.has_normals = 1;
  header.has_tangents = tangents.empty() ? 0 : 1;
  header.positions_offset = layout.Add(positions, 16);
  header.normals_offset = layout.Add(normals, 16);
  header.tangents_offset = layout.Add(tangents, 16);
  return layout.Write(header);
}

Block TrianglesSection(const std::vector<uint32_t>& corners) {
  const size_t group = 3 * size_t{format::kTriangleGroup};
  std::vector<uint32_t> firsts, wide;
  std::vector<uint16_t> narrow;
  uint32_t farthest = 0;
  for (size_t begin = 0; begin < corners.size(); begin += group) {
    const size_t end = std::min(begin + group, corners.size());
    firsts.push_back(*std::min_element(corners.begin() + static_cast<std::ptrdiff_t>(begin),
                                       corners.begin() + static_cast<std::ptrdiff_t>(end)));
    for (size_t c = begin; c < end; ++c) {
      wide.push_back(corners[c] - firsts.back());
      farthest = std::max(farthest, wide.back());
    }
  }
  format::TrianglesHeader header{};
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.triangle_count = static_cast<uint32_t>(corners.size() / 3);
  header.narrow = farthest <= 65535 ? 1 : 0;
  if (header.narrow != 0) narrow.assign(wide.begin(), wide.end());
  header.firsts_offset = layout.Add(firsts);
  header.corners_offset = header.narrow != 0 ? layout.Add(narrow) : layout.Add(wide);
  return layout.Write(header);
}

Block TexcoordsSection(const std::vector<float>& uv) {
  format::TexcoordsHeader header{};
  BlockLayout layout;
  layout.Reserve(sizeof(header));
  header.vertex_count = static_cast<uint32_t>(uv.size() / 2);
  float max[2];
  for (size_t k = 0; k < 2; ++k) {
    header.min[k] = max[k] = uv[k];
    for (size_t i = k; i < uv.size(); i += 2) {
      header.min[k] = std::min(header.min[k], uv[i]);
      max[k] = std::max(max[k], uv[i]);
    }
    header.extent[k] = max[k] - header.min[k];
  }
  std::vector<uint16_t> values;
  for (size_t i = 0; i < uv.size(); ++i) {
    const float extent = header.extent[i % 2];
    const float share = extent > 0 ? (uv[i] - header.min[i % 2]) / extent : 0;
    values.push_back(static_cast<uint16_t>(std::lround(std::clamp(share, 0.0f, 1.0f) * 65535)));
  }
  header.values_offset = layout.Add(values);
  return layout.Write(header);
}

// Returns the vertices that must be copied from the first vertex of their point: bytes are rounded in each block by
// itself, so that vertices of one point that lie in two blocks would come apart.
std::vector<format::SeamCopy> SeamsOf(const lod::Level& level, const LevelData& data) {
  std::vector<format::SeamCopy> seams;
  for (uint32_t v = 0; v < data.positions.size(); ++v) {
    const uint32_t first = data.first_vertex[level.point_of_vertex[v]];
    if (first == v) continue;
    const auto same = [&](const auto& values, size_t width) {
      return std::equal(values.begin() + static_cast<std::ptrdiff_t>(v * width),
                        values.begin() + static_cast<std::ptrdiff_t>((v + 1) * width),
                        values.begin() + static_cast<std::ptrdiff_t>(first * width));
    };
    const runtime::Float3 &a = data.positions[v], &b = data.positions[first];
    if (same(data.slots, data.influences) && same(data.weights, data.influences) && a.x == b.x && a.y == b.y &&
        a.z == b.z) {
      seams.push_back({first, v});
    }
  }
  return seams;
}

void AddMesh(const LevelBake& level, const BakeOptions& options, int slot_count, tables::BundleWriter& writer) {
  const LevelData& data = level.data;
  writer.Add(SectionType::kRest, level.number, RestSection(level));
  writer.Add(SectionType::kTriangles, level.number, TrianglesSection(data.triangles));
  if (!data.texcoords.empty())
    writer.Add(SectionType::kTexcoords, level.number, TexcoordsSection(data.texcoords), false);
  const auto slots = InOrder(data.slots, level.order, data.influences);
  const auto weights = InOrder(data.weights, level.order, data.influences);
  writer.Add(SectionType::kSkin, level.number,
             tables::BuildSkin({data.influences, slots, weights}, slot_count, level.name).block);
  if (options.normals) {
    const tables::RawSurface surface{data.positions, data.normals, data.triangles, data.plain_weights()};
    writer.Add(SectionType::kNormals, level.number, tables::BuildNormals(surface, level.name).block, false);
  }
  if (!level.order.empty()) writer.Add(SectionType::kOrder, level.number, std::as_bytes(std::span(level.order)));
}

void AddBasis(const LevelBake& level, SectionType type, std::vector<tables::RawModes> modes, int coefficients,
              Precision precision, tables::BundleWriter& writer) {
  if (modes.empty()) return;
  for (tables::RawModes& region : modes) {
    for (uint32_t& v : region.vertices) v = level.place(v);
  }
  writer.Add(type, level.number,
             tables::BuildBasis(modes, level.data.vertex_count(), coefficients, precision, level.name).block);
}

void AddCorrectives(const LevelBake& level, Correctives correctives, Precision precision,
                    tables::BundleWriter& writer) {
  if (correctives.networks.empty()) return;
  const int coefficients = correctives.coefficients;
  AddBasis(level, SectionType::kBasis, std::move(correctives.modes), coefficients, precision, writer);
  AddBasis(level, SectionType::kOwnBasis, std::move(correctives.own), coefficients, precision, writer);
  writer.Add(SectionType::kNetworks, level.number, tables::BuildNetworks(correctives.networks, level.name).block);
}

}  // namespace

LevelBake AddLevel(const lod::Hierarchy& hierarchy, int number, const SkinSlots& slots, const LevelBake* coarser,
                   const deformer::LevelCorrectives* trained, const BakeOptions& options,
                   tables::BundleWriter& writer) {
  // The mesh, the correctives and the order in memory.
  const lod::Level& level = hierarchy.level(number);
  LevelBake bake;
  bake.number = number;
  bake.name = "level " + std::to_string(number);
  bake.data = FlattenLevel(level, slots);
  Correctives correctives;
  if (trained != nullptr) correctives = CorrectivesOf(*trained, level, options.precision, bake.name);
  bake.order = ChooseOrder(correctives, bake.data.vertex_count(), options.order);
  if (!bake.order.empty()) bake.places = InverseOf(bake.order);
  // The sections: mesh, upsampling, correctives, seams.
  AddMesh(bake, options, static_cast<int>(slots.joints.size()), writer);
  if (coarser != nullptr) {
    VertexUpsampling on = OnVertices(hierarchy.U[number - 1], level, coarser->data);
    on.corners = InOrder(on.corners, bake.order, 3);
    on.weights = InOrder(on.weights, bake.order, 3);
    writer.Add(SectionType::kUpsampling, number,
               tables::BuildUpsampling(on.raw(), {.fine = {}, .coarse = coarser->order}, bake.name).block);
  }
  AddCorrectives(bake, std::move(correctives), options.precision, writer);
  if (options.precision == Precision::kI8) {
    const std::vector<format::SeamCopy> seams = SeamsOf(level, bake.data);
    if (!seams.empty()) writer.Add(SectionType::kSeams, number, std::as_bytes(std::span(seams)));
  }
  return bake;
}

}  // namespace sinew::bake
