#include "sinew/offline/corpus/rig_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/corpus/code_surface.h"

namespace sinew::corpus {
namespace {

constexpr std::string_view kShapesMagic = "SNWRIGSH", kMapsMagic = "SNWRIGMP";
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMaxText = 1000, kMaxCount = 1u << 20, kMaxPoints = 1u << 18, kMaxJoints = 256;
constexpr int kMapSteps = 1023;
constexpr const char* kRemedy = "pack it again with 'sinew corpus pack --rig'";

std::vector<int32_t> GridSteps(const Points& rest, const RigTopology& topology) {
  std::vector<int32_t> steps;
  for (const auto row : rest.rowwise()) {
    for (int a = 0; a < 3; ++a) {
      steps.push_back(StepsOf((double{row[a]} - topology.grid_corner[a]) / topology.grid_step, kPositionSteps));
    }
  }
  return steps;
}

Points PointsOf(const std::vector<int32_t>& steps, const RigTopology& topology) {
  Points rest(static_cast<Eigen::Index>(steps.size() / 3), 3);
  for (size_t k = 0; k < steps.size(); ++k) {
    rest.data()[k] = topology.grid_corner[static_cast<int>(k % 3)] + topology.grid_step * static_cast<float>(steps[k]);
  }
  return rest;
}

SkinWeights RoundedTo12Bits(const SkinWeights& weights, int points) {
  SkinWeights rounded = weights;
  rounded.weights = WeightsOf(RoundedWeights(weights, points));
  for (size_t k = 0; k < rounded.joints.size(); ++k) {
    if (rounded.weights[k] == 0) rounded.joints[k] = 0;
  }
  return rounded;
}

// Weights of a map's point in steps, which sum to kMapSteps.
std::array<int, 3> MapSteps(const std::array<float, 3>& weights) {
  const int second = StepsOf(double{kMapSteps} * weights[1], kMapSteps);
  const int third = StepsOf(double{kMapSteps} * weights[2], kMapSteps - second);
  return {kMapSteps - second - third, second, third};
}

// Codes the weights of one list.
template <typename Coder>
bool CodeSkinWeights(Coder& coder, const PointGuesses& guesses, int joint_count, SkinWeights& weights) {
  const int points = static_cast<int>(guesses.order.size());
  std::vector<int> joints(weights.joints.begin(), weights.joints.end()), steps;
  if (weights.empty()) {  // a decoder's
    joints.assign(static_cast<size_t>(points) * kPackedInfluences, 0);
    steps = joints;
  } else {
    steps = RoundedWeights(weights, points);
  }
  if (!CodeWeights(coder, guesses, joint_count, joints, steps)) return false;
  weights = {.influences = kPackedInfluences, .joints = {joints.begin(), joints.end()}, .weights = WeightsOf(steps)};
  return true;
}

// Codes the rest shapes: the first as it is, others as what differs from it.
template <typename Coder>
bool CodeShapes(Coder& coder, const PointGuesses& guesses, RigTopology& topology) {
  std::vector<int32_t> first = GridSteps(topology.shapes[0].rest, topology);
  if (!CodePositions(coder, guesses, first)) return false;
  topology.shapes[0].rest = PointsOf(first, topology);
  const PointGuesses fine =
      MakePointGuesses(CoarseToFine(std::vector<uint16_t>(first.begin(), first.end())), topology.triangles);
  FieldCoder fields(fine);
  for (size_t b = 1; b < topology.shapes.size(); ++b) {
    std::vector<int32_t> steps = GridSteps(topology.shapes[b].rest, topology);
    for (size_t k = 0; k < steps.size(); ++k) steps[k] -= first[k];
    if (!fields.Code(coder, steps.data())) return false;
    for (size_t k = 0; k < steps.size(); ++k) {
      steps[k] += first[k];
      if (steps[k] < 0 || steps[k] > kPositionSteps) return false;
    }
    topology.shapes[b].rest = PointsOf(steps, topology);
  }
  return true;
}

// Returns what is wrong, as the end of a sentence; empty: nothing.
template <typename Coder>
std::string CodeTopology(Coder& coder, bool shared, RigTopology& topology) {
  const int points = topology.point_count(), joints = static_cast<int>(topology.joints.size());
  if (!CodeTriangles(coder, points, topology.triangles)) return "name a point beyond the last in a triangle";
  const PointGuesses guesses = GuessesInOrder(points, topology.triangles);
  if (!CodeShapes(coder, guesses, topology)) return "have a position outside of the grid";
  bool good = !shared || CodeSkinWeights(coder, guesses, joints, topology.weights);
  for (RigShape& shape : topology.shapes) {
    if (!shared && good) good = CodeSkinWeights(coder, guesses, joints, shape.weights);
  }
  return good ? "" : "name a joint beyond the last, or have weights that do not sum to 1";
}

template <typename Coder>
std::string CodeMap(Coder& coder, int source_points, RigMap& map) {
  if (!CodeTriangles(coder, map.point_count(), map.triangles)) return "name a point beyond the last in a triangle";
  std::array<NumberModel, 3> source_models, weight_models;
  int near = 0;
  for (size_t i = 0; i < map.sources.size(); ++i) {
    std::array<int, 3> steps = MapSteps(map.weights[i]);
    int left = kMapSteps;
    for (int k = 1; k < 3; ++k) {
      steps[k] = static_cast<int>(coder.Unsigned(weight_models[k], static_cast<uint32_t>(steps[k])));
      if (steps[k] > left) return "have weights of a point that do not sum to 1";
      left -= steps[k];
    }
    steps[0] = left;
    int from = near;
    for (int k = 0; k < 3; ++k) {
      if (k > 0 && steps[k] == 0) {
        map.sources[i][k] = map.sources[i][0];
        continue;
      }
      from += coder.Signed(source_models[k], map.sources[i][k] - from);
      if (from < 0 || from >= source_points) return "name a point beyond the last of the topology";
      map.sources[i][k] = from;
      if (k == 0) near = from;
    }
    for (int k = 0; k < 3; ++k) map.weights[i][k] = static_cast<float>(steps[k]) / kMapSteps;
  }
  return "";
}

void PutCoded(RangeEncoder& encoder, BinaryWriter& writer) {
  const Bytes coded = encoder.Finish();
  writer.PutCount(coded.size());
  writer.Put(coded.data(), coded.size());
}

// Takes coded bytes that are to hold so many numbers.
std::vector<std::byte> TakeCoded(BinaryReader& reader, int64_t numbers, const std::string& place) {
  std::vector<std::byte> coded = reader.Take<std::byte>(reader.Take<uint32_t>(place), place);
  if (numbers > static_cast<int64_t>(kMaxNumbersPerByte * coded.size())) {
    reader.Fail(place, "are more numbers than the file can hold");
  }
  return coded;
}

void TakeJoints(BinaryReader& reader, RigTopology& topology) {
  const uint32_t count = reader.TakeCount(1, kMaxJoints, "joints");
  for (uint32_t j = 0; j < count; ++j) {
    const std::string place = fmt::format("joint {}", j);
    topology.joints.push_back(reader.TakeText(kMaxText, place));
    topology.parents.push_back(reader.Take<int32_t>(place));
    if (topology.parents[j] < -1 || topology.parents[j] >= static_cast<int>(j)) {
      reader.Fail(place, "has a parent that comes after it");
    }
  }
}

}  // namespace

Points RigMap::Apply(const Points& values) const {
  Points result = Points::Zero(point_count(), 3);
  for (int i = 0; i < point_count(); ++i) {
    for (int k = 0; k < 3; ++k) result.row(i) += weights[i][k] * values.row(sources[i][k]);
  }
  return result;
}

void RoundToRigPack(RigTopology& topology) {
  Eigen::RowVector3f low = topology.shapes[0].rest.colwise().minCoeff(), high = low;
  for (const RigShape& shape : topology.shapes) {
    low = low.cwiseMin(shape.rest.colwise().minCoeff());
    high = high.cwiseMax(shape.rest.colwise().maxCoeff());
  }
  const float longest = (high - low).maxCoeff();
  topology.grid_corner = low.transpose();
  topology.grid_step = longest > 0 ? longest / kPositionSteps : 1.0f;
  if (!topology.weights.empty()) topology.weights = RoundedTo12Bits(topology.weights, topology.point_count());
  for (RigShape& shape : topology.shapes) {
    shape.rest = PointsOf(GridSteps(shape.rest, topology), topology);
    if (!shape.weights.empty()) shape.weights = RoundedTo12Bits(shape.weights, topology.point_count());
  }
  for (RigMap& map : topology.maps) {
    for (size_t i = 0; i < map.sources.size(); ++i) {
      const std::array<int, 3> steps = MapSteps(map.weights[i]);
      for (int k = 0; k < 3; ++k) {
        map.weights[i][k] = static_cast<float>(steps[k]) / kMapSteps;
        if (steps[k] == 0 && k > 0) map.sources[i][k] = map.sources[i][0];
      }
    }
  }
}

Bytes FormatRigShapes(const RigTopology& topology) {
  BinaryWriter writer;
  writer.PutText(topology.name);
  writer.PutCount(topology.joints.size());
  for (size_t j = 0; j < topology.joints.size(); ++j) {
    writer.PutText(topology.joints[j]);
    writer.Put(static_cast<int32_t>(topology.parents[j]));
  }
  writer.PutCount(static_cast<size_t>(topology.point_count()));
  writer.PutCount(static_cast<size_t>(topology.triangles.rows()));
  writer.Put(topology.grid_corner.data(), 3);
  writer.Put(topology.grid_step);
  const bool shared = !topology.weights.empty();
  writer.Put(static_cast<uint8_t>(shared ? 1 : 0));
  writer.PutCount(topology.shapes.size());
  for (const RigShape& shape : topology.shapes) {
    writer.PutText(shape.body);
    writer.Put(shape.joints.data(), static_cast<size_t>(shape.joints.size()));
  }
  RigTopology copy = topology;
  RangeEncoder encoder;
  CodeTopology(encoder, shared, copy);
  PutCoded(encoder, writer);
  return writer.File(kShapesMagic, kVersion);
}

RigTopology ParseRigShapes(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader reader(bytes, file, kShapesMagic, kVersion, "the shapes of a rig pack", kRemedy);
  RigTopology topology;
  topology.name = reader.TakeText(kMaxText, "name");
  TakeJoints(reader, topology);
  const uint32_t points = reader.TakeCount(1, kMaxPoints, "points");
  const uint32_t triangles = reader.TakeCount(1, kMaxCount, "triangles");
  const std::vector<float> grid = reader.TakeFloats(4, "grid of positions");
  topology.grid_corner = {grid[0], grid[1], grid[2]};
  topology.grid_step = grid[3];
  const bool finite = std::isfinite(grid[3] * kPositionSteps + topology.grid_corner.cwiseAbs().maxCoeff());
  if (!(grid[3] > 0) || !finite) reader.Fail("grid of positions", "has a step that is no length");
  const uint8_t shared = reader.Take<uint8_t>("weights");
  if (shared > 1) reader.Fail("weights", "are neither shared nor each body's own");
  const uint32_t shapes = reader.TakeCount(1, kMaxCount, "shapes");
  for (uint32_t b = 0; b < shapes; ++b) {
    const std::string place = fmt::format("shape {}", b);
    RigShape shape;
    shape.body = reader.TakeText(kMaxText, place);
    const std::vector<float> joints = reader.TakeFloats(3 * topology.joints.size(), place);
    shape.joints = Eigen::Map<const Points>(joints.data(), static_cast<Eigen::Index>(topology.joints.size()), 3);
    topology.shapes.push_back(std::move(shape));
  }
  const int64_t lists = shared == 1 ? 1 : shapes;
  const std::vector<std::byte> coded =
      TakeCoded(reader, 3 * int64_t{triangles} + points * (3 * int64_t{shapes} + 7 * lists), "shapes");
  reader.End();
  topology.triangles = Triangles::Zero(triangles, 3);
  for (RigShape& shape : topology.shapes) shape.rest = Points::Zero(points, 3);
  RangeDecoder decoder(coded);
  const std::string problem = CodeTopology(decoder, shared == 1, topology);
  if (!problem.empty()) reader.Fail("shapes", problem);
  if (!decoder.AtEnd()) reader.Fail("shapes", "are not as many numbers as there should be");
  return topology;
}

Bytes FormatRigMaps(const RigTopology& topology) {
  BinaryWriter writer;
  writer.PutCount(topology.maps.size());
  for (RigMap map : topology.maps) {
    writer.Put(static_cast<uint8_t>(map.side));
    writer.Put(map.seed);
    writer.PutText(map.base);
    writer.PutCount(map.sources.size());
    writer.PutCount(static_cast<size_t>(map.triangles.rows()));
    RangeEncoder encoder;
    CodeMap(encoder, topology.point_count(), map);
    PutCoded(encoder, writer);
  }
  return writer.File(kMapsMagic, kVersion);
}

std::vector<RigMap> ParseRigMaps(std::span<const std::byte> bytes, int points, const std::string& file) {
  BinaryReader reader(bytes, file, kMapsMagic, kVersion, "the maps of a rig pack", kRemedy);
  std::vector<RigMap> maps;
  const uint32_t count = reader.TakeCount(0, kMaxCount, "maps");
  for (uint32_t m = 0; m < count; ++m) {
    const std::string place = fmt::format("map {}", m);
    RigMap map;
    const uint8_t side = reader.Take<uint8_t>(place);
    map.side = static_cast<dataset::Side>(side);
    if (side != static_cast<uint8_t>(dataset::Side::kTrain) && side != static_cast<uint8_t>(dataset::Side::kTest)) {
      reader.Fail(place, "is neither to train nor to test with");
    }
    map.seed = reader.Take<uint64_t>(place);
    map.base = reader.TakeText(kMaxText, place);
    const uint32_t own = reader.TakeCount(1, kMaxPoints, place), triangles = reader.TakeCount(1, kMaxCount, place);
    const std::vector<std::byte> coded = TakeCoded(reader, 3 * int64_t{triangles} + 3 * int64_t{own}, place);
    map.sources.assign(own, {});
    map.weights.assign(own, {1, 0, 0});
    map.triangles = Triangles::Zero(triangles, 3);
    RangeDecoder decoder(coded);
    const std::string problem = CodeMap(decoder, points, map);
    if (!problem.empty()) reader.Fail(place, "its numbers " + problem);
    if (!decoder.AtEnd()) reader.Fail(place, "has not as many numbers as there should be");
    maps.push_back(std::move(map));
  }
  reader.End();
  return maps;
}

}  // namespace sinew::corpus
