#include "sinew/offline/core/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <mutex>
#include <optional>

#include "sinew/offline/core/text.h"

namespace sinew {
namespace {

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = spdlog::stderr_color_mt("sinew");
    // On a terminal a message takes the line of a progress bar that is being drawn; the bar goes on below it.
    made->set_pattern(::isatty(STDERR_FILENO) != 0 ? "\r\033[K%^%v%$" : "%^%v%$");
    return made;
  }();
  return *logger;
}

// No value: warnings are shown.
struct Collected {
  std::mutex mutex;
  std::optional<std::vector<std::string>> messages;
};
Collected& Collection() {
  static Collected collected;
  return collected;
}

}  // namespace

void SetQuiet(bool quiet) { Logger().set_level(quiet ? spdlog::level::warn : spdlog::level::info); }
bool quiet() { return Logger().level() >= spdlog::level::warn; }

void LogInfo(const std::string& message) { Logger().info(PrintableLine(message)); }

void LogWarning(const std::string& message) {
  Collected& collected = Collection();
  const std::lock_guard lock(collected.mutex);
  if (collected.messages) {
    collected.messages->push_back(message);
  } else {
    Logger().warn("warning: " + PrintableLine(message));
  }
}

CollectWarnings::CollectWarnings() {
  const std::lock_guard lock(Collection().mutex);
  Collection().messages.emplace();
}

CollectWarnings::~CollectWarnings() {
  const std::lock_guard lock(Collection().mutex);
  Collection().messages.reset();
}

std::vector<std::string> CollectWarnings::messages() const {
  const std::lock_guard lock(Collection().mutex);
  return *Collection().messages;
}

}  // namespace sinew
