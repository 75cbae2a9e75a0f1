#include "sinew/offline/lod/hierarchy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/io/gltf/gltf.h"

namespace sinew::lod {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOperators = "operators.bin";
constexpr char kMagic[9] = "SINEWLOD";
constexpr uint32_t kVersion = 1;
constexpr size_t kHashDigits = 32;
constexpr uint32_t kMaxLevels = 16;
constexpr uint32_t kMaxCount = 100'000'000;
constexpr double kSumTolerance = 1e-5;

std::string LevelName(int i) { return fmt::format("level_{}.glb", i); }

std::string TakeHash(BinaryReader& reader, const std::string& place) {
  const std::vector<char> digits = reader.Take<char>(kHashDigits, place);
  return {digits.begin(), digits.end()};
}

std::vector<int> TakePoints(BinaryReader& reader, size_t count, int below, const std::string& place) {
  const std::vector<uint32_t> values = reader.Take<uint32_t>(count, place);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= static_cast<uint32_t>(below)) {
      reader.Fail(fmt::format("{}, entry {}", place, i), fmt::format("names point {} of {}", values[i], below));
    }
  }
  return {values.begin(), values.end()};
}

Upsampling TakeUpsampling(BinaryReader& reader, int i, int coarse, int fine) {
  const std::string place = fmt::format("U_{}", i);
  Upsampling U;
  U.coarse_count = coarse;
  const std::vector<int> corners = TakePoints(reader, 3 * static_cast<size_t>(fine), coarse, place);
  const std::vector<float> weights = reader.Take<float>(3 * static_cast<size_t>(fine), place);
  U.corners.resize(fine);
  U.weights.resize(fine);
  for (int f = 0; f < fine; ++f) {
    for (int k = 0; k < 3; ++k) {
      U.corners[f][k] = corners[3 * static_cast<size_t>(f) + k];
      U.weights[f][k] = weights[3 * static_cast<size_t>(f) + k];
    }
    const auto& [a, b, c] = U.corners[f];
    const auto& [x, y, z] = U.weights[f];
    if (a == b || b == c || c == a) reader.Fail(fmt::format("{}, row {}", place, f), "names one point twice");
    const double sum = static_cast<double>(x) + y + z;
    const bool fine_row = x >= 0 && y >= 0 && z >= 0 && std::abs(sum - 1) <= kSumTolerance;
    if (!fine_row) reader.Fail(fmt::format("{}, row {}", place, f), "has weights that are negative or do not sum to 1");
  }
  return U;
}

Operators ToOperators(const Hierarchy& hierarchy) {
  Operators operators;
  operators.point_counts = {hierarchy.region_count()};
  for (const Level& level : hierarchy.levels) {
    operators.point_counts.push_back(level.point_count);
    operators.point_of_vertex.push_back(level.point_of_vertex);
  }
  operators.U = hierarchy.U;
  return operators;
}

}  // namespace

Bytes FormatOperators(const Operators& operators) {
  BinaryWriter body;
  for (const int count : operators.point_counts) body.PutCount(count);
  for (const auto& points : operators.point_of_vertex) body.PutCount(points.size());
  for (const std::string& hash : operators.level_hashes) body.Put(hash.data(), kHashDigits);
  for (const auto& points : operators.point_of_vertex) body.Put(points.data(), points.size());
  for (const Upsampling& U : operators.U) {
    body.Put(U.corners.data(), U.corners.size());
    body.Put(U.weights.data(), U.weights.size());
  }
  BinaryWriter file;
  file.Put(kMagic, 8);
  file.PutCount(kVersion);
  file.PutCount(operators.U.size());
  const std::string hash = HashHex(body.bytes());
  file.Put(hash.data(), kHashDigits);
  file.Put(body.bytes().data(), body.bytes().size());
  return file.bytes();
}

