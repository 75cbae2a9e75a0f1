#include "sinew/offline/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, mode_t mode = 0666)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

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

[[noreturn]] void CannotWrite(const fs::path& path, int error) {
  throw FailedError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

fs::path TemporaryBeside(const fs::path& path) {
  return path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), ::getpid());
}

void FlushFolder(const fs::path& folder) {
  const Descriptor descriptor(folder.empty() ? fs::path(".") : folder, O_RDONLY | O_DIRECTORY);
  if (descriptor.ok()) ::fsync(descriptor.get());
}

void WriteAll(int fd, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) CannotWrite(path, errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

Descriptor OpenToRead(const fs::path& path) {
  Descriptor descriptor(path, O_RDONLY);
  if (!descriptor.ok()) throw InputError(path.string(), "", std::strerror(errno), "check the path");
  return descriptor;
}

size_t SizeOf(const Descriptor& descriptor, const fs::path& path) {
  struct stat info {};
  if (::fstat(descriptor.get(), &info) != 0) throw InputError(path.string(), "", std::strerror(errno), "");
  if (!S_ISREG(info.st_mode)) throw InputError(path.string(), "", "is not a regular file", "check the path");
  return static_cast<size_t>(info.st_size);
}

// Fills `bytes` from the file's byte `offset` on. Returns how many there were.
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

// Removes a file or folder at the end of its scope, unless disarmed.
struct Cleanup {
  fs::path path;
  bool armed = true;
  ~Cleanup() {
    std::error_code ignored;
    if (armed) fs::remove_all(path, ignored);
  }
};

}  // namespace

std::string LowerExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Bytes ReadFile(const fs::path& path) {
  const Descriptor descriptor = OpenToRead(path);
  Bytes bytes(SizeOf(descriptor, path));
  bytes.resize(ReadAt(descriptor, 0, bytes, path));
  return bytes;
}

Bytes ReadFilePart(const fs::path& path, size_t offset, size_t size) {
  const Descriptor descriptor = OpenToRead(path);
  const size_t there = SizeOf(descriptor, path);
  const auto ends = [&](size_t at) {
    return InputError(path.string(), fmt::format("byte {}", at), "ends there, too early", "copy the file again");
  };
  if (offset > there || size > there - offset) throw ends(there);
  Bytes bytes(size);
  const size_t done = ReadAt(descriptor, offset, bytes, path);
  if (done < size) throw ends(offset + done);
  return bytes;
}

std::string ReadTextFile(const fs::path& path) {
  const Bytes bytes = ReadFile(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void WriteFileAtomic(const fs::path& path, std::span<const std::byte> bytes) {
  Cleanup temporary{TemporaryBeside(path)};
  Descriptor descriptor(temporary.path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!descriptor.ok()) CannotWrite(path, errno);
  WriteAll(descriptor.get(), bytes, path);
  if (::fsync(descriptor.get()) != 0 || !descriptor.Close()) CannotWrite(path, errno);
  if (::rename(temporary.path.c_str(), path.c_str()) != 0) CannotWrite(path, errno);
  temporary.armed = false;
  FlushFolder(path.parent_path());
}

void WriteFileAtomic(const fs::path& path, std::string_view text) {
  WriteFileAtomic(path, std::as_bytes(std::span(text.data(), text.size())));
}

void WriteFolderAtomic(const fs::path& path, const std::function<bool(const fs::path&)>& may_replace,
                       const std::function<void(const fs::path&)>& fill) {
  const fs::path target = path.has_filename() ? path : path.parent_path();
  const bool exists = fs::exists(target);
  if (exists && !may_replace(target)) {
    throw FailedError(fmt::format(
        "{}: exists and is not something this command wrote; name another folder or remove it", target.string()));
  }
  Cleanup temporary{TemporaryBeside(target)};
  std::error_code error;
  fs::remove_all(temporary.path, error);
  if (!fs::create_directory(temporary.path, error)) CannotWrite(target, error ? error.value() : EEXIST);
  fill(temporary.path);
  FlushFolder(temporary.path);
  // Exchange the two folders in one step; the old one then has the temporary name, and is removed.
  const unsigned flags = exists ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, temporary.path.c_str(), AT_FDCWD, target.c_str(), flags) != 0) CannotWrite(target, errno);
  temporary.armed = exists;
  FlushFolder(target.parent_path());
}

}  // namespace sinew
