// Status codes that runtime calls return. Codes only: the runtime formats no strings and throws nothing.
#ifndef SINEW_RUNTIME_BASE_STATUS_H_
#define SINEW_RUNTIME_BASE_STATUS_H_

namespace sinew::runtime {

enum class Status {
  kOk = 0,
  // Wrong input: an input or output span is too short or a required one empty, a count or index is out of range, or a
  // table or bundle is misaligned, cut short, damaged or of another kind.
  kInvalidArgument,
  kInsufficientSpace,  // scratch memory is smaller than ScratchBytes() asked for
  kUnsupported         // a bundle was made by a newer version
};

// Returns a short name for messages.
constexpr const char* ToString(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kInvalidArgument:
      return "invalid argument";
    case Status::kInsufficientSpace:
      return "insufficient space";
    case Status::kUnsupported:
      return "made by a newer version";
  }
  return "unknown status";
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_STATUS_H_
