#include "tests/tools/hostile_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "sinew/offline/core/random.h"

namespace sinew::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int kRings = 7, kSides = 8;

// Changes one file of a family; returns it under the name of what was changed.
template <typename Change>
void AddLimb(Family& family, const std::string& what, const Change& change) {
  Limb limb = MakeLimb();
  change(limb);
  family.push_back({what, limb.builder.Glb()});
}

const Json& ViewOf(GltfBuilder& builder, int accessor) {
  return builder.json["bufferViews"][builder.json["accessors"][accessor]["bufferView"].get<int>()];
}

// Overwrites floats of an accessor in place: those from `first` on, `step` apart.
void Poke(GltfBuilder& builder, int accessor, float value, size_t first, size_t step) {
  Json& described = builder.json["accessors"][accessor];
  described.erase("min");
  described.erase("max");
  const Json& view = ViewOf(builder, accessor);
  const auto begin = view["byteOffset"].get<size_t>(), size = view["byteLength"].get<size_t>();
  for (size_t i = first; (i + 1) * sizeof value <= size; i += step) {
    std::memcpy(&builder.binary[begin + i * sizeof value], &value, sizeof value);
  }
}

// Positions, normals and texture positions of the tube, ring by ring, then its two poles.
struct Tube {
  std::vector<float> positions, normals, texture_positions, weights, joints, indices;
};

void AddVertex(Tube& tube, float x, float y, float z, const std::vector<float>& normal) {
  tube.positions.insert(tube.positions.end(), {x, y, z});
  tube.normals.insert(tube.normals.end(), normal.begin(), normal.end());
  tube.texture_positions.insert(tube.texture_positions.end(), {x, y});
  const float shin = std::clamp((y - 0.2f) / 0.2f, 0.0f, 1.0f);
  tube.weights.insert(tube.weights.end(), {1 - shin, shin, 0, 0});
  tube.joints.insert(tube.joints.end(), {0, 1, 0, 0});
}

void AddTriangle(Tube& tube, int a, int b, int c) {
  for (const int corner : {a, b, c}) tube.indices.push_back(static_cast<float>(corner));
}

Tube MakeTube() {
  Tube tube;
  for (int ring = 0; ring < kRings; ++ring) {
    for (int side = 0; side < kSides; ++side) {
      const float angle = 6.2831853f * static_cast<float>(side) / kSides, c = std::cos(angle), s = std::sin(angle);
      AddVertex(tube, 0.1f * c, 0.1f * static_cast<float>(ring), 0.1f * s, {c, 0, s});
    }
  }
  AddVertex(tube, 0, -0.03f, 0, {0, -1, 0});
  AddVertex(tube, 0, 0.63f, 0, {0, 1, 0});
  constexpr int kLow = kRings * kSides, kHigh = kLow + 1;
  for (int side = 0; side < kSides; ++side) {
    const int next = (side + 1) % kSides;
    for (int ring = 0; ring + 1 < kRings; ++ring) {
      const int a = ring * kSides + side, b = ring * kSides + next;
      AddTriangle(tube, a, a + kSides, b);
      AddTriangle(tube, b, a + kSides, b + kSides);
    }
    AddTriangle(tube, kLow, side, next);
    AddTriangle(tube, kHigh, kLow - kSides + next, kLow - kSides + side);
  }
  return tube;
}

}  // namespace

Limb MakeLimb() {
  Limb limb;
  GltfBuilder& builder = limb.builder;
  const Tube tube = MakeTube();
  limb.positions = builder.Accessor(tube.positions, 3);
  limb.normals = builder.Accessor(tube.normals, 3);
  limb.texture_positions = builder.Accessor(tube.texture_positions, 2);
  limb.joints = builder.Accessor(tube.joints, 4, {.component_type = 5121});
  limb.weights = builder.Accessor(tube.weights, 4);
  const int indices = builder.Accessor(tube.indices, 1, {.component_type = 5123});
  builder.Add("meshes", {{"name", "leg"},
                         {"primitives", Json::array({{{"attributes",
                                                       {{"POSITION", limb.positions},
                                                        {"NORMAL", limb.normals},
                                                        {"TEXCOORD_0", limb.texture_positions},
                                                        {"JOINTS_0", limb.joints},
                                                        {"WEIGHTS_0", limb.weights}}},
                                                      {"indices", indices}}})}});
  builder.Root({{"name", "root"}, {"children", {1}}});
  builder.Add("nodes", {{"name", "thigh"}, {"children", {2}}});
  builder.Add("nodes", {{"name", "shin"}, {"translation", {0.0, 0.3, 0.0}}});
  builder.Root({{"name", "leg"}, {"mesh", 0}, {"skin", 0}});
  limb.binds = builder.Accessor(
      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.3f, 0, 1}, 16);
  builder.Add("skins", {{"name", "skin"}, {"joints", {1, 2}}, {"inverseBindMatrices", limb.binds}});
  limb.times = builder.Accessor({0, 0.1f, 0.2f}, 1);
  limb.turns = builder.Accessor({0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0, 0, 0, 1}, 4);
  limb.moves = builder.Accessor({0, 0, 0, 0, 0.1f, 0, 0, 0, 0}, 3);
  builder.Add("animations",
              {{"name", "walk"},
               {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}},
                                         {{"sampler", 1}, {"target", {{"node", 1}, {"path", "translation"}}}}})},
               {"samplers", Json::array({{{"input", limb.times}, {"output", limb.turns}},
                                         {{"input", limb.times}, {"output", limb.moves}}})}});
  return limb;
}

