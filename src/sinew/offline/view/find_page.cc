#include "sinew/offline/view/find_page.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"

namespace sinew::view {

namespace fs = std::filesystem;

fs::path FindPage(const fs::path& asked, const fs::path& program) {
  const auto is_page = [](const fs::path& folder) {
    std::error_code none;
    return fs::is_regular_file(folder / "index.html", none);
  };
  if (!asked.empty()) {
    if (is_page(asked)) return asked;
    throw UsageError(
        fmt::format("--page {}: has no index.html; build the page with scripts/viewer, and name the folder that it "
                    "writes",
                    asked.string()));
  }
  const fs::path bin = program.parent_path();
  // Installed: PREFIX/bin/sinew. Built: build/release/bin/sinew.
  for (const fs::path& folder :
       {bin.parent_path() / "share" / "sinew" / "viewer", bin.parent_path().parent_path() / "viewer"}) {
    if (is_page(folder)) return folder;
  }
  throw UsageError("the page that shows characters is not built: run scripts/viewer, or name a built one with --page");
}

}  // namespace sinew::view
