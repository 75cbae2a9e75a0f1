#include "tests/support/point_caches.h"

#include <algorithm>
#include <cstring>

namespace sinew::testing {
namespace {

template <typename Value>
void AppendWord(std::string& bytes, Value value, bool big_endian) {
  static_assert(sizeof(Value) == 4);
  char word[4];
  std::memcpy(word, &value, 4);
  if (big_endian) std::reverse(word, word + 4);
  bytes.append(word, 4);
}

}  // namespace

std::string Pc2File(int frames, int points, const std::vector<float>& values) {
  std::string bytes("POINTCACHE2\0", 12);
  for (const int count : {1, points}) AppendWord(bytes, count, false);
  for (const float time : {0.0f, 1.0f}) AppendWord(bytes, time, false);
  AppendWord(bytes, frames, false);
  for (const float value : values) AppendWord(bytes, value, false);
  return bytes;
}

std::string MddFile(int frames, int points, const std::vector<float>& values) {
  std::string bytes;
  for (const int count : {frames, points}) AppendWord(bytes, count, true);
  for (int f = 0; f < frames; ++f) AppendWord(bytes, static_cast<float>(f) / 30, true);
  for (const float value : values) AppendWord(bytes, value, true);
  return bytes;
}

}  // namespace sinew::testing
