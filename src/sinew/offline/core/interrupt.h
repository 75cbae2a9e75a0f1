// Message that the program prints when the user stops it by Ctrl-C (SIGINT) or SIGTERM.
//
// Every file is written whole or not at all (file.h), and long work keeps what is finished, so a program may end at any
// moment. The signal therefore ends it at once, without waiting for a frame that takes minutes; what is left to do is
// to say what is kept and how to go on.
#ifndef SINEW_OFFLINE_CORE_INTERRUPT_H_
#define SINEW_OFFLINE_CORE_INTERRUPT_H_

#include <string>

namespace sinew {

// From now on SIGINT and SIGTERM print a sentence to standard error and end the program with the code of the signal,
// 130 or 143. Without an OnInterrupt the sentence says that nothing half-done is left.
void CatchInterrupts();

// Sets the sentence for as long as it exists; then the one before it holds again. May be nested, on one thread.
class OnInterrupt {
 public:
  // sentence: what is kept, and how to go on; printed after "sinew: stopped: ".
  explicit OnInterrupt(const std::string& sentence);
  ~OnInterrupt();
  OnInterrupt(const OnInterrupt&) = delete;
  OnInterrupt& operator=(const OnInterrupt&) = delete;

 private:
  const std::string* before_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_INTERRUPT_H_
