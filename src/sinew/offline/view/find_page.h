// Finds the folder of the built page that shows characters.
#ifndef SINEW_OFFLINE_VIEW_FIND_PAGE_H_
#define SINEW_OFFLINE_VIEW_FIND_PAGE_H_

#include <filesystem>

namespace sinew::view {

// Returns `asked` if it is not empty; otherwise the folder that belongs to an installed program
// (PREFIX/share/sinew/viewer) or to a built one (build/viewer). Throws UsageError if there is no page; the message says
// how to build one.
// program: path of the running program (core/program_file.h).
std::filesystem::path FindPage(const std::filesystem::path& asked, const std::filesystem::path& program);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_FIND_PAGE_H_
