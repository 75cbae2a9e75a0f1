#include "sinew/offline/view/soft_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/program_file.h"
#include "sinew/offline/scenes/load_scene.h"
#include "sinew/offline/scenes/run_scene.h"
#include "sinew/offline/view/find_page.h"
#include "sinew/offline/view/site_files.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
constexpr const char* kSoftEntry = "soft.html";

Bytes BytesOfBlock(const Block& block) { return {block.bytes().begin(), block.bytes().end()}; }

class SoftSiteMaker {
 public:
  explicit SoftSiteMaker(const SoftSiteRequest& request) : request_(request) {}

  Site Make() {
    for (const fs::path& field : request_.fields) fields_.push_back(contact::ReadDent(field));
    used_.resize(fields_.size());
    const fs::path page = FindPage(request_.page, ProgramFile());
    for (const std::string& name : request_.scenes) AddScene(name);
    for (size_t f = 0; f < fields_.size(); ++f) {
      if (used_[f]) continue;
      throw UsageError(fmt::format("{}: is a contact field of an object with other handles; train one for this object",
                                   request_.fields[f].string()));
    }
    AddPage(page, kSoftEntry, site_);
    AddManifest(
        {{"version", kSiteVersion}, {"characters", Json::array()}, {"motions", Json::array()}, {"objects", objects_}},
        site_);
    return std::move(site_);
  }

 private:
  void AddScene(const std::string& name) {
    scenes::LoadedScene loaded = scenes::LoadScene(name, {.triangles = request_.triangles});
    if (loaded.is_solid()) {
      throw UsageError(
          fmt::format("{}: is in space, and the page shows objects in the plane; `sinew dynamics` draws it", name));
    }
    const std::string shown = fs::path(name).stem().string();
    const std::string object = PlaceInSite(site_, shown, ".soft");
    site_.files[object] = BytesOfBlock(loaded.object.file);
    int width = 0;
    const Json fields = AddFields(name, loaded, width);
    scenes::CheckScene(loaded.scene, loaded.object, width);
    objects_.push_back({{"name", shown}, {"object", object}, {"fields", fields}});
    // An object alone falls on a floor, which the page does by itself.
    if (LowerExtension(fs::path(name)) == ".soft") return;
    const std::string script = PlaceInSite(site_, shown, ".json");
    // `sinew dynamics` can play it where it lies.
    loaded.scene.object = fs::path(object).filename().string();
    loaded.scene.field.clear();
    site_.files[script] = BytesOfText(scenes::FormatScene(loaded.scene));
    objects_.back()["script"] = script;
  }

  // Those that were given and fit the object, or else the script's own. width: becomes that of the widest.
  Json AddFields(const std::string& name, const scenes::LoadedScene& loaded, int& width) {
    Json list = Json::array();
    const auto add = [&](const contact::LoadedDent& field, const fs::path& file) {
      const std::string path = PlaceInSite(site_, file.stem().string(), ".dent");
      site_.files[path] = BytesOfBlock(field.file);
      list.push_back({{"name", file.filename().string()}, {"file", path}});
      width = std::max(width, field.table.width());
    };
    for (size_t f = 0; f < fields_.size(); ++f) {
      if (!fields_[f].table.Fits(loaded.object.table)) continue;
      used_[f] = true;
      add(fields_[f], request_.fields[f]);
    }
    if (!fields_.empty() || !loaded.field.table.is_open()) return list;
    if (!loaded.field.table.Fits(loaded.object.table)) {
      throw UsageError(fmt::format("{}: names a contact field of an object with other handles", name));
    }
    add(loaded.field, loaded.scene.field);
    return list;
  }

  const SoftSiteRequest& request_;
  Site site_;
  std::vector<contact::LoadedDent> fields_;
  std::vector<bool> used_;  // whether each of them fits an object
  Json objects_ = Json::array();
};

}  // namespace

Site MakeSoftSite(const SoftSiteRequest& request) { return SoftSiteMaker(request).Make(); }

}  // namespace sinew::view
