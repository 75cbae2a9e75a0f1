#include "sinew/offline/io/obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/text.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/triangulate.h"

namespace sinew {
namespace {

// Indices from 0; -1: none.
struct Corner {
  int position = -1, uv = -1, normal = -1;
  bool operator==(const Corner&) const = default;
};

struct CornerHash {
  size_t operator()(const Corner& c) const {
    uint64_t h = static_cast<uint32_t>(c.position);
    for (const int next : {c.uv, c.normal}) h = (h ^ (h >> 29)) * 0x9e3779b97f4a7c15u + static_cast<uint32_t>(next);
    return static_cast<size_t>(h ^ (h >> 32));
  }
};

struct Surface {
  std::string name, material;
  std::vector<Corner> corners;  // three per triangle
};

struct ObjFile {
  std::vector<Eigen::Vector3f> positions, colors, normals;
  std::vector<Eigen::Vector2f> uvs;
  std::vector<Surface> surfaces;
};

class Parser {
 public:
  Parser(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  ObjFile Parse() {
    while (NextLine()) {
      if (!words_.empty()) ParseLine();
    }
    if (lines_and_points_ > 0) {
      Warn("{}: {} lines, points, curves or surfaces that are not polygons were ignored", file_, lines_and_points_);
    }
    return std::move(obj_);
  }

 private:
  [[noreturn]] void Fail(const std::string& problem) const {
    throw InputError(file_, fmt::format("line {}", line_), problem,
                     "the file is damaged or cut short: export it again");
  }

  // Splits the next line into words; a backslash at its end joins the one after it.
  bool NextLine() {
    words_.clear();
    if (at_ >= text_.size()) return false;
    line_ += pending_lines_;
    pending_lines_ = 0;
    bool joined = true;
    while (joined && at_ < text_.size()) {
      const size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++pending_lines_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      joined = line.ends_with('\\');
      if (joined) line.remove_suffix(1);
      SplitWords(line.substr(0, line.find('#')));
    }
    return true;
  }

  void SplitWords(std::string_view line) {
    while (true) {
      const size_t start = line.find_first_not_of(" \t");
      if (start == std::string_view::npos) return;
      const size_t end = std::min(line.find_first_of(" \t", start), line.size());
      words_.push_back(line.substr(start, end - start));
      line.remove_prefix(end);
    }
  }

  void ParseLine() {
    const std::string_view key = words_[0];
    if (key == "v") {
      ParsePosition();
    } else if (key == "vt") {
      // OBJ counts v from the bottom of the picture, glTF and we from the top.
      obj_.uvs.emplace_back(Number(1), words_.size() > 2 ? 1 - Number(2) : 1);
    } else if (key == "vn") {
      obj_.normals.emplace_back(Number(1), Number(2), Number(3));
    } else if (key == "f") {
      ParseFace();
    } else if (key == "g" || key == "o") {
      name_ = ToUtf8(Rest());
      changed_ = true;
    } else if (key == "usemtl") {
      material_ = ToUtf8(Rest());
      changed_ = true;
    } else if (key == "l" || key == "p" || key == "curv" || key == "curv2" || key == "surf") {
      ++lines_and_points_;
    } else if (!IsHarmless(key)) {
      Fail(fmt::format("'{}' is not a keyword of OBJ", std::string(key.substr(0, 20))));
    }
  }

  // Known keywords that say nothing about triangles.
  static bool IsHarmless(std::string_view key) {
    static constexpr std::array kHarmless = {
        "s",    "mtllib", "vp",     "mg",         "cstype",    "deg",   "bmat",  "step",     "parm",
        "trim", "hole",   "scrv",   "sp",         "end",       "con",   "bevel", "c_interp", "d_interp",
        "lod",  "maplib", "usemap", "shadow_obj", "trace_obj", "ctech", "stech", "call",     "csh"};
    return std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end();
  }

  std::string Rest() const {
    std::string rest;
    for (size_t i = 1; i < words_.size(); ++i) {
      if (i > 1) rest += ' ';
      rest += words_[i];
    }
    return rest;
  }

  float Number(size_t word) const {
    if (word >= words_.size()) Fail(fmt::format("has {} numbers where more are needed", words_.size() - 1));
    std::string_view text = words_[word];
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool tiny = error == std::errc::result_out_of_range && text.find("e-") != std::string_view::npos;
    if ((error != std::errc() && !tiny) || end != text.data() + text.size()) {
      Fail(fmt::format("'{}' is not a number", std::string(text.substr(0, 20))));
    }
    const auto single = static_cast<float>(std::clamp(value, -1e300, 1e300));
    if (!std::isfinite(value) || !std::isfinite(single))
      Fail(fmt::format("'{}' is not a finite number", std::string(text.substr(0, 20))));
    return single;
  }

  void ParsePosition() {
    obj_.positions.emplace_back(Number(1), Number(2), Number(3));
    // x y z, x y z w, x y z r g b, or (with both) seven numbers.
    const size_t numbers = words_.size() - 1;
    if (numbers == 6 || numbers == 7) {
      obj_.colors.resize(obj_.positions.size(), Eigen::Vector3f::Ones());
      obj_.colors.back() = {Number(numbers - 2), Number(numbers - 1), Number(numbers)};
    }
  }

  // 1-based, or negative and counted from the end of what is there so far.
  int ParseIndex(std::string_view text, size_t count, const char* what) const {
    int64_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc() || end != text.data() + text.size()) {
      Fail(fmt::format("'{}' is not an index", std::string(text.substr(0, 20))));
    }
    const int64_t from_zero = index > 0 ? index - 1 : static_cast<int64_t>(count) + index;
    if (index == 0 || from_zero < 0 || from_zero >= static_cast<int64_t>(count)) {
      Fail(fmt::format("names {} {}, but there are {} so far", what, index, count));
    }
    return static_cast<int>(from_zero);
  }

