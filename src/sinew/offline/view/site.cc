#include "sinew/offline/view/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/program_file.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/view/find_page.h"
#include "sinew/offline/view/make_truth.h"
#include "sinew/offline/view/site_files.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
constexpr float kSampleRate = 30;  // frames per second at which animations are read, only to check that they can be

struct TypeOfExtension {
  std::string_view extension, type;
};
constexpr std::array kTypes = {TypeOfExtension{".html", "text/html; charset=utf-8"},
                               TypeOfExtension{".js", "text/javascript; charset=utf-8"},
                               TypeOfExtension{".mjs", "text/javascript; charset=utf-8"},
                               TypeOfExtension{".css", "text/css; charset=utf-8"},
                               TypeOfExtension{".json", "application/json"},
                               TypeOfExtension{".map", "application/json"},
                               TypeOfExtension{".wasm", "application/wasm"},
                               TypeOfExtension{".svg", "image/svg+xml"},
                               TypeOfExtension{".png", "image/png"},
                               TypeOfExtension{".jpg", "image/jpeg"},
                               TypeOfExtension{".webp", "image/webp"},
                               TypeOfExtension{".ico", "image/x-icon"},
                               TypeOfExtension{".woff2", "font/woff2"},
                               TypeOfExtension{".txt", "text/plain; charset=utf-8"},
                               TypeOfExtension{".bvh", "text/plain; charset=utf-8"},
                               TypeOfExtension{".glb", "model/gltf-binary"}};

class SiteMaker {
 public:
  explicit SiteMaker(const SiteRequest& request) : request_(request) {}

  Site Make() {
    // Inputs that are quick to reject come before those that take long.
    for (const SiteBundle& bundle : request_.bundles) AddBundle(bundle);
    for (const fs::path& motion : request_.motions) AddMotion(motion);
    AddPage(FindPage(request_.page, ProgramFile()), kSiteEntry, site_);
    for (size_t c = 0; c < shapes_.size(); ++c) {
      if (!request_.bundles[c].datasets.empty()) {
        AddTruth(request_.bundles[c].datasets, request_.bundles[c].hierarchy, {c});
      }
    }
    if (!request_.datasets.empty()) AddSharedTruth();
    const Json manifest = {{"version", kSiteVersion}, {"characters", characters_}, {"motions", motions_}};
    AddManifest(manifest, site_);
    return std::move(site_);
  }

 private:
  // Properties in which a bundle and its ground truth must agree.
  struct Shape {
    std::vector<std::string> joints;
    std::vector<int> vertices;

    bool operator==(const Shape&) const = default;
  };

  void AddBundle(const SiteBundle& bundle) {
    const bundle::LoadedBundle loaded = bundle::ReadBundle(bundle.file);
    Shape shape;
    shape.joints = JointNames(bundle::SkeletonOf(loaded.bundle));
    for (int i = 1; i <= loaded.bundle.level_count(); ++i) {
      shape.vertices.push_back(loaded.bundle.level(i).vertex_count);
    }
    shapes_.push_back(std::move(shape));
    const std::string name = NameOf(bundle), path = PlaceInSite(site_, name, ".sinew");
    site_.files[path] = Bytes(loaded.file.bytes().begin(), loaded.file.bytes().end());
    characters_.push_back({{"name", name}, {"bundle", path}});
  }

  void AddMotion(const fs::path& file) {
    const std::string name = file.stem().string(), extension = LowerExtension(file);
    const std::vector<Clip> clips = ReadClips(file.string(), kSampleRate);
    std::string path;
    if (IsPoseFile(file) && clips[0].motion.frames_per_second > 0) {
      path = PlaceInSite(site_, name, ".bvh");
      site_.files[path] = BytesOfText(FormatBvh(clips[0]));
    } else if (extension == ".bvh" || extension == ".glb") {
      path = PlaceInSite(site_, name, extension);
      site_.files[path] = ReadFile(file);
    } else {
      throw InputError(file.string(), "", "is not a motion that the page can read",
                       "give a .bvh, a .glb, or a .poses folder whose poses belong to a time");
    }
    motions_.push_back({{"name", name}, {"file", path}});
  }

