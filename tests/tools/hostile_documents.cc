// The families of tests/tools/hostile_files.h that are about meshes, names, pictures and the document as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sinew/offline/core/random.h"
#include "tests/tools/hostile_files.h"

namespace sinew::testing {
namespace {

struct Shape {
  std::vector<float> positions, corners;

  int Add(float x, float y, float z) {
    positions.insert(positions.end(), {x, y, z});
    return static_cast<int>(positions.size() / 3) - 1;
  }
  void Triangle(int a, int b, int c) {
    for (const int corner : {a, b, c}) corners.push_back(static_cast<float>(corner));
  }
};

// The limb with another surface, the lower half of it on the thigh and the upper one on the shin.
void AddShape(Family& family, const std::string& what, const Shape& shape) {
  GltfBuilder builder = MakeLimb().builder;
  std::vector<float> joints, weights;
  for (size_t i = 1; i < shape.positions.size(); i += 3) {
    joints.insert(joints.end(), {shape.positions[i] < 0.3f ? 0.0f : 1.0f, 0, 0, 0});
    weights.insert(weights.end(), {1, 0, 0, 0});
  }
  builder.json["meshes"][0]["primitives"][0] = {
      {"attributes",
       {{"POSITION", builder.Accessor(shape.positions, 3)},
        {"JOINTS_0", builder.Accessor(joints, 4, {.component_type = 5121})},
        {"WEIGHTS_0", builder.Accessor(weights, 4)}}},
      {"indices", builder.Accessor(shape.corners, 1, {.component_type = 5125})}};
  family.push_back({what, builder.Glb()});
}

// A disc of triangles that all meet in one vertex; with a height, a cone.
Shape Fan(int triangles, float height, bool closed) {
  Shape shape;
  const int middle = shape.Add(0, height, 0);
  for (int i = 0; i < triangles; ++i) {
    const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(triangles);
    shape.Add(0.3f * std::cos(angle), 0, 0.3f * std::sin(angle));
  }
  for (int i = 0; i < triangles; ++i) shape.Triangle(middle, 1 + (i + 1) % triangles, 1 + i);
  if (!closed) return shape;
  const int below = shape.Add(0, -height, 0);
  for (int i = 0; i < triangles; ++i) shape.Triangle(below, 1 + i, 1 + (i + 1) % triangles);
  return shape;
}

// Sheets that all hang on one edge, as pages of a book.
Shape Book(int sheets) {
  Shape shape;
  const int low = shape.Add(0, 0, 0), high = shape.Add(0, 0.6f, 0);
  for (int i = 0; i < sheets; ++i) {
    const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(sheets);
    shape.Triangle(low, high, shape.Add(0.3f * std::cos(angle), 0.3f, 0.3f * std::sin(angle)));
  }
  return shape;
}

// One triangle many times: the same corners, or corners of its own in the same places.
Shape Copies(int count, bool own_corners) {
  Shape shape;
  for (int i = 0; i < count; ++i) {
    if (i == 0 || own_corners) {
      shape.Add(0, 0, 0);
      shape.Add(0.3f, 0.6f, 0);
      shape.Add(0, 0.6f, 0.3f);
    }
    const int first = own_corners ? 3 * i : 0;
    shape.Triangle(first, first + 1, first + 2);
  }
  return shape;
}

// Needles that cross each other in all directions, each `thickness` thick.
Shape Needles(int count, float thickness) {
  Shape shape;
  Random random(7);
  const auto number = [&] { return static_cast<float>(random.Uniform(0, 0.6)); };
  for (int i = 0; i < count; ++i) {
    const float x = number(), y = number(), z = number();
    shape.Triangle(shape.Add(x, y, z), shape.Add(x + thickness, y, z), shape.Add(number(), number(), number()));
  }
  return shape;
}

// Squares on a line, thinner than floats can tell apart from a line, with a long edge each.
Shape Strip(int count, float width) {
  Shape shape;
  for (int i = 0; i <= count; ++i) {
    const float y = 0.6f * static_cast<float>(i) / static_cast<float>(count);
    shape.Add(0, y, 0);
    shape.Add(width, y, 0);
  }
  for (int i = 0; i < count; ++i) {
    shape.Triangle(2 * i, 2 * i + 1, 2 * i + 2);
    shape.Triangle(2 * i + 1, 2 * i + 3, 2 * i + 2);
  }
  return shape;
}

Shape Cloud(int vertices, int triangles) {
  Shape shape;
  Random random(11);
  const auto number = [&] { return static_cast<float>(random.Uniform(0, 0.6)); };
  const auto corner = [&] { return static_cast<int>(random.Below(vertices)); };
  for (int i = 0; i < vertices; ++i) shape.Add(number(), number(), number());
  for (int i = 0; i < triangles; ++i) shape.Triangle(corner(), corner(), corner());
  return shape;
}

void AddPrimitive(Family& family, const std::string& what, const std::function<void(GltfBuilder&, Json&)>& change) {
  GltfBuilder builder = MakeLimb().builder;
  change(builder, builder.json["meshes"][0]["primitives"][0]);
  family.push_back({what, builder.Glb()});
}

void AddEmptyMeshes(Family& family) {
  AddPrimitive(family, "no meshes", [](GltfBuilder& builder, Json&) {
    builder.json.erase("meshes");
    builder.json["nodes"][3].erase("mesh");
  });
  AddPrimitive(family, "a mesh without primitives",
               [](GltfBuilder& builder, Json&) { builder.json["meshes"][0]["primitives"] = Json::array(); });
  AddPrimitive(family, "no positions",
               [](GltfBuilder&, Json& primitive) { primitive["attributes"].erase("POSITION"); });
  AddPrimitive(family, "no attributes",
               [](GltfBuilder&, Json& primitive) { primitive["attributes"] = Json::object(); });
  AddPrimitive(family, "no triangles", [](GltfBuilder& builder, Json& primitive) {
    builder.json["accessors"][primitive["indices"].get<int>()]["count"] = 0;
  });
  AddPrimitive(family, "two indices", [](GltfBuilder& builder, Json& primitive) {
    builder.json["accessors"][primitive["indices"].get<int>()]["count"] = 2;
  });
  AddPrimitive(family, "no vertices", [](GltfBuilder& builder, Json& primitive) {
    for (const Json& accessor : primitive["attributes"]) builder.json["accessors"][accessor.get<int>()]["count"] = 0;
    builder.json["accessors"][primitive["indices"].get<int>()]["count"] = 0;
  });
  AddPrimitive(family, "an index of a vertex that is not there", [](GltfBuilder& builder, Json& primitive) {
    primitive["indices"] = builder.Accessor({0, 1, 58}, 1, {.component_type = 5123});
  });
  AddPrimitive(family, "all corners in one vertex", [](GltfBuilder& builder, Json& primitive) {
    primitive["indices"] = builder.Accessor(std::vector<float>(300, 5), 1, {.component_type = 5123});
  });
  for (const int mode : {0, 1, 4, 5, 6, 7}) {
    AddPrimitive(family, fmt::format("primitives of mode {}", mode),
                 [&](GltfBuilder&, Json& primitive) { primitive["mode"] = mode; });
  }
  AddPrimitive(family, "a thousand copies of a primitive", [](GltfBuilder& builder, Json& primitive) {
    const Json copy = primitive;
    for (int i = 0; i < 1000; ++i) builder.json["meshes"][0]["primitives"].push_back(copy);
  });
  AddPrimitive(family, "a thousand morph targets", [](GltfBuilder&, Json& primitive) {
    primitive["targets"] = Json::array();
    for (int i = 0; i < 1000; ++i) primitive["targets"].push_back({{"POSITION", primitive["attributes"]["POSITION"]}});
  });
}

}  // namespace

Family OddMeshes() {
  Family family;
  AddEmptyMeshes(family);
  AddShape(family, "one triangle", Copies(1, false));
  AddShape(family, "a fan of 2,000 triangles", Fan(2000, 0.4f, false));
  AddShape(family, "a flat fan of 2,000 triangles", Fan(2000, 0, false));
  AddShape(family, "two cones of 1,000 triangles", Fan(1000, 0.4f, true));
  AddShape(family, "a book of 500 sheets", Book(500));
  AddShape(family, "2,000 copies of a triangle", Copies(2000, false));
  AddShape(family, "2,000 triangles in one place", Copies(2000, true));
  AddShape(family, "500 needles", Needles(500, 1e-4f));
  AddShape(family, "500 needles thinner than floats", Needles(500, 1e-30f));
  AddShape(family, "a strip thinner than floats", Strip(300, 1e-30f));
  AddShape(family, "a strip of slivers", Strip(1000, 0.6f));
  AddShape(family, "triangles between random vertices", Cloud(40, 600));
  return family;
}

Family OddNames() {
  const std::pair<const char*, std::string> names[] = {{"terminal escapes", "\x1b[31mred\x1b]0;title\x07"},
                                                       {"line ends", "one\ntwo\r\nsinew: three"},
                                                       {"a zero", std::string("a\0b", 3)},
                                                       {"C1 controls",
                                                        "\xc2\x9b"
                                                        "31m"},
                                                       {"text from right to left",
                                                        "\xe2\x80\xae"
                                                        "abc"},
                                                       {"nothing", ""},
                                                       {"100,000 letters", std::string(100'000, 'a')},
                                                       {"quotes and braces", "\"}{%s{}\\"},
                                                       {"a path", "../../../tmp/a"},
                                                       {"markup", "<script>alert(1)</script>&amp;"},
                                                       {"bytes that are not UTF-8", "\xff\xfe\x80"},
                                                       {"one name for all", "shin"}};
  Family family;
  for (const auto& [what, name] : names) {
    GltfBuilder builder = MakeLimb().builder;
    // Bytes that the JSON library would not write are put in afterwards, over a name of as many letters.
    const bool raw = std::string_view(what).starts_with("bytes");
    const std::string written = raw ? std::string(name.size(), '~') : name;
    for (const char* list : {"nodes", "meshes", "skins", "animations"}) {
      for (Json& item : builder.json[list]) item["name"] = written;
    }
    Bytes bytes = builder.Glb();
    if (raw) {
      const Bytes from = ToBytes(written), to = ToBytes(name);
      for (auto at = std::search(bytes.begin(), bytes.end(), from.begin(), from.end()); at != bytes.end();
           at = std::search(at, bytes.end(), from.begin(), from.end())) {
        std::copy(to.begin(), to.end(), at);
      }
    }
    family.push_back({fmt::format("names of {}", what), std::move(bytes)});
  }
  return family;
}

Family FalseClaims() {
  Family family;
  const auto add = [&](const std::string& what, const std::function<void(Json&, Json&)>& change) {
    AddPrimitive(family, what,
                 [&](GltfBuilder& builder, Json&) { change(builder.json["accessors"][0], builder.json); });
  };
  for (const Json& count : {Json(1'000'000'000), Json(4'294'967'296), Json(4'611'686'018'427'387'904),
                            Json(18'446'744'073'709'551'615u), Json(-1)}) {
    const std::string text = count.dump();
    add("an accessor of so many: " + text, [&](Json& accessor, Json&) { accessor["count"] = count; });
    add("an accessor without bytes of so many: " + text, [&](Json& accessor, Json&) {
      accessor.erase("bufferView");
      accessor["count"] = count;
    });
    for (const char* key : {"byteOffset", "byteLength", "byteStride"}) {
      add(fmt::format("a view's {} is {}", key, text), [&](Json&, Json& json) { json["bufferViews"][0][key] = count; });
    }
  }
  add("every accessor without bytes, of a million", [](Json&, Json& json) {
    for (Json& accessor : json["accessors"]) {
      accessor.erase("bufferView");
      accessor["count"] = 1'000'000;
    }
  });
  add("sparse beyond the end", [](Json& accessor, Json&) {
    accessor["sparse"] = {{"count", 1'000'000'000},
                          {"indices", {{"bufferView", 5}, {"componentType", 5123}}},
                          {"values", {{"bufferView", 0}}}};
  });
  for (const char* uri :
       {"/dev/zero", "../limb.bin", "file:///etc/passwd", "data:,", "data:application/octet-stream;base64,!!!!",
        "missing.bin", ".", "", "%00", "http://127.0.0.1/a.bin"}) {
    GltfBuilder builder = MakeLimb().builder;
    builder.json["buffers"] = Json::array({{{"byteLength", builder.binary.size()}, {"uri", uri}}});
    builder.binary.clear();
    family.push_back({fmt::format("a buffer at '{}'", uri), builder.Glb()});
  }
  add("nesting", [](Json&, Json& json) {
    Json nested = 1;
    for (int i = 0; i < 5000; ++i) nested = Json::array({std::move(nested)});
    json["extras"] = std::move(nested);
  });
  add("an object of 30,000 keys", [](Json&, Json& json) {
    for (int i = 0; i < 30'000; ++i) json["extras"][fmt::format("key{}", i)] = i;
  });
  add("an extension that is required", [](Json&, Json& json) { json["extensionsRequired"] = {"EXT_\x1b[1mbold"}; });
  return family;
}

namespace {

// Every place of a document, from the top down.
void ListPlaces(const Json& json, const Json::json_pointer& at, std::vector<Json::json_pointer>& places) {
  if (!at.empty()) places.push_back(at);
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) ListPlaces(value, at / key, places);
  } else if (json.is_array()) {
    // Long lists, such as bounds of matrices, are all alike.
    for (size_t i = 0; i < std::min<size_t>(json.size(), 3); ++i) ListPlaces(json[i], at / i, places);
  }
}

}  // namespace

Family WrongTypes() {
  const Json wrong[] = {nullptr, "text", -1, 1e300, 2147483648, 0.5, true, Json::array(), Json::object()};
  std::vector<Json::json_pointer> places;
  const GltfBuilder valid = MorphedRig();
  ListPlaces(valid.json, Json::json_pointer(), places);
  Family family;
  Random random(3);
  for (const Json::json_pointer& place : places) {
    GltfBuilder builder = valid;
    const Json& value = wrong[random.Below(std::size(wrong))];
    builder.json[place] = value;
    family.push_back({fmt::format("{} is {}", place.to_string(), value.dump()), builder.Glb()});
  }
  return family;
}

namespace {

// A PNG that is whole up to its size, and has nothing after it.
std::string PngHeader(uint32_t width, uint32_t height) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (const uint32_t side : {width, height}) {
    for (int shift = 24; shift >= 0; shift -= 8) png += static_cast<char>(side >> shift);
  }
  png += std::string("\x08\x06\0\0\0\0\0\0\0", 9);
  png += std::string("\0\0\0\x0aIDAT\x78\x9c\x03\0\0\0\0\x01\0\0\0\0\0\0", 22);
  return png;
}

}  // namespace

Family OddPictures() {
  const std::pair<const char*, std::string> pictures[] = {{"nothing", "?"},
                                                          {"no picture", std::string(200, 'x')},
                                                          {"of no size", PngHeader(0, 0)},
                                                          {"small and without its pixels", PngHeader(4, 4)},
                                                          {"huge", PngHeader(60'000, 60'000)},
                                                          {"of one endless row", PngHeader(2'000'000'000, 1)},
                                                          {"larger than anything", PngHeader(0xffffffff, 0xffffffff)}};
  Family family;
  for (const auto& [what, bytes] : pictures) {
    AddPrimitive(
        family, fmt::format("a texture that is {}", what),
        [&, &picture = bytes](GltfBuilder& builder, Json& primitive) {
          const int view = builder.View(ToBytes(picture));
          builder.json["images"] = Json::array({{{"bufferView", view}, {"mimeType", "image/png"}}});
          builder.json["textures"] = Json::array({{{"source", 0}}});
          builder.json["materials"] = Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
          primitive["material"] = 0;
        });
  }
  return family;
}

}  // namespace sinew::testing
