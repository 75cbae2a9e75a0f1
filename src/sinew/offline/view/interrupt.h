// Waits for the user to end a program that would otherwise run for ever.
#ifndef SINEW_OFFLINE_VIEW_INTERRUPT_H_
#define SINEW_OFFLINE_VIEW_INTERRUPT_H_

namespace sinew::view {

// While an Interrupt exists, Ctrl-C (SIGINT) and SIGTERM end Wait() instead of the program. Only one may exist at a
// time. Its destructor gives both signals back their default action, to end the program.
class Interrupt {
 public:
  // Throws FailedError if too many files are open.
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Blocks until one of these signals arrives; returns at once if one has already. Each signal ends one call.
  void Wait() const;
};

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_INTERRUPT_H_
