#include "sinew/offline/core/program_file.h"

#include <cstdlib>
#include <system_error>

namespace sinew {

namespace fs = std::filesystem;

fs::path ProgramFile() {
  std::error_code none;
  const fs::path running = fs::read_symlink("/proc/self/exe", none);
  // Set by tools/pack/sinew. A program that is started from a packed one inherits it, but is no loader.
  const char* const starter = std::getenv("SINEW_STARTER");
  const bool loader = running.filename().string().rfind("ld", 0) == 0;
  return loader && starter != nullptr ? fs::path(starter) : running;
}

}  // namespace sinew
