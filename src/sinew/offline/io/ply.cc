#include "sinew/offline/io/ply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/text.h"
#include "sinew/offline/io/triangulate.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "little-endian values are used as they are in the file");

struct TypeInfo {
  PlyType type;
  std::string_view name, other_name;
  int size;
};
constexpr std::array<TypeInfo, 8> kTypes = {{{PlyType::kInt8, "char", "int8", 1},
                                             {PlyType::kUint8, "uchar", "uint8", 1},
                                             {PlyType::kInt16, "short", "int16", 2},
                                             {PlyType::kUint16, "ushort", "uint16", 2},
                                             {PlyType::kInt32, "int", "int32", 4},
                                             {PlyType::kUint32, "uint", "uint32", 4},
                                             {PlyType::kFloat, "float", "float32", 4},
                                             {PlyType::kDouble, "double", "float64", 8}}};
constexpr std::array<std::string_view, 3> kFormats = {"ascii", "binary_little_endian", "binary_big_endian"};
constexpr const char* kRemedy = "export the file again";

// Calls use(T{}) with the C++ type.
template <typename Use>
decltype(auto) WithType(PlyType type, const Use& use) {
  switch (type) {
    case PlyType::kInt8:
      return use(int8_t{});
    case PlyType::kUint8:
      return use(uint8_t{});
    case PlyType::kInt16:
      return use(int16_t{});
    case PlyType::kUint16:
      return use(uint16_t{});
    case PlyType::kInt32:
      return use(int32_t{});
    case PlyType::kUint32:
      return use(uint32_t{});
    case PlyType::kFloat:
      return use(float{});
    case PlyType::kDouble:
      break;
  }
  return use(double{});
}

bool IsInteger(PlyType type) { return type != PlyType::kFloat && type != PlyType::kDouble; }

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = line.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

