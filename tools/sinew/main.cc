#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <new>
#include <string_view>

#include "sinew/offline/core/console.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/text.h"
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

constexpr int kUsage = static_cast<int>(ErrorKind::kUsage), kFailed = static_cast<int>(ErrorKind::kFailed);

// Shows an error as one printable line, whatever bytes it quotes. With --json it is an object too, so that a script
// never has to parse sentences. more: further lines on standard error.
int Report(bool json, int code, const std::string& sentence, const std::string& more = "") {
  const std::string line = PrintableLine(sentence);
  if (json) WriteStandardOutput(JsonText(Json{{"error", line}, {"code", code}}) + "\n");
  WriteStandardError(fmt::format("sinew: {}\n{}", line, more));
  return code;
}

int Execute(const Commands& commands) {
  const Common& common = commands.common;
  try {
    SetQuiet(common.quiet);
    SetThreads(common.threads);
    const Result result = commands.chosen(common);
    const std::string shown = common.json ? JsonText(result.json, 2) + "\n" : PrintableText(result.text);
    if (!WriteStandardOutput(shown)) return Report(false, kFailed, "standard output: cannot be written");
    if (result.then) result.then();
    return 0;
  } catch (const Error& error) {
    return Report(common.json, static_cast<int>(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return Report(common.json, kFailed, "not enough memory for this input; try fewer vertices or frames at a time");
  } catch (const Json::exception& error) {
    // Only files that Sinew wrote itself are read without a check of every value.
    return Report(common.json, static_cast<int>(ErrorKind::kInput),
                  fmt::format("a file that Sinew wrote was changed since: {}; make it again", error.what()));
  } catch (const std::filesystem::filesystem_error& error) {
    // Paths that lead nowhere are found out by those who look whether a file is there.
    const bool bad_path = error.code() == std::errc::filename_too_long || error.code() == std::errc::not_a_directory ||
                          error.code() == std::errc::too_many_symbolic_link_levels;
    return Report(common.json, bad_path ? static_cast<int>(ErrorKind::kInput) : kFailed,
                  fmt::format("{}: {}", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    return Report(common.json, kFailed,
                  fmt::format("unexpected: {}; please report this with the command that caused it", error.what()));
  }
}

// Returns what is wrong with the name of a command; an empty text if nothing is. The parser would only say that a
// command is missing. path: "sinew", or the command that has others below it.
std::string RefusalOf(CLI::App& app, const std::string& path, const std::string& name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (std::any_of(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == name; })) {
    return "";
  }
  std::string names;
  for (const CLI::App* command : commands) names += (names.empty() ? "" : ", ") + command->get_name();
  return fmt::format("there is no command '{}'; run '{} --help' for those there are: {}", name, path, names);
}

// The same of the command that the words name, and of the one below it if that has some.
std::string RefusalOf(CLI::App& app, int argc, char** argv) {
  const auto is_word = [&](int i) { return argc > i && argv[i][0] != '-'; };
  if (!is_word(1)) return "";
  if (std::string refusal = RefusalOf(app, "sinew", argv[1]); !refusal.empty()) return refusal;
  CLI::App& command = *app.get_subcommand(argv[1]);
  if (command.get_subcommands([](const CLI::App*) { return true; }).empty() || !is_word(2)) return "";
  return RefusalOf(command, fmt::format("sinew {}", argv[1]), argv[2]);
}

// Whether errors of the call itself are to be an object, too.
bool AsksForJson(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  sinew::OpenClosedStreams();
  // A file that may not grow is an error with a sentence, as a full disk is, and not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  sinew::CatchInterrupts();
  CLI::App app{"Sinew turns a character into one that deforms well in real time at every level of detail."};
  app.name("sinew");
  app.set_version_flag("--version", std::string("sinew ") + SINEW_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0: done. 2: the call is wrong. 3: a file is bad, or does not fit another. 4: it could not be done,\n"
      "as on a full disk. With --json an error is an object, too: {\"error\": SENTENCE, \"code\": EXIT CODE}.");
  app.failure_message(CLI::FailureMessage::simple);
  sinew::cli::Commands commands(app);
  sinew::cli::AddAllCommands(commands);
  const bool json = sinew::cli::AsksForJson(argc, argv);
  if (const std::string refusal = sinew::cli::RefusalOf(app, argc, argv); !refusal.empty()) {
    return sinew::cli::Report(json, sinew::cli::kUsage, refusal);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    return sinew::cli::Report(json, sinew::cli::kUsage, error.what(),
                              "Run 'sinew --help', or 'sinew COMMAND --help' for one command.\n");
  }
  return sinew::cli::Execute(commands);
}
