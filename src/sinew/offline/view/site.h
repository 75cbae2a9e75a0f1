// A site: the page that shows characters, and what it shows, as files that any web server can serve. docs/viewer.md.
#ifndef SINEW_OFFLINE_VIEW_SITE_H_
#define SINEW_OFFLINE_VIEW_SITE_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew {

// What a site is made of.
struct SiteRequest {
  std::filesystem::path page = {};                   // the built page's folder; empty: it is looked for (find_page.h)
  std::vector<std::filesystem::path> bundles = {};   // one at least
  std::vector<std::filesystem::path> motions = {};   // .bvh and .glb, which go in as they are
  std::vector<std::filesystem::path> datasets = {};  // truths to show beside the bundles that they fit; may be empty
  std::filesystem::path hierarchy = {};              // that the bundles were made of; needed with datasets
  int truth_frames = kDefaultTruthFrames;            // of all datasets, at most

  static constexpr int kDefaultTruthFrames = 120;
};

// All files by their path in the site, as in a url without the first slash: "data/body.sinew". They are held in memory,
// so that whatever a server is asked for, nothing outside of a site can be found.
struct Site {
  std::map<std::string, Bytes, std::less<>> files;

  // Null if there is none.
  const Bytes* Find(std::string_view path) const;
};

// Reads everything once and refuses what the page could not show. Throws InputError for files that are damaged or are
// something else, and for truths that fit no bundle; UsageError where there is no page.
Site MakeSite(const SiteRequest& request);

// Writes a site as a folder, whole or not at all. Replaces an older site of that name, and nothing else.
void ExportSite(const Site& site, const std::filesystem::path& folder);

// By its path's extension, as a browser wants it: WebAssembly runs from nothing else than application/wasm.
std::string_view ContentType(std::string_view path);

}  // namespace sinew

#endif  // SINEW_OFFLINE_VIEW_SITE_H_