class Header {
 public:
  Header(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  PlyFile Parse() {
    if (NextLine() != "ply") Fail("does not begin with 'ply'");
    ParseFormat(Words(NextLine()));
    for (;;) {
      const std::string_view line = NextLine();
      const std::vector<std::string_view> words = Words(line);
      if (words.empty()) continue;
      if (words[0] == "end_header") break;
      if (words[0] == "comment" || words[0] == "obj_info") {
        ply_.comments.emplace_back(line);
      } else if (words[0] == "element") {
        ParseElement(words);
      } else if (words[0] == "property") {
        ParseProperty(words);
      } else {
        Fail(fmt::format("has the unknown word '{}'", words[0].substr(0, 40)));
      }
    }
    return std::move(ply_);
  }

  // Offset of the data in the file.
  size_t end() const { return at_; }

 private:
  [[noreturn]] void Fail(const std::string& problem) const {
    throw InputError(file_, fmt::format("header, line {}", line_), problem, kRemedy);
  }

  std::string_view NextLine() {
    const size_t end = text_.find('\n', at_);
    ++line_;
    if (end == std::string_view::npos) Fail("ends before 'end_header'");
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    while (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void ParseFormat(const std::vector<std::string_view>& words) {
    if (words.size() != 3 || words[0] != "format" || words[2] != "1.0") Fail("is not 'format NAME 1.0'");
    const auto found = std::find(kFormats.begin(), kFormats.end(), words[1]);
    if (found == kFormats.end()) Fail(fmt::format("has the unknown format '{}'", words[1].substr(0, 40)));
    ply_.format = static_cast<PlyFormat>(found - kFormats.begin());
  }

  void ParseElement(const std::vector<std::string_view>& words) {
    uint32_t count = 0;
    if (words.size() != 3) Fail("is not 'element NAME COUNT'");
    const auto [end, error] = std::from_chars(words[2].data(), words[2].data() + words[2].size(), count);
    if (error != std::errc() || end != words[2].data() + words[2].size() || count > INT32_MAX) {
      Fail(fmt::format("has the count '{}'", words[2].substr(0, 40)));
    }
    if (ply_.Find(words[1]) != nullptr) Fail(fmt::format("has a second element '{}'", words[1].substr(0, 40)));
    ply_.elements.push_back({.name = std::string(words[1]), .count = count});
  }

  PlyType TypeNamed(std::string_view name) const {
    for (const TypeInfo& info : kTypes) {
      if (name == info.name || name == info.other_name) return info.type;
    }
    Fail(fmt::format("has the unknown type '{}'", name.substr(0, 40)));
  }

  void ParseProperty(const std::vector<std::string_view>& words) {
    if (ply_.elements.empty()) Fail("has a property before any element");
    PlyElement& element = ply_.elements.back();
    const bool list = words.size() == 5 && words[1] == "list";
    if (!list && words.size() != 3) Fail("is not 'property TYPE NAME' or 'property list TYPE TYPE NAME'");
    PlyProperty property;
    property.list = list;
    property.name = words.back();
    property.type = TypeNamed(words[words.size() - 2]);
    if (list) property.count_type = TypeNamed(words[2]);
    if (list && !IsInteger(property.count_type)) Fail("counts the entries of a list in fractions");
    if (element.Find(property.name) != nullptr) {
      Fail(fmt::format("has a second property '{}' of '{}'", property.name.substr(0, 40), element.name));
    }
    element.properties.push_back(std::move(property));
  }

  const std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
  int line_ = 0;
  PlyFile ply_;
};

// Base of the readers of both kinds of data: the data, the position in it, and errors.
class Reader {
 public:
  Reader(std::string_view data, const std::string& file) : data_(data), file_(file) {}

  [[noreturn]] void Fail(const PlyElement& element, size_t record, const std::string& problem) const {
    throw InputError(file_, fmt::format("{} {}", element.name, record), problem, kRemedy);
  }

 protected:
  const std::string_view data_;
  const std::string& file_;
  size_t at_ = 0;
};

class BinaryReader : public Reader {
 public:
  BinaryReader(std::string_view data, const std::string& file, bool swap) : Reader(data, file), swap_(swap) {}

  // Smallest number of bytes that a record takes.
  static size_t LeastSize(const PlyElement& element) {
    size_t size = 0;
    for (const PlyProperty& p : element.properties) size += SizeOf(p.list ? p.count_type : p.type);
    return size;
  }

  void ReadValues(const PlyElement& element, size_t record, size_t count, PlyProperty& property) {
    const size_t size = SizeOf(property.type);
    if (count > (data_.size() - at_) / size) Fail(element, record, "is cut short");
    const size_t first = property.data.size();
    property.data.resize(first + count * size);
    if (count > 0) std::memcpy(&property.data[first], data_.data() + at_, count * size);
    at_ += count * size;
    if (!swap_ || size == 1) return;
    for (size_t i = 0; i < count; ++i) {
      const auto begin = property.data.begin() + static_cast<long>(first + i * size);
      std::reverse(begin, begin + static_cast<long>(size));
    }
  }

  size_t ReadCount(const PlyElement& element, size_t record, const PlyProperty& property) {
    PlyProperty count{.name = "", .type = property.count_type};
    ReadValues(element, record, 1, count);
    const double value = count.At(0);
    if (value < 0) Fail(element, record, fmt::format("has a list of {} entries", value));
    return static_cast<size_t>(value);
  }

  // Throws if anything is left over.
  void Finish() const {
    if (at_ != data_.size()) {
      throw InputError(file_, "end", fmt::format("has {} bytes more than its header says", data_.size() - at_),
                       kRemedy);
    }
  }

 private:
  const bool swap_;
};

class AsciiReader : public Reader {
 public:
  using Reader::Reader;

  // Smallest number of bytes that a record takes: one digit and one blank per value; the last value of the file may
  // lack the blank.
  static size_t LeastSize(const PlyElement& element) { return 2 * element.properties.size(); }

  void ReadValues(const PlyElement& element, size_t record, size_t count, PlyProperty& property) {
    if (count > data_.size() - at_) Fail(element, record, "is cut short");
    for (size_t i = 0; i < count; ++i) property.Append(Number(element, record, property.type));
  }

  size_t ReadCount(const PlyElement& element, size_t record, const PlyProperty& property) {
    const double value = Number(element, record, property.count_type);
    if (value < 0) Fail(element, record, fmt::format("has a list of {} entries", value));
    return static_cast<size_t>(value);
  }

  void Finish() const {
    if (data_.find_first_not_of(" \t\r\n", at_) != std::string_view::npos) {
      throw InputError(file_, "end", "has more numbers than its header says", kRemedy);
    }
  }

 private:
  double Number(const PlyElement& element, size_t record, PlyType type) {
    at_ = std::min(data_.find_first_not_of(" \t\r\n", at_), data_.size());
    const size_t end = std::min(data_.find_first_of(" \t\r\n", at_), data_.size());
    if (at_ == end) Fail(element, record, "is cut short");
    const std::string_view word = data_.substr(at_, end - at_);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size()) {
      Fail(element, record, fmt::format("has '{}' where a number belongs", word.substr(0, 40)));
    }
    const bool fits = WithType(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (!std::is_integral_v<T>) {
        return !std::isfinite(value) || std::abs(value) <= static_cast<double>(std::numeric_limits<T>::max());
      }
      return value == std::floor(value) && value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
             value <= static_cast<double>(std::numeric_limits<T>::max());
    });
    if (!fits) Fail(element, record, fmt::format("has {}, which does not fit its type", word.substr(0, 40)));
    at_ = end;
    return value;
  }
};

template <typename Source>
void ReadElements(Source source, size_t bytes, const std::string& file, PlyFile& ply) {
  // Check the counts before any memory is allocated for them.
  size_t least = 0;
  for (const PlyElement& element : ply.elements) {
    const size_t size = Source::LeastSize(element);
    if (size > 0 && element.count > (bytes + 1 - std::min(least, bytes + 1)) / size) {
      throw InputError(file, element.name,
                       fmt::format("claims {} records, more than {} bytes can hold", element.count, bytes), kRemedy);
    }
    least += size * element.count;
  }
  for (PlyElement& element : ply.elements) {
    for (PlyProperty& property : element.properties) {
      if (property.list) {
        property.offsets.reserve(element.count + 1);
        property.offsets.push_back(0);
      } else {
        property.data.reserve(element.count * SizeOf(property.type));
      }
    }
    if (element.properties.empty()) continue;
    for (size_t r = 0; r < element.count; ++r) {
      for (PlyProperty& property : element.properties) {
        const size_t count = property.list ? source.ReadCount(element, r, property) : 1;
        source.ReadValues(element, r, count, property);
        if (property.list && count > UINT32_MAX - property.offsets.back()) {
          source.Fail(element, r, "has more list entries before it than can be counted");
        }
        if (property.list) property.offsets.push_back(property.offsets.back() + static_cast<uint32_t>(count));
      }
    }
  }
  source.Finish();
}

void WriteBinary(const PlyElement& element, bool swap, Bytes& out) {
  const auto put = [&](const std::byte* value, size_t size) {
    out.insert(out.end(), value, value + size);
    if (swap) std::reverse(out.end() - static_cast<long>(size), out.end());
  };
  for (size_t r = 0; r < element.count && !element.properties.empty(); ++r) {
    for (const PlyProperty& property : element.properties) {
      size_t begin = r, end = r + 1;
      if (property.list) {
        begin = property.offsets[r], end = property.offsets[r + 1];
        PlyProperty count{.name = "", .type = property.count_type};
        count.Append(static_cast<double>(end - begin));
        put(count.data.data(), count.data.size());
      }
      const size_t size = SizeOf(property.type);
      for (size_t i = begin; i < end; ++i) put(&property.data[i * size], size);
    }
  }
}

// Formats a number as the shortest text that reads back as the same number.
std::string Digits(const PlyProperty& property, size_t i) {
  if (property.type == PlyType::kFloat) return fmt::format("{}", static_cast<float>(property.At(i)));
  if (property.type == PlyType::kDouble) return fmt::format("{}", property.At(i));
  return fmt::format("{}", static_cast<int64_t>(property.At(i)));
}

void WriteAscii(const PlyElement& element, std::string& out) {
  for (size_t r = 0; r < element.count && !element.properties.empty(); ++r) {
    const size_t line = out.size();
    for (const PlyProperty& property : element.properties) {
      size_t begin = r, end = r + 1;
      if (property.list) {
        begin = property.offsets[r], end = property.offsets[r + 1];
        out += fmt::format(" {}", end - begin);
      }
      for (size_t i = begin; i < end; ++i) out += fmt::format(" {}", Digits(property, i));
    }
    if (out.size() > line) out.erase(line, 1);
    out += '\n';
  }
}

std::string HeaderText(const PlyFile& file) {
  const auto name = [](PlyType type) { return kTypes[static_cast<size_t>(type)].name; };
  std::string text = fmt::format("ply\nformat {} 1.0\n", kFormats[static_cast<size_t>(file.format)]);
  for (const std::string& comment : file.comments) text += fmt::format("{}\n", comment);
  for (const PlyElement& element : file.elements) {
    text += fmt::format("element {} {}\n", element.name, element.count);
    for (const PlyProperty& p : element.properties) {
      text += p.list ? fmt::format("property list {} {} {}\n", name(p.count_type), name(p.type), p.name)
                     : fmt::format("property {} {}\n", name(p.type), p.name);
    }
  }
  return text + "end_header\n";
}

// Three scalar properties of the vertices as rows; none if one of them is missing.
Points Triples(const PlyElement& vertices, const std::array<const char*, 3>& names) {
  std::array<const PlyProperty*, 3> columns{};
  for (int a = 0; a < 3; ++a) {
    columns[a] = vertices.Find(names[a]);
    if (columns[a] == nullptr || columns[a]->list) return {};
  }
  Points out(vertices.count, 3);
  for (size_t v = 0; v < vertices.count; ++v) {
    for (int a = 0; a < 3; ++a) out(static_cast<Eigen::Index>(v), a) = static_cast<float>(columns[a]->At(v));
  }
  return out;
}

// Whether a property holds skinning weights: joint_0, weight_12.
bool IsWeightName(std::string_view name) {
  for (const std::string_view prefix : {"joint_", "weight_"}) {
    if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
    if (std::all_of(name.begin() + static_cast<long>(prefix.size()), name.end(),
                    [](char c) { return c >= '0' && c <= '9'; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

int SizeOf(PlyType type) { return kTypes[static_cast<size_t>(type)].size; }

double PlyProperty::At(size_t i) const {
  return WithType(type, [&](auto value) {
    std::memcpy(&value, &data[i * sizeof value], sizeof value);
    return static_cast<double>(value);
  });
}

void PlyProperty::Append(double value) {
  WithType(type, [&](auto zero) {
    using T = decltype(zero);
    T stored = 0;
    if constexpr (std::is_integral_v<T>) {
      const double low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
      stored = static_cast<T>(std::isnan(value) ? 0.0 : std::clamp(std::round(value), low, high));
    } else {
      stored = static_cast<T>(value);
    }
    const auto raw = std::as_bytes(std::span(&stored, 1));
    data.insert(data.end(), raw.begin(), raw.end());
  });
}

const PlyProperty* PlyElement::Find(std::string_view property) const {
  const auto found =
      std::find_if(properties.begin(), properties.end(), [&](const PlyProperty& p) { return p.name == property; });
  return found == properties.end() ? nullptr : &*found;
}

const PlyElement* PlyFile::Find(std::string_view element) const {
  const auto found =
      std::find_if(elements.begin(), elements.end(), [&](const PlyElement& e) { return e.name == element; });
  return found == elements.end() ? nullptr : &*found;
}

PlyFile ParsePly(std::span<const std::byte> bytes, const std::string& file) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Header header(text, file);
  PlyFile ply = header.Parse();
  const std::string_view data = text.substr(header.end());
  if (ply.format == PlyFormat::kAscii) {
    ReadElements(AsciiReader(data, file), data.size(), file, ply);
  } else {
    ReadElements(BinaryReader(data, file, ply.format == PlyFormat::kBigEndian), data.size(), file, ply);
  }
  return ply;
}

PlyFile ReadPly(const std::filesystem::path& path) { return ParsePly(ReadFile(path), path.string()); }

Bytes FormatPly(const PlyFile& file) {
  std::string text = HeaderText(file);
  if (file.format == PlyFormat::kAscii) {
    for (const PlyElement& element : file.elements) WriteAscii(element, text);
  }
  const auto raw = std::as_bytes(std::span(text));
  Bytes out(raw.begin(), raw.end());
  if (file.format == PlyFormat::kAscii) return out;
  for (const PlyElement& element : file.elements) WriteBinary(element, file.format == PlyFormat::kBigEndian, out);
  return out;
}

void WritePly(const std::filesystem::path& path, const PlyFile& file) { WriteFileAtomic(path, FormatPly(file)); }

Points PlyPoints(const PlyFile& ply, const std::string& file) {
  const PlyElement* vertices = ply.Find("vertex");
  if (vertices == nullptr) throw InputError(file, "", "has no element 'vertex'", "");
  Points points = Triples(*vertices, {"x", "y", "z"});
  if (points.rows() == 0) throw InputError(file, "vertex", "has no points with x, y and z", "");
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    if (!points.row(v).allFinite()) {
      throw InputError(file, fmt::format("vertex {}", v), "has a place that is not finite", "remove that point");
    }
  }
  return points;
}

Character PlyCharacter(const PlyFile& ply, const std::string& file) {
  Character character;
  character.name = ToUtf8(std::filesystem::path(file).stem().string());
  Part& part = character.parts.emplace_back();
  part.name = character.name;
  part.mesh.positions = PlyPoints(ply, file);
  const PlyElement* faces = ply.Find("face");
  const PlyProperty* corners = nullptr;
  if (faces != nullptr) {
    corners = faces->Find("vertex_indices");
    if (corners == nullptr) corners = faces->Find("vertex_index");
  }
  if (corners == nullptr || !corners->list || faces->count == 0) {
    throw InputError(file, "", "is a cloud of points, without faces", "'sinew skin --apply' takes it, to a .ply");
  }
  std::vector<std::array<int, 3>> triangles;
  for (size_t f = 0; f < faces->count; ++f) {
    std::vector<int> polygon;
    std::vector<Eigen::Vector3f> places;
    for (uint32_t i = corners->offsets[f]; i < corners->offsets[f + 1]; ++i) {
      const double index = corners->At(i);
      if (!(index >= 0 && index < part.mesh.vertex_count())) {
        throw InputError(file, fmt::format("face {}", f), fmt::format("has the corner {}, which is no vertex", index),
                         kRemedy);
      }
      polygon.push_back(static_cast<int>(index));
      places.emplace_back(part.mesh.positions.row(polygon.back()));
    }
    if (polygon.size() < 3) throw InputError(file, fmt::format("face {}", f), "has fewer than three corners", kRemedy);
    for (const auto& t : Triangulate(places)) triangles.push_back({polygon[t[0]], polygon[t[1]], polygon[t[2]]});
  }
  part.mesh.triangles.resize(triangles.size(), 3);
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) part.mesh.triangles(static_cast<Eigen::Index>(t), k) = triangles[t][k];
  }
  part.normals = Triples(*ply.Find("vertex"), {"nx", "ny", "nz"});
  if (!part.normals.allFinite()) part.normals.resize(0, 3);
  return character;
}

void AddPlyWeights(const SkinWeights& weights, const Skeleton& skeleton, PlyFile& ply) {
  constexpr const char* kComment = "comment sinew joint ";
  std::erase_if(ply.comments, [&](const std::string& comment) { return comment.starts_with(kComment); });
  for (size_t j = 0; j < skeleton.joints.size(); ++j) {
    std::string name = skeleton.joints[j].name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c < ' '; }, '_');
    ply.comments.push_back(fmt::format("{}{} {}", kComment, j, name));
  }
  const auto vertices =
      std::find_if(ply.elements.begin(), ply.elements.end(), [](const PlyElement& e) { return e.name == "vertex"; });
  std::erase_if(vertices->properties, [](const PlyProperty& p) { return IsWeightName(p.name); });
  for (int k = 0; k < weights.influences; ++k) {
    PlyProperty joint{.name = fmt::format("joint_{}", k), .type = PlyType::kUint16};
    PlyProperty weight{.name = fmt::format("weight_{}", k), .type = PlyType::kFloat};
    for (size_t v = 0; v < vertices->count; ++v) {
      joint.Append(weights.joints[v * weights.influences + k]);
      weight.Append(weights.weights[v * weights.influences + k]);
    }
    vertices->properties.push_back(std::move(joint));
    vertices->properties.push_back(std::move(weight));
  }
}

}  // namespace sinew
