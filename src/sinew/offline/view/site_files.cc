#include "sinew/offline/view/site_files.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
constexpr const char* kData = "data/";

// Replaces characters that do not mean the same in a URL and in every file system by '-'.
std::string UrlName(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    plain += kept ? c : '-';
  }
  return plain.empty() ? "unnamed" : plain.substr(0, 64);
}

}  // namespace

Bytes BytesOfText(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

std::string PlaceInSite(const Site& site, const std::string& shown, const std::string& extension) {
  const std::string name = UrlName(shown);
  std::string path = fmt::format("{}{}{}", kData, name, extension);
  for (int n = 2; site.files.contains(path); ++n) path = fmt::format("{}{}-{}{}", kData, name, n, extension);
  return path;
}

void AddPage(const fs::path& folder, const char* entry, Site& site) {
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
    if (file.symlink_status().type() != fs::file_type::regular) continue;
    const std::string path = file.path().lexically_relative(folder).generic_string();
    if (!path.starts_with(kData)) site.files[path] = ReadFile(file.path());
  }
  const Bytes* found = site.Find(entry);
  if (found == nullptr) {
    throw InputError(folder.string(), entry, "is not a file", "build the page with scripts/viewer");
  }
  site.files[kSiteEntry] = Bytes(*found);
}

void AddManifest(const Json& manifest, Site& site) {
  site.files[kSiteManifest] = BytesOfText(JsonText(manifest, 2) + "\n");
}

}  // namespace sinew::view
