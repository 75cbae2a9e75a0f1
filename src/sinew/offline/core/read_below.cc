#include "sinew/offline/core/read_below.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "sinew/offline/core/descriptor.h"
#include "sinew/offline/core/error.h"

namespace sinew {

namespace fs = std::filesystem;

constexpr const char* kPutBeside = "put the file itself beside the one that names it";

Bytes ReadFileBelow(const fs::path& folder, const fs::path& relative) {
  const fs::path whole = folder / relative;
  const auto refuse = [&](const std::string& problem, const char* remedy) {
    throw InputError(whole.string(), "", problem, remedy);
  };
  // Every step is opened below the one before, so that nobody can put a link in its place in between.
  Descriptor descriptor(folder.empty() ? fs::path(".") : folder, O_PATH | O_DIRECTORY);
  if (!descriptor.ok()) refuse(std::strerror(errno), "check the path");
  fs::path at = folder;
  for (auto step = relative.begin(); step != relative.end(); ++step) {
    if (relative.is_absolute() || *step == "..") refuse("leads out of its folder", kPutBeside);
    at /= *step;
    const bool last = std::next(step) == relative.end();
    Descriptor next(descriptor.get(), *step, O_NOFOLLOW | (last ? O_RDONLY | O_NONBLOCK : O_PATH | O_DIRECTORY));
    const int error = next.ok() ? 0 : errno;
    std::error_code ignored;
    // A link in the place of a folder is said to be no folder.
    const bool link = error == ELOOP || (error == ENOTDIR && fs::is_symlink(at, ignored));
    if (link) refuse(fmt::format("{} is a link, which is not followed", last ? "it" : at.string()), kPutBeside);
    if (error != 0) refuse(std::strerror(error), "check the path");
    descriptor = std::move(next);
  }
  return ReadAll(descriptor, whole);
}

}  // namespace sinew
