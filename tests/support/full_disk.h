// A disk that is full, for tests of what is written to it.
#ifndef SINEW_TESTS_SUPPORT_FULL_DISK_H_
#define SINEW_TESTS_SUPPORT_FULL_DISK_H_

#include <sys/resource.h>

#include <csignal>

namespace sinew::testing {

// While one exists, files end at `bytes`, in this process and in those that it starts: writing beyond fails.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    // Otherwise the limit is a signal that ends the process, and not an error.
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_ = {};
  void (*handler_)(int) = nullptr;
};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_FULL_DISK_H_
