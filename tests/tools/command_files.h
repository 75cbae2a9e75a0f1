// What tests of the command line share: calls of the program, what its answers must look like, and small files of every
// kind that examples in its help name.
#ifndef SINEW_TESTS_TOOLS_COMMAND_FILES_H_
#define SINEW_TESTS_TOOLS_COMMAND_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace sinew::testing {

using Words = std::vector<std::string>;

ProgramResult Sinew(const Words& arguments, const std::filesystem::path& folder = "/");

Words SplitWords(const std::string& line);
// The words of a command and more.
Words With(const std::string& command, const Words& more);

// The result, and nothing else, is on standard output.
void ExpectOneJsonObject(const std::string& out);
// "sinew: ..." and one sentence, on standard error.
void ExpectOneSentence(const std::string& err);

bool IsOutputOption(const std::string& word);
// Which of an example's words name files that must be there before: FILE, or what follows the "=" of NAME=FILE.
Words InputFiles(const Words& words);

// Writes a small file of the kind that its extension says, which some names make special.
void MakeInput(const std::filesystem::path& path);
void MakeBundle(const std::filesystem::path& path);
void MakeDataset(const std::filesystem::path& path);

// Returns an example's words with options that make it fast: examples show what looks good; for a test small is enough.
Words MadeSmall(Words words);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_TOOLS_COMMAND_FILES_H_