  Corner ParseCorner(std::string_view word) const {
    std::array<std::string_view, 3> fields;
    for (size_t k = 0; k < 3; ++k) {
      const auto slash = static_cast<size_t>(std::find(word.begin(), word.end(), '/') - word.begin());
      fields[k] = word.substr(0, slash);
      word.remove_prefix(std::min(slash + 1, word.size()));
    }
    if (!word.empty()) Fail("has a corner of more than three indices");
    Corner corner;
    corner.position = ParseIndex(fields[0], obj_.positions.size(), "vertex");
    if (!fields[1].empty()) corner.uv = ParseIndex(fields[1], obj_.uvs.size(), "texture coordinate");
    if (!fields[2].empty()) corner.normal = ParseIndex(fields[2], obj_.normals.size(), "normal");
    return corner;
  }

  void ParseFace() {
    if (words_.size() < 4) Fail(fmt::format("is a face of {} corners", words_.size() - 1));
    std::vector<Corner> corners;
    std::vector<Eigen::Vector3f> points;
    for (size_t i = 1; i < words_.size(); ++i) {
      corners.push_back(ParseCorner(words_[i]));
      points.push_back(obj_.positions[corners.back().position]);
    }
    Surface& surface = CurrentSurface();
    for (const auto& triangle : Triangulate(points)) {
      for (const int c : triangle) surface.corners.push_back(corners[c]);
    }
  }

  Surface& CurrentSurface() {
    if (changed_) {
      const auto [found, is_new] = by_name_.try_emplace({name_, material_}, obj_.surfaces.size());
      if (is_new) obj_.surfaces.push_back({name_, material_, {}});
      current_ = found->second;
      changed_ = false;
    }
    return obj_.surfaces[current_];
  }

