#include "sinew/offline/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "sinew/offline/core/descriptor.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/write_error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void CannotWrite(const fs::path& path, int error) { throw WriteError(path.string(), error); }

// Returns a name that nobody can foresee and prepare a link under. It begins as the target's does, which is what people
// see of a run that was killed; the rest of a name's 255 bytes is room for what is added.
fs::path TemporaryBeside(const fs::path& path) {
  uint64_t random = 0;
  if (::getrandom(&random, sizeof(random), 0) != sizeof(random)) CannotWrite(path, errno);
  return path.parent_path() / fmt::format(".{}.{:016x}.tmp", path.filename().string().substr(0, 200), random);
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
  // Opening a pipe that nobody writes to would wait for ever.
  Descriptor descriptor(path, O_RDONLY | O_NONBLOCK);
  if (!descriptor.ok()) throw InputError(path.string(), "", std::strerror(errno), "check the path");
  return descriptor;
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
  return ReadAll(descriptor, path);
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
  Descriptor descriptor(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (!descriptor.ok()) {
    temporary.armed = errno != EEXIST;
    CannotWrite(path, errno);
  }
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
  if (::mkdir(temporary.path.c_str(), 0777) != 0) {
    temporary.armed = errno != EEXIST;
    CannotWrite(target, errno);
  }
  try {
    fill(temporary.path);
  } catch (const WriteError& error) {
    // The file is named as it would be called, and not inside a folder that is gone when the user looks.
    const fs::path inside = fs::path(error.file()).lexically_relative(temporary.path);
    if (inside.empty() || *inside.begin() == "..") throw;
    throw WriteError((target / inside).string(), error.code());
  }
  FlushFolder(temporary.path);
  // Exchange the two folders in one step; the old one then has the temporary name, and is removed.
  const unsigned flags = exists ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, temporary.path.c_str(), AT_FDCWD, target.c_str(), flags) != 0) CannotWrite(target, errno);
  temporary.armed = exists;
  FlushFolder(target.parent_path());
}

}  // namespace sinew
