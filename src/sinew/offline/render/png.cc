// Format: W3C Recommendation "Portable Network Graphics (PNG) Specification", third edition, which includes APNG.
#include "sinew/offline/render/png.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>

#include "sinew/offline/core/error.h"

namespace sinew::render {
namespace {

constexpr unsigned char kSignature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
// Compression level of zlib: 6 would take twice the time of 4 and save about 3% on our pictures.
constexpr int kCompressionLevel = 4;

void Put(Bytes& out, const void* data, size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void Put8(Bytes& out, unsigned value) { out.push_back(static_cast<std::byte>(value)); }

void Put16(Bytes& out, unsigned value) {
  Put8(out, value >> 8 & 255);
  Put8(out, value & 255);
}

void Put32(Bytes& out, uint32_t value) {
  Put16(out, value >> 16);
  Put16(out, value & 65535);
}

void PutChunk(Bytes& out, std::string_view type, const Bytes& content) {
  Put32(out, static_cast<uint32_t>(content.size()));
  const size_t begin = out.size();
  Put(out, type.data(), 4);
  Put(out, content.data(), content.size());
  const auto* checked = reinterpret_cast<const Bytef*>(out.data() + begin);
  Put32(out, static_cast<uint32_t>(crc32(0, checked, static_cast<uInt>(out.size() - begin))));
}

struct Rectangle {
  int x = 0, y = 0, width = 0, height = 0;
};

using Row = std::vector<uint8_t>;

Row PackRow(const Image& image, const Rectangle& part, int row, int channels) {
  Row packed;
  packed.reserve(static_cast<size_t>(part.width) * channels);
  for (int x = 0; x < part.width; ++x) {
    const Pixel& pixel = image.at(part.x + x, part.y + row);
    packed.insert(packed.end(), pixel.begin(), pixel.begin() + channels);
  }
  return packed;
}

uint8_t Paeth(int left, int up, int corner) {
  const int to_left = std::abs(up - corner), to_up = std::abs(left - corner),
            to_corner = std::abs(left + up - 2 * corner);
  if (to_left <= to_up && to_left <= to_corner) return static_cast<uint8_t>(left);
  return static_cast<uint8_t>(to_up <= to_corner ? up : corner);
}

// Applies one filter to a whole row; the filter is a template argument so that the compiler can vectorise the loop.
template <int kFilter>
void ApplyFilter(const Row& row, const Row& above, int channels, Row& out) {
  for (size_t i = 0; i < row.size(); ++i) {
    const bool first = i < static_cast<size_t>(channels);
    const int left = first ? 0 : row[i - channels], up = above[i];
    int predicted = 0;
    if constexpr (kFilter == 1) predicted = left;
    if constexpr (kFilter == 2) predicted = up;
    if constexpr (kFilter == 3) predicted = (left + up) / 2;
    if constexpr (kFilter == 4) predicted = Paeth(left, up, first ? 0 : above[i - channels]);
    out[i] = static_cast<uint8_t>(row[i] - predicted);
  }
}

int64_t Cost(const Row& filtered) {
  return std::accumulate(filtered.begin(), filtered.end(), int64_t{0}, [](int64_t sum, uint8_t value) {
    return sum + std::abs(static_cast<int>(static_cast<int8_t>(value)));
  });
}

// Appends a row with the filter of the smallest sum of absolute differences, the heuristic of the specification.
void PutFilteredRow(Bytes& out, const Row& row, const Row& above, int channels) {
  Row candidates[5];
  for (Row& candidate : candidates) candidate.resize(row.size());
  candidates[0] = row;
  ApplyFilter<1>(row, above, channels, candidates[1]);
  ApplyFilter<2>(row, above, channels, candidates[2]);
  ApplyFilter<3>(row, above, channels, candidates[3]);
  ApplyFilter<4>(row, above, channels, candidates[4]);
  int best = 0;
  int64_t best_cost = Cost(candidates[0]);
  for (int f = 1; f < 5; ++f) {
    const int64_t cost = Cost(candidates[f]);
    if (cost < best_cost) best = f, best_cost = cost;
  }
  Put8(out, static_cast<unsigned>(best));
  Put(out, candidates[best].data(), candidates[best].size());
}

Bytes CompressPixels(const Image& image, const Rectangle& part, int channels) {
  Bytes filtered;
  filtered.reserve((static_cast<size_t>(part.width) * channels + 1) * part.height);
  Row above(static_cast<size_t>(part.width) * channels, 0);
  for (int y = 0; y < part.height; ++y) {
    Row row = PackRow(image, part, y, channels);
    PutFilteredRow(filtered, row, above, channels);
    above = std::move(row);
  }
  uLongf size = compressBound(static_cast<uLong>(filtered.size()));
  Bytes compressed(size);
  if (compress2(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<const Bytef*>(filtered.data()),
                static_cast<uLong>(filtered.size()), kCompressionLevel) != Z_OK) {
    throw FailedError("the picture could not be compressed: not enough memory; make it smaller with --size");
  }
  compressed.resize(size);
  return compressed;
}

Bytes Header(const Image& image, int channels) {
  Bytes header;
  Put32(header, static_cast<uint32_t>(image.width));
  Put32(header, static_cast<uint32_t>(image.height));
  Put8(header, 8);
  Put8(header, channels == 4 ? 6 : 2);
  Put8(header, 0);
  Put8(header, 0);
  Put8(header, 0);
  return header;
}

void PutStart(Bytes& out, const Image& image, int channels) {
  Put(out, kSignature, sizeof(kSignature));
  PutChunk(out, "IHDR", Header(image, channels));
  PutChunk(out, "sRGB", Bytes(1, std::byte{0}));
}

Rectangle Whole(const Image& image) { return {0, 0, image.width, image.height}; }

// Returns the bounding rectangle of the pixels that differ between two frames of the same size; at least one pixel,
// because a frame cannot be empty.
Rectangle Changed(const Image& before, const Image& after) {
  int x0 = after.width, y0 = after.height, x1 = 0, y1 = 0;
  for (int y = 0; y < after.height; ++y) {
    for (int x = 0; x < after.width; ++x) {
      if (before.at(x, y) == after.at(x, y)) continue;
      x0 = std::min(x0, x), x1 = std::max(x1, x + 1);
      y0 = std::min(y0, y), y1 = std::max(y1, y + 1);
    }
  }
  return x0 >= x1 ? Rectangle{0, 0, 1, 1} : Rectangle{x0, y0, x1 - x0, y1 - y0};
}

}  // namespace

Bytes EncodePng(const Image& image) {
  const bool opaque = std::all_of(image.pixels.begin(), image.pixels.end(), [](const Pixel& p) { return p[3] == 255; });
  const int channels = opaque ? 3 : 4;
  Bytes out;
  PutStart(out, image, channels);
  PutChunk(out, "IDAT", CompressPixels(image, Whole(image), channels));
  PutChunk(out, "IEND", {});
  return out;
}

void WritePng(const std::filesystem::path& path, const Image& image) { WriteFileAtomic(path, EncodePng(image)); }

struct ApngWriter::State {
  uint16_t delay_numerator = 0;
  uint16_t delay_denominator = 1;
  int frames = 0;
  uint32_t sequence = 0;
  Image previous;
  Bytes body;  // fcTL, IDAT, fcTL, fdAT, ...
};

ApngWriter::ApngWriter(double frames_per_second) : state_(std::make_unique<State>()) {
  // Milliseconds are too coarse for 30 frames per second; hundredths of a frame per second are fine enough.
  state_->delay_numerator = 100;
  state_->delay_denominator = static_cast<uint16_t>(std::clamp(std::lround(frames_per_second * 100), 1L, 65535L));
}

ApngWriter::~ApngWriter() = default;

void ApngWriter::Add(const Image& frame) {
  State& s = *state_;
  const Rectangle part = s.frames == 0 ? Whole(frame) : Changed(s.previous, frame);
  Bytes control;
  Put32(control, s.sequence++);
  for (const int value : {part.width, part.height, part.x, part.y}) Put32(control, static_cast<uint32_t>(value));
  Put16(control, s.delay_numerator);
  Put16(control, s.delay_denominator);
  Put8(control, 0);  // dispose operation: leave the frame in place
  Put8(control, 0);  // blend operation: overwrite
  PutChunk(s.body, "fcTL", control);
  const Bytes pixels = CompressPixels(frame, part, 3);
  if (s.frames == 0) {
    PutChunk(s.body, "IDAT", pixels);
  } else {
    Bytes data;
    Put32(data, s.sequence++);
    Put(data, pixels.data(), pixels.size());
    PutChunk(s.body, "fdAT", data);
  }
  s.previous = frame;
  ++s.frames;
}

Bytes ApngWriter::Finish() const {
  const State& s = *state_;
  Bytes out;
  PutStart(out, s.previous, 3);
  Bytes animation;
  Put32(animation, static_cast<uint32_t>(s.frames));
  Put32(animation, 0);  // number of plays: for ever
  PutChunk(out, "acTL", animation);
  Put(out, s.body.data(), s.body.size());
  PutChunk(out, "IEND", {});
  return out;
}

}  // namespace sinew::render