  std::string_view text_;
  std::string file_;
  size_t at_ = 0;
  int line_ = 1, pending_lines_ = 0;
  std::vector<std::string_view> words_;
  ObjFile obj_;
  std::string name_, material_;
  std::map<std::pair<std::string, std::string>, size_t> by_name_;
  bool changed_ = true;  // the group or the material, since the last face
  size_t current_ = 0;
  int lines_and_points_ = 0;
};

// Vertices of a part, each given by a corner of the file, and the triangles over them.
struct Split {
  std::vector<Corner> vertices;
  Triangles triangles;
};

// Lists the vertices that a surface uses, in the file's order; then a copy for every further UV or normal of a vertex.
Split SplitAtSeams(const Surface& surface, size_t positions, bool keep_unused) {
  std::vector<int> used;
  if (keep_unused) {
    for (size_t i = 0; i < positions; ++i) used.push_back(static_cast<int>(i));
  } else {
    for (const Corner& corner : surface.corners) used.push_back(corner.position);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
  }
  Split split;
  split.vertices.resize(used.size());
  split.triangles.resize(static_cast<Eigen::Index>(surface.corners.size() / 3), 3);
  std::unordered_map<Corner, int, CornerHash> copies;
  for (size_t i = 0; i < surface.corners.size(); ++i) {
    const Corner& corner = surface.corners[i];
    auto vertex = static_cast<int>(std::lower_bound(used.begin(), used.end(), corner.position) - used.begin());
    if (split.vertices[vertex].position < 0) split.vertices[vertex] = corner;
    if (!(split.vertices[vertex] == corner)) {
      const auto [found, is_new] = copies.try_emplace(corner, static_cast<int>(split.vertices.size()));
      if (is_new) split.vertices.push_back(corner);
      vertex = found->second;
    }
    split.triangles(static_cast<Eigen::Index>(i / 3), static_cast<Eigen::Index>(i % 3)) = vertex;
  }
  for (size_t i = 0; i < used.size(); ++i) split.vertices[i].position = used[i];
  return split;
}

void FillUvs(const ObjFile& obj, const std::vector<Corner>& vertices, Part& part) {
  if (std::none_of(vertices.begin(), vertices.end(), [](const Corner& c) { return c.uv >= 0; })) return;
  VertexAttribute uv{.name = "TEXCOORD_0", .components = 2, .component_type = 5126, .normalized = false, .values = {}};
  for (const Corner& corner : vertices) {
    const Eigen::Vector2f value = corner.uv < 0 ? Eigen::Vector2f(0, 0) : obj.uvs[corner.uv];
    uv.values.insert(uv.values.end(), {value.x(), value.y()});
  }
  part.attributes.push_back(std::move(uv));
}

void FillColors(const ObjFile& obj, const std::vector<Corner>& vertices, Part& part) {
  if (obj.colors.empty()) return;
  VertexAttribute color{.name = "COLOR_0", .components = 3, .component_type = 5126, .normalized = false, .values = {}};
  for (const Corner& corner : vertices) {
    const bool given = corner.position < static_cast<int>(obj.colors.size());
    const Eigen::Vector3f value = given ? obj.colors[corner.position] : Eigen::Vector3f::Ones();
    color.values.insert(color.values.end(), {value.x(), value.y(), value.z()});
  }
  part.attributes.push_back(std::move(color));
}

// Sets all normals or none: a part whose file gives normals to only some of its corners has none.
void FillNormals(const ObjFile& obj, const std::vector<Corner>& vertices, const Surface& surface, Part& part) {
  if (surface.corners.empty() ||
      std::any_of(surface.corners.begin(), surface.corners.end(), [](const Corner& c) { return c.normal < 0; })) {
    return;
  }
  part.normals.resize(static_cast<Eigen::Index>(vertices.size()), 3);
  for (size_t i = 0; i < vertices.size(); ++i) {
    Eigen::Vector3f normal = vertices[i].normal < 0 ? Eigen::Vector3f::Zero().eval() : obj.normals[vertices[i].normal];
    const float length = normal.stableNorm();
    // A direction has to be there even where the file has none (vertices that no triangle uses).
    normal = length > 0 ? (normal / length).eval() : Eigen::Vector3f::UnitZ().eval();
    part.normals.row(static_cast<Eigen::Index>(i)) = normal.transpose();
  }
}

Part ToPart(const ObjFile& obj, const Surface& surface, bool only) {
  const Split split = SplitAtSeams(surface, obj.positions.size(), only);
  Part part;
  part.name = surface.name;
  part.mesh.triangles = split.triangles;
  part.mesh.positions.resize(static_cast<Eigen::Index>(split.vertices.size()), 3);
  for (size_t i = 0; i < split.vertices.size(); ++i) {
    part.mesh.positions.row(static_cast<Eigen::Index>(i)) = obj.positions[split.vertices[i].position].transpose();
  }
  FillNormals(obj, split.vertices, surface, part);
  FillUvs(obj, split.vertices, part);
  FillColors(obj, split.vertices, part);
  return part;
}

// A document with the materials' names, so that they are still there in a glTF written later.
class Materials {
 public:
  int Index(const std::string& name) {
    if (name.empty()) return -1;
    const auto [found, is_new] = indices_.try_emplace(name, static_cast<int>(indices_.size()));
    if (is_new) list_.push_back(Json{{"name", name}});
    return found->second;
  }
  std::shared_ptr<const gltf::SourceDocument> Document(const std::string& file) {
    if (list_.empty()) return nullptr;
    auto document = std::make_shared<gltf::SourceDocument>();
    document->file = file;
    document->json["materials"] = list_;
    return document;
  }

