// Path of the running program. Models, the page and libraries that come with it are found from there.
#ifndef SINEW_OFFLINE_CORE_PROGRAM_FILE_H_
#define SINEW_OFFLINE_CORE_PROGRAM_FILE_H_

#include <filesystem>

namespace sinew {

// Returns the path of the running program, by which it can also be started again: of a packed one (scripts/pack) that
// of the script that starts it, since the process itself is the loader that came along.
std::filesystem::path ProgramFile();

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_PROGRAM_FILE_H_
