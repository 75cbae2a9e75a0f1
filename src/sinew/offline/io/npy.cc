#include "sinew/offline/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are used as they are in the file");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxDimensions = 32;

struct TypeInfo {
  NpyType type;
  const char* name;
  int size;
};
constexpr std::array<TypeInfo, 12> kTypes = {{{NpyType::kBool, "b1", 1},
                                              {NpyType::kInt8, "i1", 1},
                                              {NpyType::kInt16, "i2", 2},
                                              {NpyType::kInt32, "i4", 4},
                                              {NpyType::kInt64, "i8", 8},
                                              {NpyType::kUint8, "u1", 1},
                                              {NpyType::kUint16, "u2", 2},
                                              {NpyType::kUint32, "u4", 4},
                                              {NpyType::kUint64, "u8", 8},
                                              {NpyType::kHalf, "f2", 2},
                                              {NpyType::kFloat, "f4", 4},
                                              {NpyType::kDouble, "f8", 8}}};

// Parses the header, a Python dictionary of three known keys, and nothing more general.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void Parse() {
    Expect('{');
    while (!Take('}')) {
      const std::string key = Quoted();
      Expect(':');
      if (key == "descr") {
        descr = Descr();
      } else if (key == "fortran_order") {
        fortran = Boolean();
      } else if (key == "shape") {
        shape = Shape();
      } else {
        Fail(fmt::format("the header has an unknown key \"{}\"", key));
      }
      if (!Take(',')) {
        Expect('}');
        break;
      }
    }
    Skip();
    if (at_ != text_.size()) Fail("the header goes on after its end");
    if (!descr || !fortran || !shape) Fail("the header lacks descr, fortran_order or shape");
  }

  [[noreturn]] void Fail(const std::string& problem) const {
    throw InputError(file_, fmt::format("header, character {}", at_), problem, "save the array again with numpy.save");
  }

  std::optional<std::string> descr;
  std::optional<bool> fortran;
  std::optional<std::vector<int64_t>> shape;

 private:
  void Skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool Take(char c) {
    Skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail(fmt::format("'{}' was expected", c));
  }
  bool TakeWord(std::string_view word) {
    Skip();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string Quoted() {
    Skip();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') Fail("a quoted word was expected");
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) Fail("a quoted word does not end");
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  std::string Descr() {
    Skip();
    if (at_ < text_.size() && text_[at_] == '[') Fail("holds records of several fields, which are not read");
    return Quoted();
  }

  bool Boolean() {
    if (TakeWord("True")) return true;
    if (TakeWord("False")) return false;
    Fail("True or False was expected");
  }

  std::vector<int64_t> Shape() {
    std::vector<int64_t> sizes;
    Expect('(');
    while (!Take(')')) {
      Skip();
      int64_t size = -1;
      const char* begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0) Fail("the shape holds something that is not a size");
      at_ += static_cast<size_t>(end - begin);
      sizes.push_back(size);
      if (sizes.size() > kMaxDimensions) Fail(fmt::format("the shape has more than {} dimensions", kMaxDimensions));
      if (!Take(',')) {
        Expect(')');
        break;
      }
    }
    return sizes;
  }

  std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
};

struct Layout {
  NpyType type;
  bool swapped = false;
};

Layout ParseDescr(const std::string& descr, const HeaderParser& header) {
  std::string_view name = descr;
  char order = '|';
  if (!name.empty() && std::string_view("<>|=").find(name[0]) != std::string_view::npos) {
    order = name[0];
    name.remove_prefix(1);
  }
  if (name == "?") name = "b1";
  for (const TypeInfo& info : kTypes) {
    if (name == info.name) return {info.type, order == '>' && info.size > 1};
  }
  header.Fail(fmt::format("holds elements of type '{}', which are not read; convert them to float32", descr));
}

// Number of bytes that a shape needs; nothing if that is more than any file has.
std::optional<size_t> ByteCount(const std::vector<int64_t>& shape, int element) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / 2;
  int64_t bytes = element;
  // An empty array may name any other sizes.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const int64_t size : shape) {
    if (bytes > kMax / size) return std::nullopt;
    bytes *= size;
  }
  return static_cast<size_t>(bytes);
}

void SwapBytes(Bytes& data, int size) {
  for (size_t at = 0; at + size <= data.size(); at += size) {
    std::reverse(data.begin() + at, data.begin() + at + size);
  }
}

