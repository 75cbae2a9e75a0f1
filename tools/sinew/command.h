// What every subcommand shares. A subcommand is one file here with one function, Add...Command(), that declares its
// options and what to call; the work itself is in the libraries.
#ifndef SINEW_TOOLS_SINEW_COMMAND_H_
#define SINEW_TOOLS_SINEW_COMMAND_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::cli {

// The options that every subcommand has.
struct Common {
  bool json = false;
  bool quiet = false;
  uint64_t seed = 1;
  int threads = 0;
};

// What a subcommand did: shown as text, or with --json as one object on standard output.
struct Result {
  Json json = Json::object();
  std::string text;  // printed as it is, without --json
  // Done once the result is on standard output: what goes on until the user ends it.
  std::function<void()> then = {};
};

class Commands {
 public:
  explicit Commands(CLI::App& app) : app_(app) {}

  // Declares `sinew NAME ...`, which only has subcommands of its own. Add those as "NAME VERB".
  void AddGroup(const std::string& name, const std::string& description);

  // Declares `sinew NAME`. `example` is one whole command line, shown at the end of --help. Add options to what is
  // returned; `run` is called after they are parsed, and whatever it throws becomes the error message and exit code.
  CLI::App* Add(const std::string& name, const std::string& description, const std::string& example,
                std::function<Result(const Common&)> run);

  Common common;
  std::function<Result(const Common&)> chosen;

 private:
  CLI::App& app_;
};

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_COMMAND_H_
