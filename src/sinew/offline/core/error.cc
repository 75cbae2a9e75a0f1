#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

std::string Sentence(const std::string& file, const std::string& place, const std::string& problem,
                     const std::string& remedy) {
  std::string sentence = file + ": ";
  if (!place.empty()) sentence += place + ": ";
  sentence += problem;
  if (!remedy.empty()) sentence += "; " + remedy;
  return sentence;
}

}  // namespace

InputError::InputError(const std::string& file, const std::string& place, const std::string& problem,
                       const std::string& remedy)
    : Error(ErrorKind::kInput, Sentence(file, place, problem, remedy)) {}

}  // namespace sinew