Family ExtremeNumbers() {
  const std::pair<const char*, float> values[] = {{"0", 0.0f},       {"1e-42", 1e-42f}, {"1e-20", 1e-20f},
                                                  {"1e6", 1e6f},     {"1e20", 1e20f},   {"1e38", 1e38f},
                                                  {"-1e38", -1e38f}, {"NaN", kNan},     {"infinity", kInfinity}};
  const std::pair<const char*, int Limb::*> accessors[] = {
      {"positions", &Limb::positions}, {"normals", &Limb::normals}, {"texture positions", &Limb::texture_positions},
      {"weights", &Limb::weights},     {"binds", &Limb::binds},     {"key times", &Limb::times},
      {"turns", &Limb::turns},         {"moves", &Limb::moves}};
  Family family;
  for (const auto& accessor : accessors) {
    for (const auto& value : values) {
      const auto add = [&](const char* which, size_t first, size_t step) {
        AddLimb(family, fmt::format("{} {}: {}", which, accessor.first, value.first),
                [&](Limb& limb) { Poke(limb.builder, limb.*accessor.second, value.second, first, step); });
      };
      add("one of the", 1, 1'000'000);
      add("every third of the", 0, 3);
      add("all", 0, 1);
    }
  }
  for (const int joint : {2, 3, 255}) {
    AddLimb(family, fmt::format("joint {} that the skin has not", joint), [&](Limb& limb) {
      const Json& view = ViewOf(limb.builder, limb.joints);
      limb.builder.binary[view["byteOffset"].get<size_t>() + 5] = static_cast<std::byte>(joint);
    });
  }
  return family;
}

Family OddScales() {
  const std::pair<const char*, Json> scales[] = {{"zero", {0, 0, 0}},          {"flat", {1, 0, 1}},
                                                 {"mirrored", {-1, 1, 1}},     {"inside out", {-1, -1, -1}},
                                                 {"uneven", {1, 20, 0.1}},     {"tiny", {1e-30, 1e-30, 1e-30}},
                                                 {"huge", {1e30, 1e30, 1e30}}, {"beyond float", {1e300, 1, 1}}};
  Family family;
  for (const int node : {0, 1, 2, 3}) {
    for (const auto& [name, scale] : scales) {
      AddLimb(family, fmt::format("the scale of node {} is {}", node, name),
              [&, value = scale](Limb& limb) { limb.builder.json["nodes"][node]["scale"] = value; });
    }
    AddLimb(family, fmt::format("the rotation of node {} is of length 0", node), [&](Limb& limb) {
      limb.builder.json["nodes"][node]["rotation"] = {0, 0, 0, 0};
    });
    AddLimb(family, fmt::format("the rotation of node {} is huge", node), [&](Limb& limb) {
      limb.builder.json["nodes"][node]["rotation"] = {1e30, 1e30, 0, 1e30};
    });
    AddLimb(family, fmt::format("node {} is far away", node), [&](Limb& limb) {
      limb.builder.json["nodes"][node]["translation"] = {1e30, -1e38, 0};
    });
    AddLimb(family, fmt::format("the matrix of node {} is 0", node), [&](Limb& limb) {
      limb.builder.json["nodes"][node].erase("translation");
      limb.builder.json["nodes"][node]["matrix"] = std::vector<int>(16, 0);
    });
  }
  return family;
}

