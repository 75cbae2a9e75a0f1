// A file's bytes in memory, mapped without a copy where the system can.
#ifndef SINEW_HOST_MAPPED_FILE_H_
#define SINEW_HOST_MAPPED_FILE_H_

#include <cstddef>
#include <span>

namespace sinew::host {

// A read-only view of a file at an address that is a multiple of 64. The file must not be changed while it is mapped.
class MappedFile {
 public:
  MappedFile() = default;
  ~MappedFile() { Close(); }
  MappedFile(MappedFile&& other) noexcept : bytes_(other.bytes_) { other.bytes_ = {}; }
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Returns false if the file is missing, empty, not a regular file or cannot be read.
  bool Open(const char* path) noexcept;
  void Close() noexcept;
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace sinew::host

#endif  // SINEW_HOST_MAPPED_FILE_H_
