// A site: the page that shows characters, and what it shows, as files that any web server can serve. docs/viewer.md.
#ifndef SINEW_OFFLINE_VIEW_SITE_H_
#define SINEW_OFFLINE_VIEW_SITE_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew::view {

// A character that is shown.
struct SiteBundle {
  std::filesystem::path file;
  std::string name = {};                             // empty: the file's
  std::vector<std::filesystem::path> datasets = {};  // its own truths; may be empty
  std::filesystem::path hierarchy = {};              // that it was made of; needed with datasets
};

// What a site is made of.
struct SiteRequest {
  std::filesystem::path page = {};       // the built page's folder; empty: it is looked for (find_page.h)
  std::vector<SiteBundle> bundles = {};  // one at least
  // .bvh and .glb, which go in as they are; .poses folders of motions, which become .bvh.
  std::vector<std::filesystem::path> motions = {};
  // Truths to show beside all bundles that they fit and that have none of their own; may be empty.
  std::vector<std::filesystem::path> datasets = {};
  std::filesystem::path hierarchy = {};    // that these bundles were made of; needed with datasets
  int truth_frames = kDefaultTruthFrames;  // of a character, at most

  static constexpr int kDefaultTruthFrames = 120;
};

// What a folder of `sinew build` has to show, under the folder's name: its bundle, and the truths that it was judged
// by, a motion first. Throws InputError if the folder is none, or not so far yet.
SiteBundle BundleOfBuild(const std::filesystem::path& folder);

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

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_SITE_H_
