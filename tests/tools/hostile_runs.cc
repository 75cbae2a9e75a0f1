#include "tests/tools/hostile_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <set>
#include <sstream>
#include <thread>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "tests/support/temporary_folder.h"

namespace sinew::testing {
namespace {

namespace fs = std::filesystem;

// Nothing that a terminal obeys, and nothing that a reader of UTF-8 stumbles over. JSON is for programs: it may hold C1
// controls.
bool IsPlainText(const std::string& text, bool json = false) {
  const bool controls = std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  });
  // C1 controls are two bytes in UTF-8, of which the first is 0xC2 and the second below 0xA0.
  bool more_controls = false;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    more_controls |= text[i] == '\xc2' && static_cast<unsigned char>(text[i + 1]) < 0xa0;
  }
  const bool utf8 = Json::accept("\"" + [&] {
    std::string quoted;
    for (const char c : text) quoted += c == '"' || c == '\\' || c == '\n' || c == '\t' ? '_' : c;
    return quoted;
  }() + "\"");
  return !controls && (json || !more_controls) && utf8;
}

// One line "sinew: ..." after any number of warnings.
std::string WhatIsWrongWithMessages(const std::string& errors, bool failed) {
  std::istringstream lines(errors);
  int sentences = 0, warnings = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("warning: ")) {
      ++warnings;
    } else if (failed && line.starts_with("sinew: ")) {
      ++sentences;
    } else {
      return "standard error has a line that is neither a warning nor the one sentence";
    }
    if (line.size() > 2000) return "a line of standard error is longer than anyone reads";
  }
  if (sentences != (failed ? 1 : 0)) return "standard error has not one sentence";
  if (warnings > 50) return fmt::format("{} warnings", warnings);
  return "";
}

std::string WhatIsWrongWithJson(const std::string& output, int code) {
  const Json json = Json::parse(output, nullptr, false);
  if (!json.is_object()) return "standard output is not one JSON object";
  if (code == 0) return "";
  if (json.value("code", 0) != code || !json.contains("error")) return "the JSON object does not tell the error";
  return "";
}

std::set<fs::path> FilesIn(const fs::path& folder) {
  std::set<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.insert(entry.path().filename());
  return files;
}

std::string Shown(const LimitedResult& result) {
  return fmt::format("exit code {}, signal {}\n{}\n{}", result.code, result.signal, result.output.substr(0, 600),
                     result.errors.substr(0, 3000));
}

std::string Joined(const Words& words) {
  std::string line = "sinew";
  for (const std::string& word : words) line += " " + word;
  return line;
}

// Files that a run added to those that were there before.
std::string WhatIsWrongWithFiles(const fs::path& folder, std::set<fs::path> before, const HostileRun& run,
                                 bool failed) {
  if (!failed) {
    for (const std::string& output : run.outputs) {
      if (!fs::exists(folder / output)) return fmt::format("{} was not written", output);
      before.insert(fs::path(output));
    }
  }
  for (const fs::path& file : FilesIn(folder)) {
    // Files from which an interrupted run goes on are no output.
    if (!before.contains(file) && failed) return fmt::format("{} was written all the same", file.string());
    if (!before.contains(file) && file.string().starts_with(".")) return fmt::format("{} was left", file.string());
  }
  return "";
}

// Our own files must be such that we read them.
std::string WhatIsWrongWithOutputs(const fs::path& folder, const HostileRun& run) {
  for (const std::string& output : run.outputs) {
    const std::string extension = LowerExtension(output);
    if (extension != ".glb" && extension != ".bvh" && extension != ".obj" && extension != ".poses") continue;
    const LimitedResult again = RunSinewWithin(folder, {"inspect", output, "--quiet", "--json"});
    const std::string wrong = WhatIsWrong(again, true);
    if (!wrong.empty() || again.code != 0)
      return fmt::format("{} cannot be inspected: {}\n{}", output, wrong, Shown(again));
  }
  return "";
}

void Keep(const HostileRun& run, size_t number) {
  const char* keep = std::getenv("SINEW_KEEP_HOSTILE");
  if (keep == nullptr) return;
  const fs::path folder = fs::path(keep) / fmt::format("{:06}", number);
  if (!run.beside.empty())
    fs::copy(run.beside, folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  fs::create_directories((folder / run.name).parent_path());
  WriteFileAtomic(folder / run.name, run.file.bytes);
  WriteFileAtomic(folder / "call", run.file.what + "\n" + Joined(run.words) + "\n");
}

// Everything that is wrong with one run, or nothing.
std::string RunOne(const HostileRun& run) {
  const TemporaryFolder folder;
  if (!run.beside.empty()) fs::copy(run.beside, folder.path(), fs::copy_options::recursive);
  fs::create_directories((folder / run.name).parent_path());
  WriteFileAtomic(folder / run.name, run.file.bytes);
  const std::set<fs::path> before = FilesIn(folder.path());
  Words words = run.words;
  words.insert(words.end(), {"--quiet", "--threads", "2"});
  const LimitedResult result = RunSinewWithin(folder.path(), words);
  const bool as_json = std::find(words.begin(), words.end(), "--json") != words.end(), failed = result.code != 0;
  std::string wrong = WhatIsWrong(result, as_json);
  if (wrong.empty()) wrong = WhatIsWrongWithFiles(folder.path(), before, run, failed);
  if (!wrong.empty()) return fmt::format("{}\n{}", wrong, Shown(result));
  return failed ? "" : WhatIsWrongWithOutputs(folder.path(), run);
}

}  // namespace

std::string WhatIsWrong(const LimitedResult& result, bool as_json) {
  if (result.timed_out) return "it did not end in its time";
  if (result.signal != 0) return "a signal ended it";
  if (result.code != 0 && result.code != 2 && result.code != 3 && result.code != 4) return "an exit code of no meaning";
  for (const char* word : {"Sanitizer", "runtime error:"}) {
    if (result.errors.find(word) != std::string::npos) return "a sanitizer has found something";
  }
  if (result.errors.find("sinew: unexpected:") != std::string::npos) return "an error that nobody expected";
  if (result.errors.find("not enough memory") != std::string::npos) return "a small file took all memory";
  if (!IsPlainText(result.errors)) return "standard error is no plain text";
  if (!IsPlainText(result.output, as_json)) return "standard output is no plain text";
  const std::string wrong = WhatIsWrongWithMessages(result.errors, result.code != 0);
  if (!wrong.empty()) return wrong;
  if (as_json) return WhatIsWrongWithJson(result.output, result.code);
  if (result.code != 0 && !result.output.empty()) return "an error has something on standard output";
  return "";
}

void RunHostile(const std::vector<HostileRun>& runs) {
  std::vector<std::string> wrong(runs.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < runs.size(); i = next++) wrong[i] = RunOne(runs[i]);
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 1u, 8u); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  for (size_t i = 0; i < runs.size(); ++i) {
    if (wrong[i].empty()) continue;
    ADD_FAILURE() << runs[i].file.what << "\n" << Joined(runs[i].words) << "\n" << wrong[i];
    Keep(runs[i], i);
  }
}

}  // namespace sinew::testing
