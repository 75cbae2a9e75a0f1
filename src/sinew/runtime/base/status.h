// Status codes that runtime calls return. Codes only: the runtime formats no strings and throws nothing.
#ifndef SINEW_RUNTIME_BASE_STATUS_H_
#define SINEW_RUNTIME_BASE_STATUS_H_

namespace sinew::runtime {

enum class Status {
  kOk = 0,
  kInvalidArgument,    // a span is too short, a count is out of range, a required span is empty
  kInsufficientSpace,  // scratch or output memory is smaller than the query function (such as ScratchBytes()) asked for
  kUnsupported         // a file was made by a newer version
};

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
