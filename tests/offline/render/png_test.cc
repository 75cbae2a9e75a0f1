#include "sinew/offline/render/png.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "tests/offline/render/png_reader.h"

namespace sinew::render {
namespace {

using sinew::testing::PngChunk;
using sinew::testing::ReadChunks;

// Noise, gradients in either direction and in both, and corners: each filter is best somewhere.
int SampleValue(int x, int y, int band, int noise) {
  switch (band) {
    case 0:
      return noise;
    case 1:
      return 5 * x + noise % 2;
    case 2:
      return 7 * y + 31 * (x * x % 11);
    case 3:
      return 3 * x + 3 * y + noise % 5;
    default:
      return (x / 3 % 4) * 60 + (y / 2 % 5) * 9;
  }
}

Image Sample(int width, int height, uint64_t seed, bool opaque) {
  Random random(seed);
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      Pixel& pixel = image.at(x, y);
      for (int c = 0; c < 3; ++c) {
        const int noise = static_cast<int>(random.Below(256));
        pixel[c] = static_cast<uint8_t>(SampleValue(x + c, y, y / 6 % 5, noise));
      }
      pixel[3] = opaque ? 255 : static_cast<uint8_t>(random.Below(256));
    }
  }
  return image;
}

TEST(Png, EveryFilterIsUsed) {
  const auto chunks = ReadChunks(EncodePng(Sample(64, 60, 1, true)));
  uLongf size = (64 * 3 + 1) * 60;
  std::vector<Bytef> rows(size);
  ASSERT_EQ(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(chunks[2].data.data()),
                       static_cast<uLong>(chunks[2].data.size())),
            Z_OK);
  std::set<int> filters;
  for (size_t y = 0; y < 60; ++y) filters.insert(rows[y * (64 * 3 + 1)]);
  EXPECT_EQ(filters, (std::set<int>{0, 1, 2, 3, 4}));
}

RC_GTEST_PROP(Png, DecodesToTheSamePixels, (bool opaque, uint64_t seed)) {
  const int width = *rc::gen::inRange(1, 70), height = *rc::gen::inRange(1, 50);
  const Image image = Sample(width, height, seed, opaque);
  RC_ASSERT(DecodeImage(EncodePng(image), "sample.png", "") == image);
}

TEST(Png, ChunksAreWholeAndInOrder) {
  const auto chunks = ReadChunks(EncodePng(Sample(31, 17, 1, true)));
  ASSERT_EQ(chunks.size(), 4U);
  EXPECT_EQ(chunks[0].type, "IHDR");
  EXPECT_EQ(chunks[0].U32(0), 31U);
  EXPECT_EQ(chunks[0].U32(4), 17U);
  EXPECT_EQ(chunks[1].type, "sRGB");
  EXPECT_EQ(chunks[2].type, "IDAT");
  EXPECT_EQ(chunks[3].type, "IEND");
}

TEST(Png, SaysWhatCannotBeDecoded) {
  Bytes bytes = EncodePng(Sample(20, 20, 1, true));
  bytes.resize(bytes.size() / 2);
  try {
    DecodeImage(bytes, "body.glb", "image 2");
    FAIL();
  } catch (const InputError& error) {
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find("body.glb"), std::string::npos);
    EXPECT_NE(sentence.find("image 2"), std::string::npos);
    EXPECT_NE(sentence.find("PNG or JPEG"), std::string::npos);
  }
}

// One PNG file of an APNG frame's own data, so that it can be decoded by itself.
Image DecodeFrame(const PngChunk& control, const Bytes& compressed) {
  uLongf size = (control.U32(4) * 3 + 1) * control.U32(8);
  Bytes rows(size);
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size, reinterpret_cast<const Bytef*>(compressed.data()),
                       static_cast<uLong>(compressed.size())),
            Z_OK);
  EXPECT_EQ(size, rows.size());
  const int width = static_cast<int>(control.U32(4)), height = static_cast<int>(control.U32(8));
  Image image(width, height);
  const auto byte = [&](int y, int i) {
    return std::to_integer<int>(rows[static_cast<size_t>(y) * (width * 3 + 1) + i]);
  };
  const auto value = [&](int x, int y, int c) { return x < 0 || y < 0 ? 0 : static_cast<int>(image.at(x, y)[c]); };
  for (int y = 0; y < height; ++y) {
    for (int i = 0; i < width * 3; ++i) {
      const int x = i / 3, c = i % 3, a = value(x - 1, y, c), b = value(x, y - 1, c), d = value(x - 1, y - 1, c);
      const int pa = std::abs(b - d), pb = std::abs(a - d), pc = std::abs(a + b - 2 * d);
      const int paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : d;
      const int predicted[] = {0, a, b, (a + b) / 2, paeth};
      image.at(x, y)[c] = static_cast<uint8_t>(byte(y, i + 1) + predicted[byte(y, 0)]);
    }
  }
  return image;
}

TEST(Apng, PlaysBackEveryFrame) {
  std::vector<Image> frames = {Sample(40, 30, 1, true)};
  frames.push_back(frames[0]);
  for (int y = 10; y < 15; ++y) frames[1].at(20, y) = {1, 2, 3, 255};
  frames.push_back(frames[1]);  // nothing changes
  frames.push_back(Sample(40, 30, 2, true));
  ApngWriter writer(30);
  for (const Image& frame : frames) writer.Add(frame);
  const auto chunks = ReadChunks(writer.Finish());

  Image shown(40, 30);
  PngChunk control;
  uint32_t sequence = 0;
  size_t played = 0;
  for (const PngChunk& chunk : chunks) {
    if (chunk.type == "acTL") {
      EXPECT_EQ(chunk.U32(0), frames.size());
      EXPECT_EQ(chunk.U32(4), 0U);
    } else if (chunk.type == "fcTL") {
      control = chunk;
      EXPECT_EQ(chunk.U32(0), sequence++);
      EXPECT_EQ(chunk.U16(22), 30U * chunk.U16(20));
    } else if (chunk.type == "IDAT" || chunk.type == "fdAT") {
      const bool first = chunk.type == "IDAT";
      if (!first) {
        EXPECT_EQ(chunk.U32(0), sequence++);
      }
      const Bytes data(chunk.data.begin() + (first ? 0 : 4), chunk.data.end());
      Paste(DecodeFrame(control, data), static_cast<int>(control.U32(12)), static_cast<int>(control.U32(16)), shown);
      ASSERT_LT(played, frames.size());
      EXPECT_EQ(shown, frames[played++]);
    }
  }
  EXPECT_EQ(played, frames.size());
}

TEST(Apng, StoresOnlyWhatChanges) {
  const Image frame = Sample(200, 200, 1, true);
  ApngWriter one(25), two(25);
  one.Add(frame);
  two.Add(frame);
  Image changed = frame;
  changed.at(100, 100) = {0, 0, 0, 255};
  two.Add(changed);
  EXPECT_LT(two.Finish().size(), one.Finish().size() + 200);
}

TEST(Image, PasteClips) {
  Image target(10, 10, {0, 0, 0, 255});
  const Image patch(4, 4, {9, 9, 9, 255});
  for (const auto& [x, y, expected] : {std::array{-2, -2, 4}, {8, 3, 8}, {3, 3, 16}, {20, 0, 0}, {-9, 0, 0}}) {
    Image copy = target;
    Paste(patch, x, y, copy);
    EXPECT_EQ(std::count(copy.pixels.begin(), copy.pixels.end(), Pixel{9, 9, 9, 255}), expected) << x << " " << y;
  }
}

}  // namespace
}  // namespace sinew::render
