#include "sinew/offline/core/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"

namespace sinew {
namespace {

constexpr size_t kMagicLetters = 8, kHashDigits = 32;

}  // namespace

Bytes BinaryWriter::File(std::string_view magic, uint32_t version) const {
  BinaryWriter file;
  file.Put(magic.data(), kMagicLetters);
  file.Put(version);
  const std::string hash = HashHex(bytes_);
  file.Put(hash.data(), kHashDigits);
  file.Put(bytes_.data(), bytes_.size());
  return std::move(file.bytes_);
}

void SealFile(Bytes& bytes) {
  constexpr size_t kHashAt = kMagicLetters + sizeof(uint32_t), kHeaderSize = kHashAt + kHashDigits;
  if (bytes.size() < kHeaderSize) return;
  const std::string hash = HashHex(std::span(bytes).subspan(kHeaderSize));
  std::memcpy(bytes.data() + kHashAt, hash.data(), kHashDigits);
}

BinaryReader::BinaryReader(std::span<const std::byte> bytes, std::string file, std::string remedy)
    : bytes_(bytes), file_(std::move(file)), remedy_(std::move(remedy)) {}

BinaryReader::BinaryReader(std::span<const std::byte> bytes, std::string file, std::string_view magic, uint32_t version,
                           std::string_view kind, std::string remedy)
    : BinaryReader(bytes, std::move(file), std::move(remedy)) {
  const std::vector<char> letters = Take<char>(kMagicLetters, "header");
  if (!std::equal(letters.begin(), letters.end(), magic.begin()))
    Fail("header", fmt::format("is not that of {}", kind));
  const auto found = Take<uint32_t>("header");
  if (found != version) {
    Fail("header", fmt::format("is of version {}, and this program reads version {}", found, version));
  }
  const std::vector<char> digits = Take<char>(kHashDigits, "header");
  if (std::string(digits.begin(), digits.end()) != HashHex(bytes_)) {
    Fail("checksum", "differs from the contents, which were changed or cut short");
  }
}

void BinaryReader::Fail(const std::string& place, const std::string& problem) const {
  throw InputError(file_, place, problem, remedy_);
}

std::span<const std::byte> BinaryReader::TakeBytes(size_t count, size_t size, const std::string& place) {
  if (count > bytes_.size() / size) {
    Fail(place, fmt::format("needs {} bytes and {} are left; the file is cut short", count * size, bytes_.size()));
  }
  const std::span<const std::byte> taken = bytes_.first(count * size);
  bytes_ = bytes_.subspan(count * size);
  return taken;
}

uint32_t BinaryReader::TakeCount(uint32_t least, uint32_t most, const std::string& place) {
  const auto count = Take<uint32_t>(place);
  if (count < least || count > most) Fail(place, fmt::format("is {}, and must be {} to {}", count, least, most));
  return count;
}

std::string BinaryReader::TakeText(uint32_t longest, const std::string& place) {
  const std::vector<char> letters = Take<char>(TakeCount(0, longest, place), place);
  return {letters.begin(), letters.end()};
}

std::vector<int> BinaryReader::TakeIndices(size_t count, int below, const std::string& place) {
  const std::vector<uint32_t> values = Take<uint32_t>(count, place);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= static_cast<uint32_t>(below)) {
      Fail(fmt::format("{}, entry {}", place, i), fmt::format("is {}, and must be below {}", values[i], below));
    }
  }
  return {values.begin(), values.end()};
}

std::vector<float> BinaryReader::TakeFloats(size_t count, const std::string& place) {
  std::vector<float> values = Take<float>(count, place);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) Fail(fmt::format("{}, entry {}", place, i), "is not a finite number");
  }
  return values;
}

void BinaryReader::End() const {
  if (!bytes_.empty()) Fail("end", fmt::format("has {} bytes too many", bytes_.size()));
}

}  // namespace sinew
