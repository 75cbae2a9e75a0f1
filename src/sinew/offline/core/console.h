// Writing to standard output and standard error. No function here throws: a full disk behind `2> log`, or a stream that
// is closed, must not end hours of work.
#ifndef SINEW_OFFLINE_CORE_CONSOLE_H_
#define SINEW_OFFLINE_CORE_CONSOLE_H_

#include <string_view>

namespace sinew {

// Returns whether all of it was written, and reached the file or the other program.
bool WriteStandardOutput(std::string_view text) noexcept;

// Text that cannot be written is lost.
void WriteStandardError(std::string_view text) noexcept;

// Fills the place of standard streams that are closed (`2>&-`), which the next file to be opened would take: messages
// would be written into it. Call first in main(). Writing to a standard output that was closed still fails.
void OpenClosedStreams() noexcept;

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_CONSOLE_H_
