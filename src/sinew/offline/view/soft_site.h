// Makes sites of soft objects: the page that simulates them (docs/dynamics.md) with its data.
#ifndef SINEW_OFFLINE_VIEW_SOFT_SITE_H_
#define SINEW_OFFLINE_VIEW_SOFT_SITE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/view/site.h"

namespace sinew::view {

struct SoftSiteRequest {
  std::filesystem::path page = {};  // as in SiteRequest
  // Embedded scenes, scripts (.json) and objects (.soft), as scenes/load_scene.h takes them; at least one.
  std::vector<std::string> scenes = {};
  std::vector<std::filesystem::path> fields = {};  // learned contact (.dent), each for all objects that it fits
  int triangles = 2000;                            // of embedded objects, about
};

// Throws InputError for files that are damaged or of another kind; UsageError for a field that fits no object, an
// object that cannot be simulated, and if there is no page.
Site MakeSoftSite(const SoftSiteRequest& request);

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_SOFT_SITE_H_
