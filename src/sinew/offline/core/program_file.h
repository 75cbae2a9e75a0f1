// Where the running program lies, from which it finds what comes with it: models, the page, libraries.
#ifndef SINEW_OFFLINE_CORE_PROGRAM_FILE_H_
#define SINEW_OFFLINE_CORE_PROGRAM_FILE_H_

#include <filesystem>

namespace sinew {

// Returns the path of the running program, by which it can also be started again: of a packed one (scripts/pack) that
// of the script that starts it, since the process itself is the loader that came along.
std::filesystem::path ProgramFile();

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_PROGRAM_FILE_H_