 private:
  std::map<std::string, int> indices_;
  Json list_ = Json::array();
};

// Throws FailedError, naming the part and the vertex, for a number that ReadObj() would refuse.
void RefuseUnlessFinite(const Eigen::Vector3f& value, const Part& part, const char* what, Eigen::Index vertex) {
  if (value.allFinite()) return;
  throw FailedError(fmt::format("part '{}': the {} of vertex {} is ({} {} {}), which cannot be written", part.name,
                                what, vertex, value.x(), value.y(), value.z()));
}

void AppendVertices(const Part& part, const VertexAttribute* color, std::string& out) {
  const auto to = std::back_inserter(out);
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    const Eigen::Vector3f p = part.model_from_mesh * part.mesh.positions.row(v).transpose();
    RefuseUnlessFinite(p, part, "position", v);
    fmt::format_to(to, "v {} {} {}", p.x(), p.y(), p.z());
    if (color != nullptr) {
      const float* c = color->values.data() + static_cast<size_t>(v) * color->components;
      fmt::format_to(to, " {} {} {}", c[0], c[1], c[2]);
    }
    out += '\n';
  }
}

void AppendNormals(const Part& part, std::string& out) {
  const Eigen::Matrix3f turn = part.model_from_mesh.linear().inverse().transpose();
  for (Eigen::Index v = 0; v < part.normals.rows(); ++v) {
    Eigen::Vector3f n = part.normals.row(v).transpose();
    if (!turn.isIdentity(0)) n = (turn * n).stableNormalized();
    RefuseUnlessFinite(n, part, "normal", v);
    fmt::format_to(std::back_inserter(out), "vn {} {} {}\n", n.x(), n.y(), n.z());
  }
}

const VertexAttribute* FindAttribute(const Part& part, std::string_view name, int components) {
  for (const VertexAttribute& attribute : part.attributes) {
    if (attribute.name == name && attribute.components >= components) return &attribute;
  }
  return nullptr;
}

std::string MaterialName(const Character& character, int material) {
  if (material < 0 || character.source == nullptr) return "";
  const Json& json = character.source->json;
  if (!json.contains("materials") || material >= static_cast<int>(json["materials"].size())) return "";
  const Json& entry = json["materials"][material];
  const std::string name = entry.contains("name") && entry["name"].is_string() ? entry["name"].get<std::string>() : "";
  return name.empty() ? fmt::format("material_{}", material) : name;
}

// A name may hold anything in glTF, but in OBJ it ends with the line, and runs of spaces count as one.
std::string Printable(std::string name) {
  for (char& c : name) {
    if (c == '\n' || c == '\r' || c == '#' || c == '\\' || c == '\0') c = '_';
  }
  return name;
}

// Numbers of positions, UVs and normals that the parts before have used up.
struct Offsets {
  int position = 0, uv = 0, normal = 0;
};

void AppendFaces(const Part& part, bool uvs, const Offsets& offset, std::string& out) {
  const bool normals = part.normals.rows() > 0;
  const auto to = std::back_inserter(out);
  for (int t = 0; t < part.mesh.triangle_count(); ++t) {
    out += 'f';
    for (int k = 0; k < 3; ++k) {
      const int v = part.mesh.triangles(t, k) + 1;
      fmt::format_to(to, " {}", offset.position + v);
      if (uvs) fmt::format_to(to, "/{}", offset.uv + v);
      if (normals) fmt::format_to(to, "{}{}", uvs ? "/" : "//", offset.normal + v);
    }
    out += '\n';
  }
}

}  // namespace