  // Adds the shared ground truth to all characters that it fits and that have none of their own.
  void AddSharedTruth() {
    if (request_.hierarchy.empty()) {
      throw UsageError("--dataset needs --hierarchy, the levels that the bundle was made of, to coarsen truths");
    }
    std::vector<size_t> without;
    for (size_t c = 0; c < shapes_.size(); ++c) {
      if (request_.bundles[c].datasets.empty()) without.push_back(c);
    }
    AddTruth(request_.datasets, request_.hierarchy, without);
  }

  // Adds ground truth to those of the characters that it fits; throws if it fits none.
  void AddTruth(const std::vector<fs::path>& folders, const fs::path& levels, const std::vector<size_t>& characters) {
    const lod::Hierarchy hierarchy = lod::ReadHierarchy(levels);
    std::vector<dataset::Dataset> datasets;
    datasets.reserve(folders.size());
    for (const fs::path& folder : folders) datasets.emplace_back(folder);
    Shape shape;
    shape.joints = JointNames(hierarchy.levels.back().character.skeleton);
    for (const lod::Level& level : hierarchy.levels) shape.vertices.push_back(level.vertex_count());
    std::string path;
    for (const size_t c : characters) {
      if (shapes_[c] != shape) continue;
      if (path.empty()) {
        path = PlaceInSite(site_, NameOf(request_.bundles[c]), ".truth");
        site_.files[path] = MakeTruth(datasets, hierarchy, request_.truth_frames);
      }
      characters_[c]["truth"] = path;
    }
    if (path.empty()) {
      throw InputError(levels.string(), "levels", "are not those of any bundle that is shown",
                       "give the hierarchy that the bundle was made of");
    }
  }

  static std::string NameOf(const SiteBundle& bundle) {
    return bundle.name.empty() ? bundle.file.stem().string() : bundle.name;
  }

  const SiteRequest& request_;
  Site site_;
  std::vector<Shape> shapes_;  // one per bundle
  Json characters_ = Json::array(), motions_ = Json::array();
};

}  // namespace

const Bytes* Site::Find(std::string_view path) const {
  const auto found = files.find(path);
  return found == files.end() ? nullptr : &found->second;
}

SiteBundle BundleOfBuild(const fs::path& folder) {
  SiteBundle bundle{.file = folder / pipeline::kBundle};
  if (!fs::is_regular_file(bundle.file)) {
    throw InputError(folder.string(), "", fmt::format("is a folder without {}", pipeline::kBundle),
                     "name a bundle (.sinew), or a folder in which `sinew build` has come to the end");
  }
  const fs::path whole = fs::weakly_canonical(folder);
  bundle.name = (whole.has_filename() ? whole : whole.parent_path()).stem().string();
  for (const char* truths : {pipeline::kMotionTruths, pipeline::kTestTruths}) {
    if (dataset::IsDataset(folder / truths)) bundle.datasets.push_back(folder / truths);
  }
  bundle.hierarchy = folder / pipeline::kLevels;
  if (!lod::IsHierarchy(bundle.hierarchy)) bundle.datasets.clear();
  return bundle;
}

Site MakeSite(const SiteRequest& request) { return SiteMaker(request).Make(); }

void ExportSite(const Site& site, const fs::path& folder) {
  const auto is_site = [](const fs::path& target) {
    return fs::is_regular_file(target / kSiteManifest) && fs::is_regular_file(target / kSiteEntry);
  };
  WriteFolderAtomic(folder, is_site, [&](const fs::path& temporary) {
    for (const auto& [path, bytes] : site.files) {
      fs::create_directories((temporary / path).parent_path());
      WriteFileAtomic(temporary / path, bytes);
    }
  });
}

std::string_view ContentType(std::string_view path) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const TypeOfExtension& type) { return path.ends_with(type.extension); });
  return found == kTypes.end() ? "application/octet-stream" : found->type;
}

}  // namespace sinew::view
