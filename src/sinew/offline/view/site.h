// Makes sites: the page that shows characters together with its data, as files that any web server can serve. Manual:
// docs/viewer.md.
#ifndef SINEW_OFFLINE_VIEW_SITE_H_
#define SINEW_OFFLINE_VIEW_SITE_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew::view {

// A character to show.
struct SiteBundle {
  std::filesystem::path file;
  std::string name = {};                             // empty: the file's name without extension
  std::vector<std::filesystem::path> datasets = {};  // its own ground truth; may be empty
  std::filesystem::path hierarchy = {};              // hierarchy that the bundle was made from; required with datasets
};

// Contents of a site.
struct SiteRequest {
  std::filesystem::path page = {};       // folder of the built page; empty: found by FindPage()
  std::vector<SiteBundle> bundles = {};  // at least one
  // Motions: .bvh and .glb files, copied as they are, and .poses folders of motions, converted to .bvh.
  std::vector<std::filesystem::path> motions = {};
  // Ground truth shown beside all bundles that it fits and that have none of their own; may be empty.
  std::vector<std::filesystem::path> datasets = {};
  std::filesystem::path hierarchy = {};    // hierarchy that these bundles were made from; required with datasets
  int truth_frames = kDefaultTruthFrames;  // largest number per character

  static constexpr int kDefaultTruthFrames = 120;
};

// Returns the bundle in a folder of `sinew build` under the folder's name, with the ground truth that it was evaluated
// on, the motion first. Throws InputError if the folder is no build, or has no bundle yet.
SiteBundle BundleOfBuild(const std::filesystem::path& folder);

// All files of a site by their path, as in a URL without the first slash: "data/body.sinew". They are held in memory,
// so that no request to a server can reach a file outside of the site.
struct Site {
  std::map<std::string, Bytes, std::less<>> files;

  // Returns the content of a file, or null if there is none.
  const Bytes* Find(std::string_view path) const;
};

// Makes a site: reads everything once and rejects what the page could not show. Throws InputError for files that are
// damaged or of another kind, and for ground truth that fits no bundle; UsageError if there is no page.
Site MakeSite(const SiteRequest& request);

// Writes a site as a folder, completely or not at all. An existing folder is replaced only if it is a site.
void ExportSite(const Site& site, const std::filesystem::path& folder);

// Returns the MIME type of a file by its extension. Browsers run WebAssembly only if it is application/wasm.
std::string_view ContentType(std::string_view path);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_SITE_H_
