// Messages to the user, on standard error. Standard output belongs to results. A message may hold any bytes: it is
// shown as one printable line (core/text.h). One that cannot be written is lost, and nothing else happens.
#ifndef SINEW_OFFLINE_CORE_LOG_H_
#define SINEW_OFFLINE_CORE_LOG_H_

#include <fmt/format.h>

#include <string>
#include <vector>

namespace sinew {

// Sets whether only warnings are shown (--quiet).
void SetQuiet(bool quiet);
bool quiet();

void LogInfo(const std::string& message);
void LogWarning(const std::string& message);

// Collects warnings, while it exists, instead of showing them, so that what a reader repaired can be part of a result.
// Only one may exist at a time; warnings may come from any thread.
class CollectWarnings {
 public:
  CollectWarnings();
  ~CollectWarnings();
  CollectWarnings(const CollectWarnings&) = delete;
  CollectWarnings& operator=(const CollectWarnings&) = delete;

  // Returns the warnings so far, in the order in which they came.
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
