// What sites of characters and of soft objects have in common: the page's own files, places for data, and the manifest.
#ifndef SINEW_OFFLINE_VIEW_SITE_FILES_H_
#define SINEW_OFFLINE_VIEW_SITE_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/offline/core/json.h"
#include "sinew/offline/view/site.h"

namespace sinew::view {

inline constexpr const char* kSiteManifest = "site.json";
inline constexpr const char* kSiteEntry = "index.html";  // of every site
inline constexpr int kSiteVersion = 1;

// Adds the files of the built page, and its `entry` as the site's. Symbolic links are not followed: their targets are
// not part of the page. Files under data/, left there by an earlier use of the page, are not taken. Throws InputError
// if there is no such entry.
void AddPage(const std::filesystem::path& folder, const char* entry, Site& site);

// Returns a path under data/ that no file of the site has. shown: the name that people see.
std::string PlaceInSite(const Site& site, const std::string& shown, const std::string& extension);

void AddManifest(const Json& manifest, Site& site);

Bytes BytesOfText(std::string_view text);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_SITE_FILES_H_
