#include "sinew/offline/core/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace sinew {
namespace {

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = spdlog::stderr_color_mt("sinew");
    made->set_pattern("%^%v%$");
    return made;
  }();
  return *logger;
}

}  // namespace

void SetQuiet(bool quiet) { Logger().set_level(quiet ? spdlog::level::warn : spdlog::level::info); }
bool quiet() { return Logger().level() >= spdlog::level::warn; }

void LogInfo(const std::string& message) { Logger().info(message); }
void LogWarning(const std::string& message) { Logger().warn("warning: " + message); }

}  // namespace sinew
