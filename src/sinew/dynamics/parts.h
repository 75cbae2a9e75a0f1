// Hands out parts of one block of memory, so that a simulation's arrays lie in the scratch that it was given.
#ifndef SINEW_DYNAMICS_PARTS_H_
#define SINEW_DYNAMICS_PARTS_H_

#include <cstddef>

namespace sinew::dynamics {

// Each part begins at a multiple of 64. With null as base it only counts.
class Parts {
 public:
  explicit Parts(std::byte* base) : base_(base) {}
  template <typename T>
  void Take(size_t count, T** part) {
    if (base_ != nullptr) *part = reinterpret_cast<T*>(base_ + bytes_);
    bytes_ += (count * sizeof(T) + 63) / 64 * 64;
  }
  size_t bytes() const { return bytes_; }

 private:
  std::byte* base_;
  size_t bytes_ = 0;
};

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_PARTS_H_
