#include "sinew/offline/core/write_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace sinew {
namespace {

std::string Reason(int code) {
  const std::string said = std::strerror(code);
  if (code == ENOSPC) return fmt::format("the disk is full ({})", said);
  if (code == EDQUOT) return fmt::format("your share of the disk is full ({})", said);
  return said;
}

}  // namespace

WriteError::WriteError(const std::string& file, int code)
    : FailedError(fmt::format("{}: cannot be written: {}", file, Reason(code))), file_(file), code_(code) {}

}  // namespace sinew