// Reorders an array from first index fastest to last index fastest.
Bytes FromFortran(const Bytes& data, const std::vector<int64_t>& shape, int element) {
  Bytes out(data.size());
  std::vector<int64_t> index(shape.size(), 0), stride(shape.size(), element);
  for (size_t d = 1; d < shape.size(); ++d) stride[d] = stride[d - 1] * shape[d - 1];
  for (size_t to = 0; to < out.size(); to += element) {
    int64_t from = 0;
    for (size_t d = 0; d < shape.size(); ++d) from += index[d] * stride[d];
    std::memcpy(&out[to], &data[from], element);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

double FromHalf(uint16_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent < 31) return sign * std::ldexp(mantissa + 1024, exponent - 25);
  return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
}

template <typename T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

double Element(NpyType type, const std::byte* at) {
  switch (type) {
    case NpyType::kBool:
      return Load<uint8_t>(at) != 0 ? 1 : 0;
    case NpyType::kInt8:
      return Load<int8_t>(at);
    case NpyType::kInt16:
      return Load<int16_t>(at);
    case NpyType::kInt32:
      return Load<int32_t>(at);
    case NpyType::kInt64:
      return static_cast<double>(Load<int64_t>(at));
    case NpyType::kUint8:
      return Load<uint8_t>(at);
    case NpyType::kUint16:
      return Load<uint16_t>(at);
    case NpyType::kUint32:
      return Load<uint32_t>(at);
    case NpyType::kUint64:
      return static_cast<double>(Load<uint64_t>(at));
    case NpyType::kHalf:
      return FromHalf(Load<uint16_t>(at));
    case NpyType::kFloat:
      return Load<float>(at);
    case NpyType::kDouble:
      return Load<double>(at);
  }
  return 0;
}

template <typename T>
NpyArray Make(NpyType type, std::span<const T> values, std::vector<int64_t> shape) {
  NpyArray array{type, std::move(shape), Bytes(values.size_bytes())};
  if (!values.empty()) std::memcpy(array.data.data(), values.data(), values.size_bytes());
  return array;
}

// Returns the header's text within the file. Its length has two bytes in version 1, four after.
std::string_view HeaderText(std::span<const std::byte> bytes, const std::string& file) {
  const auto bad = [&](const std::string& problem) {
    return InputError(file, "", problem, "save the array again with numpy.save");
  };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) throw bad("is not a .npy array");
  if (text.size() < 10) throw bad("ends inside the header");
  const int version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3) throw bad(fmt::format("is of version {}, which is not known", version));
  const size_t start = version == 1 ? 10 : 12;
  if (text.size() < start) throw bad("ends inside the header");
  const size_t length = version == 1 ? Load<uint16_t>(&bytes[8]) : Load<uint32_t>(&bytes[8]);
  if (length > text.size() - start) throw bad("ends inside the header");
  return text.substr(start, length);
}

}  // namespace

int SizeOf(NpyType type) { return kTypes[static_cast<size_t>(type)].size; }
const char* Name(NpyType type) { return kTypes[static_cast<size_t>(type)].name; }

int64_t NpyArray::size() const { return static_cast<int64_t>(data.size()) / SizeOf(type); }

std::vector<double> NpyArray::ToDoubles() const {
  std::vector<double> out(size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = Element(type, &data[i * SizeOf(type)]);
  return out;
}

std::vector<float> NpyArray::ToFloats() const {
  std::vector<float> out(size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(Element(type, &data[i * SizeOf(type)]));
  return out;
}

NpyArray MakeNpy(std::span<const float> values, std::vector<int64_t> shape) {
  return Make(NpyType::kFloat, values, std::move(shape));
}
NpyArray MakeNpy(std::span<const int32_t> values, std::vector<int64_t> shape) {
  return Make(NpyType::kInt32, values, std::move(shape));
}

NpyHeader ParseNpyHeader(std::span<const std::byte> bytes, const std::string& file) {
  const std::string_view text = HeaderText(bytes, file);
  HeaderParser header(text, file);
  header.Parse();
  const Layout layout = ParseDescr(*header.descr, header);
  const size_t start =
      static_cast<size_t>(reinterpret_cast<const std::byte*>(text.data()) - bytes.data()) + text.size();
  return {layout.type, std::move(*header.shape), layout.swapped, *header.fortran, start};
}

void CheckNpySize(const NpyHeader& header, size_t file_size, const std::string& file) {
  const size_t available = file_size - std::min(file_size, header.data_start);
  const std::optional<size_t> needed = ByteCount(header.shape, SizeOf(header.type));
  if (needed && *needed == available) return;
  throw InputError(file, "data",
                   fmt::format("the shape asks for {} bytes but there are {}",
                               needed ? std::to_string(*needed) : "more than any file's", available),
                   "copy or save the file again");
}

NpyArray ParseNpy(std::span<const std::byte> bytes, const std::string& file) {
  NpyHeader header = ParseNpyHeader(bytes, file);
  CheckNpySize(header, bytes.size(), file);
  NpyArray array{header.type, std::move(header.shape), Bytes(bytes.begin() + header.data_start, bytes.end())};
  if (header.swapped) SwapBytes(array.data, SizeOf(array.type));
  if (header.fortran && array.shape.size() > 1) array.data = FromFortran(array.data, array.shape, SizeOf(array.type));
  return array;
}

NpyArray ReadNpy(const std::filesystem::path& path) { return ParseNpy(ReadFile(path), path.string()); }

Bytes FormatNpy(const NpyArray& array) {
  const char* order = SizeOf(array.type) == 1 ? "|" : "<";
  std::string shape;
  for (const int64_t size : array.shape) shape += fmt::format("{}, ", size);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.resize(shape.size() - 1);
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}", order, Name(array.type), shape);
  // Magic, version and length are 10 bytes; the header ends in a newline, and the data starts at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ') += '\n';
  std::string prefix(kMagic);
  prefix += {'\x01', '\x00', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  prefix += header;
  Bytes bytes(prefix.size() + array.data.size());
  std::memcpy(bytes.data(), prefix.data(), prefix.size());
  std::copy(array.data.begin(), array.data.end(), bytes.begin() + static_cast<std::ptrdiff_t>(prefix.size()));
  return bytes;
}

void WriteNpy(const std::filesystem::path& path, const NpyArray& array) { WriteFileAtomic(path, FormatNpy(array)); }

}  // namespace sinew