Operators ParseOperators(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader reader(bytes, file, "build the hierarchy again");
  const std::vector<char> magic = reader.Take<char>(8, "header");
  if (!std::equal(magic.begin(), magic.end(), kMagic)) reader.Fail("header", "is not a file of upsampling operators");
  const uint32_t version = reader.Take<uint32_t>("header, version");
  if (version != kVersion) {
    throw InputError(file, "header", fmt::format("is of version {}", version),
                     fmt::format("this program reads version {}; use a newer one", kVersion));
  }
  const int levels = static_cast<int>(reader.TakeCount(1, kMaxLevels, "header, number of levels"));
  const std::string hash = TakeHash(reader, "header, checksum");
  if (HashHex(reader.rest()) != hash) reader.Fail("header, checksum", "does not match: the file was changed or cut");
  Operators operators;
  std::vector<uint32_t> vertex_counts;
  for (int i = 0; i <= levels; ++i) {
    operators.point_counts.push_back(
        static_cast<int>(reader.TakeCount(3, kMaxCount, fmt::format("points of level {}", i))));
  }
  for (int i = 1; i <= levels; ++i) {
    vertex_counts.push_back(reader.TakeCount(3, kMaxCount, fmt::format("vertices of level {}", i)));
  }
  for (int i = 1; i <= levels; ++i) {
    operators.level_hashes.push_back(TakeHash(reader, fmt::format("checksum of level {}", i)));
  }
  for (int i = 1; i <= levels; ++i) {
    operators.point_of_vertex.push_back(TakePoints(reader, vertex_counts[i - 1], operators.point_counts[i],
                                                   fmt::format("points of level {}'s vertices", i)));
  }
  for (int i = 0; i < levels; ++i) {
    operators.U.push_back(TakeUpsampling(reader, i, operators.point_counts[i], operators.point_counts[i + 1]));
  }
  reader.End();
  return operators;
}

bool IsHierarchy(const fs::path& path) { return fs::is_directory(path) && fs::is_regular_file(path / kOperators); }

void WriteHierarchy(const fs::path& path, const Hierarchy& hierarchy,
                    const std::function<void(const fs::path&)>& extras) {
  WriteFolderAtomic(path, IsHierarchy, [&](const fs::path& folder) {
    Operators operators = ToOperators(hierarchy);
    for (int i = 1; i <= hierarchy.level_count(); ++i) {
      const Bytes glb = gltf::EncodeGlb(hierarchy.level(i).character);
      WriteFileAtomic(folder / LevelName(i), glb);
      operators.level_hashes.push_back(HashHex(glb));
    }
    if (extras) extras(folder);
    WriteFileAtomic(folder / kOperators, FormatOperators(operators));
  });
}

Hierarchy ReadHierarchy(const fs::path& path) {
  if (!IsHierarchy(path)) {
    throw InputError(path.string(), "", fmt::format("is not a hierarchy: it has no {}", kOperators),
                     "make one with sinew lod");
  }
  const std::string file = (path / kOperators).string();
  Operators operators = ParseOperators(ReadFile(file), file);
  Hierarchy hierarchy;
  for (size_t i = 0; i < operators.U.size(); ++i) {
    const std::string level_file = (path / LevelName(static_cast<int>(i) + 1)).string();
    const Bytes glb = ReadFile(level_file);
    if (HashHex(glb) != operators.level_hashes[i]) {
      throw InputError(level_file, "", fmt::format("is not the file that {} was made for", file),
                       "build the hierarchy again, or put the old level back");
    }
    Level level{gltf::ReadGltf(glb, level_file, path, {.skin = "", .quiet = true}), operators.point_counts[i + 1],
                std::move(operators.point_of_vertex[i])};
    if (level.character.vertex_count() != level.vertex_count()) {
      throw InputError(
          level_file, "",
          fmt::format("has {} vertices, and {} says {}", level.character.vertex_count(), file, level.vertex_count()),
          "build the hierarchy again");
    }
    hierarchy.levels.push_back(std::move(level));
  }
  hierarchy.U = std::move(operators.U);
  return hierarchy;
}

}  // namespace sinew::lod
