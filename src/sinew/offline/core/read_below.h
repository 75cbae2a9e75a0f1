// Reads a file that another file names: one that came from a stranger may name anything.
#ifndef SINEW_OFFLINE_CORE_READ_BELOW_H_
#define SINEW_OFFLINE_CORE_READ_BELOW_H_

#include <filesystem>

#include "sinew/offline/core/file.h"

namespace sinew {

// Reads the file at `relative` below `folder`. Nothing outside of the folder is ever opened: throws InputError if the
// path is absolute or has a step "..", if a step of it is a link, or if it is not a regular file, and does not wait for
// a pipe. The folder itself may be a link.
Bytes ReadFileBelow(const std::filesystem::path& folder, const std::filesystem::path& relative);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_READ_BELOW_H_
