// The error of a file or folder that cannot be written. It is of a type of its own, so that advice about the work at
// hand is not given where the disk is full.
#ifndef SINEW_OFFLINE_CORE_WRITE_ERROR_H_
#define SINEW_OFFLINE_CORE_WRITE_ERROR_H_

#include <string>

#include "sinew/offline/core/error.h"

namespace sinew {

// "out/body.glb: cannot be written: the disk is full (No space left on device)".
class WriteError : public FailedError {
 public:
  // code: what errno says.
  WriteError(const std::string& file, int code);

  const std::string& file() const { return file_; }
  int code() const { return code_; }

 private:
  std::string file_;
  int code_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_WRITE_ERROR_H_
