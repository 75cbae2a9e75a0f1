#include "sinew/host/mapped_file.h"

#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <cstdio>
#include <new>
#endif

namespace sinew::host {

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

#if defined(__unix__) || defined(__APPLE__)

bool MappedFile::Open(const char* path) noexcept {
  Close();
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<size_t>(status.st_size);
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(memory), size};
  }
  close(file);
  return !bytes_.empty();
}

void MappedFile::Close() noexcept {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  bytes_ = {};
}

#else

// On systems without file mapping the file is read into memory.
bool MappedFile::Open(const char* path) noexcept {
  Close();
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  const long size = std::fseek(file, 0, SEEK_END) == 0 ? std::ftell(file) : -1;
  if (size > 0 && std::fseek(file, 0, SEEK_SET) == 0) {
    const auto count = static_cast<size_t>(size);
    void* memory = ::operator new(count, std::align_val_t(64), std::nothrow);
    if (memory != nullptr) bytes_ = {static_cast<const std::byte*>(memory), count};
    if (memory != nullptr && std::fread(memory, 1, count, file) != count) Close();
  }
  std::fclose(file);
  return !bytes_.empty();
}

void MappedFile::Close() noexcept {
  if (!bytes_.empty()) ::operator delete(const_cast<std::byte*>(bytes_.data()), std::align_val_t(64));
  bytes_ = {};
}

#endif

}  // namespace sinew::host
