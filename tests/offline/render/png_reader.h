// An independent look into PNG files: every chunk with its checksum verified.
#ifndef SINEW_TESTS_OFFLINE_RENDER_PNG_READER_H_
#define SINEW_TESTS_OFFLINE_RENDER_PNG_READER_H_

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew::testing {

struct PngChunk {
  std::string type;
  Bytes data;

  uint32_t U32(size_t at) const {
    uint32_t value = 0;
    for (size_t k = 0; k < 4; ++k) value = value << 8 | std::to_integer<uint32_t>(data.at(at + k));
    return value;
  }
  uint32_t U16(size_t at) const {
    return std::to_integer<uint32_t>(data.at(at)) << 8 | std::to_integer<uint32_t>(data.at(at + 1));
  }
};

// Fails the test, and stops, at the first thing that is not as the format says.
inline std::vector<PngChunk> ReadChunks(const Bytes& file) {
  std::vector<PngChunk> chunks;
  size_t at = 8;
  while (at < file.size()) {
    const PngChunk head{"", Bytes(file.begin() + at, file.begin() + at + 8)};
    const uint32_t size = head.U32(0);
    if (at + 12 + size > file.size()) {
      ADD_FAILURE() << "a chunk reaches beyond the file";
      return chunks;
    }
    PngChunk chunk;
    for (size_t k = 4; k < 8; ++k) chunk.type.push_back(static_cast<char>(head.data[k]));
    chunk.data.assign(file.begin() + at + 8, file.begin() + at + 8 + size);
    const PngChunk tail{"", Bytes(file.begin() + at + 8 + size, file.begin() + at + 12 + size)};
    const auto* checked = reinterpret_cast<const Bytef*>(file.data() + at + 4);
    EXPECT_EQ(tail.U32(0), crc32(0, checked, size + 4)) << chunk.type;
    chunks.push_back(chunk);
    at += 12 + size;
  }
  return chunks;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_OFFLINE_RENDER_PNG_READER_H_
