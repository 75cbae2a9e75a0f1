// Where the built page is.
#ifndef SINEW_OFFLINE_VIEW_FIND_PAGE_H_
#define SINEW_OFFLINE_VIEW_FIND_PAGE_H_

#include <filesystem>

namespace sinew::view {

// The folder that is asked for, if it is not empty; else what lies beside an installed program
// (PREFIX/share/sinew/viewer) or a built one (build/viewer). program: the running program's file. Throws UsageError
// where there is no page, which says how to make one.
std::filesystem::path FindPage(const std::filesystem::path& asked, const std::filesystem::path& program);

// The running program's file.
std::filesystem::path ProgramFile();

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_FIND_PAGE_H_
