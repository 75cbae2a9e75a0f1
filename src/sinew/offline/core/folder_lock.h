// Lock that lets one writer at a time into a folder.
#ifndef SINEW_OFFLINE_CORE_FOLDER_LOCK_H_
#define SINEW_OFFLINE_CORE_FOLDER_LOCK_H_

#include <filesystem>

namespace sinew {

// Lock that is held until it is destroyed or the program ends, in whatever way. It is advisory: it excludes only other
// FolderLocks. Locks nothing, without an error, where the file system has no locks.
class FolderLock {
 public:
  FolderLock() = default;  // locks nothing
  // Locks a folder, without waiting. Throws FailedError if another program, or another FolderLock of this one, holds
  // it. Create the folder first: one that does not exist or cannot be opened is not locked, and no error is reported.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;  // swaps the two locks

 private:
  int descriptor_ = -1;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_FOLDER_LOCK_H_
