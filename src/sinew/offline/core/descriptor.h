// File descriptors that close themselves, and reading through them, for the files of this folder that open files.
#ifndef SINEW_OFFLINE_CORE_DESCRIPTOR_H_
#define SINEW_OFFLINE_CORE_DESCRIPTOR_H_

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <span>
#include <utility>

#include "sinew/offline/core/file.h"

namespace sinew {

// flags: as open() takes them. Not open, with the reason in errno, if that fails.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, mode_t mode = 0666)
      : Descriptor(AT_FDCWD, path, flags, mode) {}
  // The path is relative to an open folder.
  Descriptor(int folder, const std::filesystem::path& path, int flags, mode_t mode = 0)
      : fd_(::openat(folder, path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }
  bool Close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

// The functions below throw InputError, naming `path`, if the file cannot be read.

// Returns the size of a file, which must be a regular one.
size_t SizeOf(const Descriptor& descriptor, const std::filesystem::path& path);
// Fills `bytes` from the file's byte `offset` on. Returns how many there were.
size_t ReadAt(const Descriptor& descriptor, size_t offset, std::span<std::byte> bytes,
              const std::filesystem::path& path);
Bytes ReadAll(const Descriptor& descriptor, const std::filesystem::path& path);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_DESCRIPTOR_H_
