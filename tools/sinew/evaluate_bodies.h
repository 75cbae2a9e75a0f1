// `sinew evaluate` of many bodies, and the options that it shares with that of one trained character.
#ifndef SINEW_TOOLS_SINEW_EVALUATE_BODIES_H_
#define SINEW_TOOLS_SINEW_EVALUATE_BODIES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "tools/sinew/command.h"

namespace sinew::cli {

// Which methods are measured.
struct MethodOptions {
  std::vector<std::string> names;   // as --methods spells them
  std::vector<std::string> shapes;  // [NAME=]PATH each
  std::vector<std::string> models;  // [NAME=]PATH each; for bodies only
  std::string field;                // a weight field, or a folder of them
};
void AddMethodOptions(CLI::App* app, MethodOptions& options);
// Throws UsageError if one of the names is there twice.
void RefuseRepeatedMethods(const std::vector<std::string>& names);

// A method that a file or folder gives: shapes of another program, or a network.
struct NamedFile {
  std::string name;
  std::filesystem::path path;
};
// Parses [NAME=]PATH; without a name it is the file's. option: its name in errors. Throws UsageError for a name that
// another method has.
std::vector<NamedFile> ParseNamedFiles(const std::string& option, const std::vector<std::string>& texts);

struct BodiesOptions {
  std::vector<std::string> training;  // [FAMILY=]DATASET or CORPUS each
  std::string side, unseen_family;    // of corpora; empty: as they are without these options
  std::string output;
  int steps = 1500;
  bool crossings = false;
};
void AddBodiesOptions(CLI::App* app, BodiesOptions& options);

// Whether the inputs are bodies, that is datasets and corpora. Throws UsageError if only some are, and InputError for
// an input that does not exist. with_truths: whether truths are named apart (--dataset); a single input that is no body
// is then a trained character, whether it exists or not.
bool AreBodies(const std::vector<std::string>& inputs, bool with_truths);

// report: page to write; empty: none.
Result EvaluateBodies(const std::vector<std::string>& inputs, const MethodOptions& methods,
                      const BodiesOptions& options, const std::string& report, const Common& common);

}  // namespace sinew::cli

#endif  // SINEW_TOOLS_SINEW_EVALUATE_BODIES_H_
