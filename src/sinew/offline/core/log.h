// Messages to the user, on standard error. Standard output belongs to results.
#ifndef SINEW_OFFLINE_CORE_LOG_H_
#define SINEW_OFFLINE_CORE_LOG_H_

#include <fmt/format.h>

#include <string>
#include <vector>

namespace sinew {

// quiet: only warnings are shown (--quiet).
void SetQuiet(bool quiet);
bool quiet();

void LogInfo(const std::string& message);
void LogWarning(const std::string& message);

// While one exists, warnings are kept in it instead of being shown: what a reader repaired is then part of a result.
// One at a time; warnings may come from any thread.
class CollectWarnings {
 public:
  CollectWarnings();
  ~CollectWarnings();
  CollectWarnings(const CollectWarnings&) = delete;
  CollectWarnings& operator=(const CollectWarnings&) = delete;

  // Those so far, in the order that they came.
  std::vector<std::string> messages() const;
};

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
