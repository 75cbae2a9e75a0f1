// Messages to the user, on standard error. Standard output belongs to results.
#ifndef SINEW_OFFLINE_CORE_LOG_H_
#define SINEW_OFFLINE_CORE_LOG_H_

#include <fmt/format.h>

#include <string>

namespace sinew {

// quiet: only warnings are shown (--quiet).
void SetQuiet(bool quiet);
bool quiet();

void LogInfo(const std::string& message);
void LogWarning(const std::string& message);

template <typename... Args>
void Info(fmt::format_string<Args...> format, Args&&... args) {
  LogInfo(fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void Warn(fmt::format_string<Args...> format, Args&&... args) {
  LogWarning(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_LOG_H_
