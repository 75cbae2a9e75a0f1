// The offline side's one error style: an exception whose message is one sentence, caught once, in the command line.
#ifndef SINEW_OFFLINE_CORE_ERROR_H_
#define SINEW_OFFLINE_CORE_ERROR_H_

#include <stdexcept>
#include <string>

namespace sinew {

// The exit codes of the command line, which are also what kinds of error there are.
enum class ErrorKind { kUsage = 2, kInput = 3, kFailed = 4 };

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// The call itself is wrong: an option that does not exist, a value out of range.
struct UsageError : Error {
  explicit UsageError(const std::string& sentence) : Error(ErrorKind::kUsage, sentence) {}
};

// A file is bad: "body.glb: accessor 3: claims 900 elements but holds 12; export the file again".
// place and remedy may be empty.
struct InputError : Error {
  InputError(const std::string& file, const std::string& place, const std::string& problem, const std::string& remedy);
};

// Everything was in order, and still it could not be done: disk full, no convergence, no OpenGL.
struct FailedError : Error {
  explicit FailedError(const std::string& sentence) : Error(ErrorKind::kFailed, sentence) {}
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_ERROR_H_