Family OddTimes() {
  Family family;
  const auto add = [&](const std::string& what, const std::vector<float>& times) {
    AddLimb(family, what, [&](Limb& limb) {
      GltfBuilder& builder = limb.builder;
      std::vector<float> turns;
      for (size_t i = 0; i < times.size(); ++i) turns.insert(turns.end(), {0, 0, 0, 1});
      builder.json["animations"][0]["channels"].erase(1);
      builder.json["animations"][0]["samplers"] =
          Json::array({{{"input", builder.Accessor(times, 1)}, {"output", builder.Accessor(turns, 4)}}});
    });
  };
  add("keys of one time", {0.5f, 0.5f, 0.5f});
  add("keys that go back", {2, 1, 0});
  add("negative keys", {-3, -2, -1});
  add("a key after a century", {0, 3e9f});
  add("a key after a day", {0, 86400});
  add("a key after all time", {0, 3e38f});
  add("keys as near as floats can be", {1, std::nextafter(1.0f, 2.0f), 2});
  add("denormal keys", {0, 1e-44f, 2e-44f});
  add("one key", {0});
  add("one late key", {1e12f});
  add("keys from the beginning to the end of all time", {-3e38f, 3e38f});
  add("a key that is no number", {0, kNan, 1});
  add("a key at infinity", {0, kInfinity});
  for (const char* interpolation : {"STEP", "CUBICSPLINE", "MAGIC"}) {
    AddLimb(family, fmt::format("interpolation {}", interpolation),
            [&](Limb& limb) { limb.builder.json["animations"][0]["samplers"][0]["interpolation"] = interpolation; });
  }
  for (const char* path : {"scale", "weights", "translation", "pointer"}) {
    AddLimb(family, fmt::format("turns as {}", path),
            [&](Limb& limb) { limb.builder.json["animations"][0]["channels"][0]["target"]["path"] = path; });
  }
  return family;
}

namespace {

// A document's nodes from 4 on, each hanging below the one before, the first below the shin.
void AddChain(GltfBuilder& builder, int length, bool joints) {
  builder.json["nodes"][2]["children"] = {4};
  for (int i = 0; i < length; ++i) {
    Json node = {{"translation", {0.0, 1e-4, 0.0}}};
    if (i + 1 < length) node["children"] = {5 + i};
    builder.Add("nodes", node);
    if (joints) builder.json["skins"][0]["joints"].push_back(4 + i);
  }
  if (joints) builder.json["skins"][0].erase("inverseBindMatrices");
}

void AddLeaves(GltfBuilder& builder, int count, bool joints) {
  for (int i = 0; i < count; ++i) {
    builder.json["nodes"][2]["children"].push_back(4 + i);
    builder.Add("nodes", {{"translation", {0.0, 1e-4 * i, 0.0}}});
    if (joints) builder.json["skins"][0]["joints"].push_back(4 + i);
  }
  if (joints) builder.json["skins"][0].erase("inverseBindMatrices");
}

}  // namespace

