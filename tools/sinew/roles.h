// --role, of every command that has it.
#ifndef SINEW_TOOLS_SINEW_ROLES_H_
#define SINEW_TOOLS_SINEW_ROLES_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/core/error.h"

namespace sinew::cli {

// roles: must live until the command line is parsed.
inline void AddRoleOption(CLI::App* app, std::vector<GivenRole>& roles) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      if (ParseRoles(text).empty()) return "is empty; write PART=ROLE, such as Hair=thin";
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const auto take = [&roles](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const std::vector<GivenRole> parsed = ParseRoles(text);
      roles.insert(roles.end(), parsed.begin(), parsed.end());
    }
  };
  app->add_option_function<std::vector<std::string>>(
         "--role", take,
         "Role of a part instead of the one that is found, PART=ROLE: flesh, layer (over flesh), thin or rigid; may be "
         "given several times")
      ->check(refusal)
      ->type_name("PART=ROLE")
      ->allow_extra_args(false);
}

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_ROLES_H_
