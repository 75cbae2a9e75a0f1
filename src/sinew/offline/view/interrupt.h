// Waiting for the user to end a program that would go on for ever.
#ifndef SINEW_OFFLINE_VIEW_INTERRUPT_H_
#define SINEW_OFFLINE_VIEW_INTERRUPT_H_

namespace sinew::view {

// From its making on, Ctrl-C (SIGINT) and SIGTERM do not end the program but Wait(). One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Returns once one of them has come.
  void Wait() const;
};

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_INTERRUPT_H_
