// Lock that lets one writer at a time into a folder.
#ifndef SINEW_OFFLINE_CORE_FOLDER_LOCK_H_
#define SINEW_OFFLINE_CORE_FOLDER_LOCK_H_

#include <filesystem>

namespace sinew {

// Held until it is destroyed or the program ends, in whatever way; does nothing where the file system has no locks.
class FolderLock {
 public:
  FolderLock() = default;
  // The folder must exist. Throws FailedError if another program, or another lock of this one, holds it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_FOLDER_LOCK_H_