Family OddTrees() {
  Family family;
  AddLimb(family, "a node that is its own child", [](Limb& limb) { limb.builder.json["nodes"][2]["children"] = {2}; });
  AddLimb(family, "a cycle of two", [](Limb& limb) { limb.builder.json["nodes"][2]["children"] = {1}; });
  AddLimb(family, "a cycle outside of the scene", [](Limb& limb) {
    limb.builder.Add("nodes", {{"children", {5}}});
    limb.builder.Add("nodes", {{"children", {4}}});
  });
  AddLimb(family, "two parents", [](Limb& limb) { limb.builder.json["nodes"][0]["children"] = {1, 2}; });
  AddLimb(family, "a child that is named twice", [](Limb& limb) {
    limb.builder.json["nodes"][0]["children"] = {1, 1};
  });
  AddLimb(family, "a child that is not there", [](Limb& limb) { limb.builder.json["nodes"][2]["children"] = {77}; });
  AddLimb(family, "a child of the scene that is not its root", [](Limb& limb) {
    limb.builder.json["scenes"][0]["nodes"] = {2, 3};
  });
  AddLimb(family, "an empty scene", [](Limb& limb) { limb.builder.json["scenes"][0]["nodes"] = Json::array(); });
  AddLimb(family, "no scene", [](Limb& limb) { limb.builder.json.erase("scenes"); });
  AddLimb(family, "a chain of 10,000 nodes", [](Limb& limb) { AddChain(limb.builder, 10'000, false); });
  AddLimb(family, "a chain of 10,000 joints", [](Limb& limb) { AddChain(limb.builder, 10'000, true); });
  AddLimb(family, "a chain of 200 joints", [](Limb& limb) { AddChain(limb.builder, 200, true); });
  AddLimb(family, "10,000 nodes side by side", [](Limb& limb) { AddLeaves(limb.builder, 10'000, false); });
  AddLimb(family, "300 joints side by side", [](Limb& limb) { AddLeaves(limb.builder, 300, true); });
  AddLimb(family, "a chain of 10,000 nodes that ends in a cycle", [](Limb& limb) {
    AddChain(limb.builder, 10'000, false);
    limb.builder.json["nodes"].back()["children"] = {9'000};
  });
  return family;
}

Family OddSkins() {
  Family family;
  AddLimb(family, "no skin", [](Limb& limb) {
    limb.builder.json.erase("skins");
    limb.builder.json["nodes"][3].erase("skin");
  });
  AddLimb(family, "no skin and no animation", [](Limb& limb) {
    limb.builder.json.erase("skins");
    limb.builder.json.erase("animations");
    limb.builder.json["nodes"][3].erase("skin");
  });
  AddLimb(family, "one joint", [](Limb& limb) {
    limb.builder.json["skins"][0] = {{"joints", {1}}};
    Poke(limb.builder, limb.joints, 0, 0, 1);
  });
  AddLimb(family, "no joints", [](Limb& limb) { limb.builder.json["skins"][0]["joints"] = Json::array(); });
  AddLimb(family, "two roots", [](Limb& limb) {
    limb.builder.json["nodes"][1].erase("children");
    limb.builder.json["scenes"][0]["nodes"].push_back(2);
  });
  AddLimb(family, "a joint named twice", [](Limb& limb) { limb.builder.json["skins"][0]["joints"] = {1, 1}; });
  AddLimb(family, "the mesh is a joint of its own skin", [](Limb& limb) {
    limb.builder.json["skins"][0]["joints"] = {1, 3};
  });
  AddLimb(family, "the skinned mesh hangs below its joint", [](Limb& limb) {
    limb.builder.json["nodes"][2]["children"] = {3};
    limb.builder.json["scenes"][0]["nodes"] = {0};
  });
  AddLimb(family, "no weights", [](Limb& limb) {
    limb.builder.json["meshes"][0]["primitives"][0]["attributes"].erase("WEIGHTS_0");
    limb.builder.json["meshes"][0]["primitives"][0]["attributes"].erase("JOINTS_0");
  });
  AddLimb(family, "joints without weights",
          [](Limb& limb) { limb.builder.json["meshes"][0]["primitives"][0]["attributes"].erase("WEIGHTS_0"); });
  AddLimb(family, "negative weights", [](Limb& limb) { Poke(limb.builder, limb.weights, -1, 0, 2); });
  AddLimb(family, "joints all in one place", [](Limb& limb) {
    limb.builder.json["nodes"][2].erase("translation");
    limb.builder.json["skins"][0].erase("inverseBindMatrices");
  });
  AddLimb(family, "two skins with no joint in common", [](Limb& limb) {
    limb.builder.Add("skins", {{"joints", {limb.builder.Root({{"name", "other"}})}}});
    limb.builder.Root({{"mesh", 0}, {"skin", 1}});
  });
  AddLimb(family, "the same mesh 20 times", [](Limb& limb) {
    for (int i = 0; i < 20; ++i) limb.builder.Root({{"mesh", 0}, {"skin", 0}});
  });
  return family;
}

Family CutOff(const Bytes& valid, int places) {
  Family family;
  for (int i = 0; i < places; ++i) {
    const size_t size = valid.size() * i / places;
    family.push_back(
        {fmt::format("cut off after {} of {} bytes", size, valid.size()), {valid.begin(), valid.begin() + size}});
  }
  return family;
}

Family Flipped(const Bytes& valid, int files, uint64_t seed) {
  Family family;
  for (int i = 0; i < files; ++i) {
    Random random(seed + i);
    HostileFile file{fmt::format("bytes replaced with seed {}", seed + i), valid};
    const uint32_t changes = i % 3 == 0 ? 1 : 1 + random.Below(40);
    for (uint32_t k = 0; k < changes; ++k) {
      file.bytes[random.Below(static_cast<uint32_t>(valid.size()))] = static_cast<std::byte>(random.Below(256));
    }
    family.push_back(std::move(file));
  }
  return family;
}

Bytes ToBytes(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

}  // namespace sinew::testing