Character ReadObj(std::span<const std::byte> bytes, const std::string& file_name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ObjFile obj = Parser(text, file_name).Parse();
  if (obj.positions.empty()) throw InputError(file_name, "", "has no vertices", "check that it is an OBJ file");
  Character character;
  character.name = ToUtf8(std::filesystem::path(file_name).stem().string());
  Materials materials;
  if (obj.surfaces.empty()) obj.surfaces.emplace_back();
  for (const Surface& surface : obj.surfaces) {
    Part part = ToPart(obj, surface, obj.surfaces.size() == 1);
    if (part.name.empty()) part.name = surface.material.empty() ? character.name : surface.material;
    part.material = materials.Index(surface.material);
    character.parts.push_back(std::move(part));
  }
  character.source = materials.Document(file_name);
  return character;
}

Points ReadObjPositions(std::span<const std::byte> bytes, const std::string& file_name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const ObjFile obj = Parser(text, file_name).Parse();
  if (obj.positions.empty()) throw InputError(file_name, "", "has no vertices", "check that it is an OBJ file");
  Points positions(static_cast<Eigen::Index>(obj.positions.size()), 3);
  for (Eigen::Index v = 0; v < positions.rows(); ++v) positions.row(v) = obj.positions[v].transpose();
  return positions;
}

Character ReadObj(const std::filesystem::path& path) { return ReadObj(ReadFile(path), path.string()); }

std::string EncodeObj(const Character& character) {
  if (character.vertex_count() == 0) {
    throw FailedError(fmt::format("'{}' has no vertices, and an OBJ file is nothing else", character.name));
  }
  std::string out = "# written by Sinew\n";
  Offsets offset;
  for (const Part& part : character.parts) {
    const VertexAttribute* uv = FindAttribute(part, "TEXCOORD_0", 2);
    out += fmt::format("o {}\n", Printable(part.name));
    AppendVertices(part, FindAttribute(part, "COLOR_0", 3), out);
    for (int v = 0; uv != nullptr && v < part.mesh.vertex_count(); ++v) {
      const float* value = uv->values.data() + static_cast<size_t>(v) * uv->components;
      fmt::format_to(std::back_inserter(out), "vt {} {}\n", value[0], 1 - value[1]);
    }
    AppendNormals(part, out);
    if (const std::string name = MaterialName(character, part.material); !name.empty()) {
      out += fmt::format("usemtl {}\n", Printable(name));
    }
    AppendFaces(part, uv != nullptr, offset, out);
    offset.position += part.mesh.vertex_count();
    offset.uv += uv != nullptr ? part.mesh.vertex_count() : 0;
    offset.normal += static_cast<int>(part.normals.rows());
  }
  return out;
}

void WriteObj(const Character& character, const std::filesystem::path& path) {
  WriteFileAtomic(path, EncodeObj(character));
}

}  // namespace sinew
