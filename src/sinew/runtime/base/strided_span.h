// A view of elements at a constant distance in bytes: one attribute of an interleaved vertex buffer, or a packed array.
#ifndef SINEW_RUNTIME_BASE_STRIDED_SPAN_H_
#define SINEW_RUNTIME_BASE_STRIDED_SPAN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace sinew::runtime {

template <typename T>
class StridedSpan {
  using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;

 public:
  constexpr StridedSpan() = default;
  // data: first element, may be null if count is 0. stride: bytes from each element to the next.
  StridedSpan(T* data, size_t count, size_t stride = sizeof(T))
      : data_(reinterpret_cast<Byte*>(data)), count_(count), stride_(stride) {}
  // Views a packed array: anything that converts to std::span<T>, such as a vector.
  template <typename Packed>
  requires std::is_convertible_v<Packed&, std::span<T>> StridedSpan(Packed& packed)
      : StridedSpan(std::span<T>(packed)) {}
  StridedSpan(std::span<T> packed) : StridedSpan(packed.data(), packed.size()) {}
  StridedSpan(std::span<std::remove_const_t<T>> packed) requires std::is_const_v<T>
      : StridedSpan(packed.data(), packed.size()) {}
  operator StridedSpan<const T>() const { return {reinterpret_cast<const T*>(data_), count_, stride_}; }

  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  size_t stride() const { return stride_; }
  bool packed() const { return stride_ == sizeof(T); }
  T& operator[](size_t i) const { return *reinterpret_cast<T*>(data_ + i * stride_); }
  // Returns a pointer to the first float of element i.
  auto* floats(size_t i) const {
    using Float = std::conditional_t<std::is_const_v<T>, const float, float>;
    return reinterpret_cast<Float*>(data_ + i * stride_);
  }
  // Whether elements do not overlap and are aligned as floats are; true for an empty span.
  bool well_formed() const {
    return empty() || (data_ != nullptr && stride_ >= sizeof(T) && stride_ % alignof(float) == 0 &&
                       reinterpret_cast<uintptr_t>(data_) % alignof(float) == 0);
  }

 private:
  Byte* data_ = nullptr;
  size_t count_ = 0;
  size_t stride_ = sizeof(T);
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_STRIDED_SPAN_H_
