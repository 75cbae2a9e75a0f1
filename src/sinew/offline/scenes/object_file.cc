#include "sinew/offline/scenes/object_file.h"

#include <algorithm>
#include <cstring>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew::scenes {
namespace {

using Header = dynamics::ObjectTable::Header;
constexpr const char* kRemedy = "make it again with sinew dynamics --save-object";

// Describes the fault of bytes that the table refuses.
std::string ProblemOf(std::span<const std::byte> bytes) {
  Header header{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof(header)),
              std::as_writable_bytes(std::span(&header, 1)).begin());
  if (bytes.size() < sizeof(header.magic) || header.magic != Header::kMagic) return "is not a soft object";
  if (bytes.size() < sizeof(header)) return "ends within its header";
  if (header.version > Header::kVersion) return "was made by a newer version of Sinew";
  if (header.version < Header::kVersion) return "was made by an older version of Sinew";
  if (header.bytes != bytes.size()) return "is cut short, or has bytes left over";
  if (header.checksum != runtime::Checksum(bytes.subspan(offsetof(Header, bytes)))) {
    return "is damaged: its checksum is wrong";
  }
  return "refers to what is not in it, or holds a number that is out of range";
}

}  // namespace

LoadedObject OpenObject(Block bytes, const std::string& file) {
  LoadedObject loaded{.file = std::move(bytes), .table = {}};
  if (dynamics::ObjectTable::Open(loaded.file.bytes(), &loaded.table) != runtime::Status::kOk) {
    throw InputError(file, "", ProblemOf(loaded.file.bytes()), kRemedy);
  }
  return loaded;
}

LoadedObject ReadObject(const std::filesystem::path& path) {
  const Bytes bytes = ReadFile(path);
  Block block(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.bytes().begin());
  return OpenObject(std::move(block), path.string());
}

void SealObject(std::span<std::byte> bytes) {
  if (bytes.size() < sizeof(Header)) return;
  const uint64_t size = bytes.size();
  std::memcpy(bytes.data() + offsetof(Header, bytes), &size, sizeof(size));
  const uint64_t checksum = runtime::Checksum(bytes.subspan(offsetof(Header, bytes)));
  std::memcpy(bytes.data() + offsetof(Header, checksum), &checksum, sizeof(checksum));
}

}  // namespace sinew::scenes
