// Waits for the user to end a program that would otherwise run for ever.
#ifndef SINEW_OFFLINE_VIEW_INTERRUPT_H_
#define SINEW_OFFLINE_VIEW_INTERRUPT_H_

namespace sinew::view {

// While an Interrupt exists, Ctrl-C (SIGINT) and SIGTERM end Wait() instead of the program. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Blocks until one of these signals has arrived.
  void Wait() const;
};

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_INTERRUPT_H_
