#include "sinew/offline/io/npy.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <string_view>

#include "sinew/offline/core/error.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

Bytes ToBytes(std::string_view text) {
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

// A file with any header and any data.
Bytes File(const std::string& header, std::string_view data, char version = 1) {
  std::string text = std::string("\x93NUMPY") + version + '\0';
  const size_t length = header.size();
  text += static_cast<char>(length & 255), text += static_cast<char>(length >> 8);
  if (version > 1) text += std::string(2, '\0');
  return ToBytes(text + header + std::string(data));
}

std::string Message(const Bytes& bytes) {
  try {
    ParseNpy(bytes, "a.npy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string Header(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

RC_GTEST_PROP(Npy, EveryTypeAndShapeComesBack, ()) {
  const auto type = static_cast<NpyType>(*rc::gen::inRange(0, 12));
  const auto shape = *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 5));
  size_t size = SizeOf(type);
  for (const int64_t s : shape) size *= s;
  RC_PRE(shape.size() < 6);
  const auto raw = *rc::gen::container<std::vector<uint8_t>>(size, rc::gen::arbitrary<uint8_t>());
  NpyArray array{type, shape, Bytes(size)};
  std::transform(raw.begin(), raw.end(), array.data.begin(), [](uint8_t b) { return std::byte{b}; });
  const Bytes bytes = FormatNpy(array);
  RC_ASSERT((bytes.size() - size) % 64 == 0);
  const NpyArray back = ParseNpy(bytes, "x");
  RC_ASSERT(back.type == type);
  RC_ASSERT(back.shape == shape);
  RC_ASSERT(back.data == array.data);
  RC_ASSERT(static_cast<int64_t>(back.ToDoubles().size()) == back.size());
}

TEST(Npy, WritesWhatNumpyWrites) {
  const std::vector<float> values = {1, 2, 3};
  const Bytes bytes = FormatNpy(MakeNpy(values, {3}));
  const std::string text(reinterpret_cast<const char*>(bytes.data()), 128);
  EXPECT_EQ(text.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_TRUE(text.substr(10).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   ")) << text;
  EXPECT_EQ(text[127], '\n');
}

TEST(Npy, NumbersOfEveryKind) {
  EXPECT_EQ(ParseNpy(File(Header("<i2", "False", "(2,)"), std::string_view("\xff\xff\x02\x00", 4)), "x").ToDoubles(),
            (std::vector<double>{-1, 2}));
  EXPECT_EQ(ParseNpy(File(Header(">u2", "False", "(2,)"), std::string_view("\x00\x01\x01\x00", 4)), "x").ToDoubles(),
            (std::vector<double>{1, 256}));
  EXPECT_EQ(ParseNpy(File(Header("|b1", "False", "()"), "\x01"), "x").ToDoubles(), (std::vector<double>{1}));
  EXPECT_EQ(ParseNpy(File(Header("|?", "False", "()"), "\x01"), "x").ToDoubles(), (std::vector<double>{1}));
  // 1.5, the smallest half, minus infinity.
  const auto halves =
      ParseNpy(File(Header("<f2", "False", "(3,)"), std::string_view("\x00\x3e\x01\x00\x00\xfc", 6)), "x").ToDoubles();
  EXPECT_EQ(halves[0], 1.5);
  EXPECT_EQ(halves[1], std::ldexp(1, -24));
  EXPECT_EQ(halves[2], -INFINITY);
}

TEST(Npy, FortranOrderIsTurned) {
  const NpyArray array = ParseNpy(File(Header("|u1", "True", "(2, 3)"), "\x01\x04\x02\x05\x03\x06"), "x");
  EXPECT_EQ(array.ToDoubles(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(array.shape, (std::vector<int64_t>{2, 3}));
}

TEST(Npy, LaterVersionsHaveLongerHeaders) {
  for (const char version : {'\2', '\3'}) {
    EXPECT_EQ(ParseNpy(File(Header("|u1", "False", "(1,)"), "\x07", version), "x").ToDoubles()[0], 7);
  }
}

TEST(Npy, SaysWhatIsWrong) {
  const auto has = [](const Bytes& bytes, const std::string& part) {
    EXPECT_NE(Message(bytes).find(part), std::string::npos) << Message(bytes);
  };
  has(ToBytes("PK"), "a.npy: is not a .npy array");
  has(File("", "", 9), "version 9");
  has(File(Header("<c8", "False", "(1,)"), "12345678"), "type '<c8', which are not read");
  has(File(Header("|O", "False", "(1,)"), "12345678"), "type '|O'");
  has(File("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234"), "several fields");
  has(File(Header("<f4", "Maybe", "(1,)"), "1234"), "True or False was expected");
  has(File(Header("<f4", "False", "(-1,)"), "1234"), "not a size");
  has(File(Header("<f4", "False", "(2,)"), "1234"), "asks for 8 bytes but there are 4");
  has(File(Header("<f4", "False", "(1,)"), "12345"), "asks for 4 bytes but there are 5");
  has(File(Header("<f8", "False", "(4294967296, 4294967296)"), "1234"), "more than any file's");
  has(File(Header("<f4", "False", "(99999999999999999999,)"), "1234"), "not a size");
  has(File("{'descr': '<f4', 'shape': (1,)}", "1234"), "lacks descr, fortran_order or shape");
  has(File("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "1234"), "unknown key");
}

TEST(Npy, EveryTruncationIsAnError) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const Bytes whole = FormatNpy(MakeNpy(values, {2, 3}));
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(ParseNpy(std::span(whole).first(size), "x"), InputError) << size;
  }
}

TEST(Npy, FilesRoundTrip) {
  const testing::TemporaryFolder folder;
  const std::vector<int32_t> values = {-7, 8};
  WriteNpy(folder / "a.npy", MakeNpy(values, {1, 2}));
  EXPECT_EQ(ReadNpy(folder / "a.npy").ToFloats(), (std::vector<float>{-7, 8}));
}

}  // namespace
}  // namespace sinew
