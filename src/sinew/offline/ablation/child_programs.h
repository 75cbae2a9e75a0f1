// Programs that run beside this one and end with it.
#ifndef SINEW_OFFLINE_ABLATION_CHILD_PROGRAMS_H_
#define SINEW_OFFLINE_ABLATION_CHILD_PROGRAMS_H_

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sinew::ablation {

// Used by one thread, which must not end before the programs do: they get SIGTERM when it does.
class ChildPrograms {
 public:
  // program: file that is started each time.
  explicit ChildPrograms(std::filesystem::path program) : program_(std::move(program)) {}
  ~ChildPrograms() { End(); }
  ChildPrograms(const ChildPrograms&) = delete;
  ChildPrograms& operator=(const ChildPrograms&) = delete;

  // Starts the program with arguments that no shell takes apart. What it prints goes to `log`, which is replaced.
  // Returns its number, from 0 on. Throws WriteError if the log cannot be written and FailedError if there can be no
  // more programs.
  int Start(const std::vector<std::string>& words, const std::filesystem::path& log);

  struct Ended {
    int number = 0;
    int code = 0;  // exit code; 128 and the signal if one ended it
  };
  // Returns one that has ended, waiting for at most so many seconds; none if they pass, or at once if none runs.
  std::optional<Ended> Wait(double seconds);

  int running() const { return static_cast<int>(numbers_.size()); }
  // Ends all that still run with SIGTERM, and waits for them.
  void End();

 private:
  std::filesystem::path program_;
  std::map<pid_t, int> numbers_;
  int started_ = 0;
};

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_CHILD_PROGRAMS_H_
