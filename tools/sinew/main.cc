#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {

void Commands::AddGroup(const std::string& name, const std::string& description) {
  app_.add_subcommand(name, description)->require_subcommand(1);
}

CLI::App* Commands::Add(const std::string& name, const std::string& description, const std::string& example,
                        std::function<Result(const Common&)> run) {
  const size_t space = name.find(' ');
  CLI::App& parent = space == std::string::npos ? app_ : *app_.get_subcommand(name.substr(0, space));
  CLI::App* command = parent.add_subcommand(space == std::string::npos ? name : name.substr(space + 1), description);
  command->footer("Example:\n  " + example);
  const std::string group = "Options of every command";
  command->add_flag("--json", common.json, "Print the result as one JSON object on standard output")->group(group);
  command->add_flag("--quiet", common.quiet, "Only warnings and the result")->group(group);
  command->add_option("--seed", common.seed, "Seed of everything random; same seed, same bits")
      ->capture_default_str()
      ->group(group);
  command->add_option("--threads", common.threads, "Number of threads; 0: all cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str()
      ->group(group);
  command->callback([this, run = std::move(run)] { chosen = run; });
  return command;
}

namespace {

// With --json an error is an object too, so that a script never has to parse sentences.
int Report(const Common& common, int code, const std::string& sentence) {
  if (common.json) fmt::print("{}\n", Json{{"error", sentence}, {"code", code}}.dump());
  fmt::print(stderr, "sinew: {}\n", sentence);
  return code;
}

int Execute(const Commands& commands) {
  const Common& common = commands.common;
  try {
    SetQuiet(common.quiet);
    SetThreads(common.threads);
    const Result result = commands.chosen(common);
    if (common.json) {
      fmt::print("{}\n", result.json.dump(2, ' ', false, Json::error_handler_t::replace));
    } else {
      fmt::print("{}", result.text);
    }
    if (std::fflush(stdout) != 0) return Report({}, 4, "standard output: cannot be written");
    if (result.then) result.then();
    return 0;
  } catch (const Error& error) {
    return Report(common, static_cast<int>(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return Report(common, 4, "not enough memory for this input; try fewer vertices or frames at a time");
  } catch (const std::exception& error) {
    return Report(common, 4,
                  fmt::format("unexpected: {}; please report this with the command that caused it", error.what()));
  }
}

// The parser would only say that a command is missing. path: "sinew", or the command that has others below it.
bool IsCommand(CLI::App& app, const std::string& path, const std::string& name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (std::any_of(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == name; })) {
    return true;
  }
  std::string names;
  for (const CLI::App* command : commands) names += (names.empty() ? "" : ", ") + command->get_name();
  fmt::print(stderr, "sinew: there is no command '{}'; run '{} --help' for those there are: {}\n", name, path, names);
  return false;
}

// Whether the words name a command, and one below it if that has some.
bool NamesCommand(CLI::App& app, int argc, char** argv) {
  const auto is_word = [&](int i) { return argc > i && argv[i][0] != '-'; };
  if (!is_word(1)) return true;
  if (!IsCommand(app, "sinew", argv[1])) return false;
  CLI::App& command = *app.get_subcommand(argv[1]);
  if (command.get_subcommands([](const CLI::App*) { return true; }).empty() || !is_word(2)) return true;
  return IsCommand(command, fmt::format("sinew {}", argv[1]), argv[2]);
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  // A file that may not grow is an error with a sentence, as a full disk is, and not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  sinew::CatchInterrupts();
  CLI::App app{"Sinew turns a character into one that deforms well in real time at every level of detail."};
  app.name("sinew");
  app.set_version_flag("--version", std::string("sinew ") + SINEW_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  sinew::cli::Commands commands(app);
  sinew::cli::AddAllCommands(commands);
  if (!sinew::cli::NamesCommand(app, argc, argv)) return 2;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "sinew: {}\nRun 'sinew --help', or 'sinew COMMAND --help' for one command.\n", error.what());
    return 2;
  }
  return sinew::cli::Execute(commands);
}
