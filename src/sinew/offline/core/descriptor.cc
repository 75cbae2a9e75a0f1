#include "sinew/offline/core/descriptor.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "sinew/offline/core/error.h"

namespace sinew {

namespace fs = std::filesystem;

size_t SizeOf(const Descriptor& descriptor, const fs::path& path) {
  struct stat info {};
  if (::fstat(descriptor.get(), &info) != 0) throw InputError(path.string(), "", std::strerror(errno), "");
  if (!S_ISREG(info.st_mode)) throw InputError(path.string(), "", "is not a regular file", "check the path");
  return static_cast<size_t>(info.st_size);
}

size_t ReadAt(const Descriptor& descriptor, size_t offset, std::span<std::byte> bytes, const fs::path& path) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got =
        ::pread(descriptor.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(path.string(), fmt::format("byte {}", offset + done), std::strerror(errno), "");
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

Bytes ReadAll(const Descriptor& descriptor, const fs::path& path) {
  Bytes bytes(SizeOf(descriptor, path));
  bytes.resize(ReadAt(descriptor, 0, bytes, path));
  return bytes;
}

}  // namespace sinew
