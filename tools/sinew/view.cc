#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/scenes/load_scene.h"
#include "sinew/offline/view/interrupt.h"
#include "sinew/offline/view/server.h"
#include "sinew/offline/view/site.h"
#include "sinew/offline/view/soft_site.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> shown, motions, datasets, fields;
  std::string hierarchy, page, folder;
  int port = 0, triangles = view::SoftSiteRequest().triangles;
  int truth_frames = view::SiteRequest::kDefaultTruthFrames;
};

view::SiteRequest RequestOf(const Options& options) {
  view::SiteRequest request{.page = options.page,
                            .bundles = {},
                            .motions = {options.motions.begin(), options.motions.end()},
                            .datasets = {options.datasets.begin(), options.datasets.end()},
                            .hierarchy = options.hierarchy,
                            .truth_frames = options.truth_frames};
  for (const std::string& character : options.shown) {
    const bool folder = fs::is_directory(character);
    request.bundles.push_back(folder ? view::BundleOfBuild(character) : view::SiteBundle{.file = character});
  }
  return request;
}

// A folder or a file goes before an embedded scene of the same name.
bool IsSoft(const std::string& name) {
  return scenes::IsScene(name) && (fs::path(name).has_extension() || !fs::exists(name));
}

view::Site SiteOf(const Options& options) {
  const auto soft = std::count_if(options.shown.begin(), options.shown.end(), IsSoft);
  if (soft == 0) {
    if (!options.fields.empty()) throw UsageError("--field is for soft objects; characters have theirs in the bundle");
    return view::MakeSite(RequestOf(options));
  }
  if (soft < static_cast<std::ptrdiff_t>(options.shown.size())) {
    throw UsageError("a page shows characters or soft objects; show them one after the other");
  }
  if (!options.motions.empty() || !options.datasets.empty() || !options.hierarchy.empty()) {
    throw UsageError("--motion, --dataset and --hierarchy are for characters, and soft objects have none");
  }
  return view::MakeSoftSite({.page = options.page,
                             .scenes = options.shown,
                             .fields = {options.fields.begin(), options.fields.end()},
                             .triangles = options.triangles});
}

size_t BytesOf(const view::Site& site) {
  size_t bytes = 0;
  for (const auto& [path, file] : site.files) bytes += file.size();
  return bytes;
}

Result Export(const view::Site& site, const std::string& folder) {
  view::ExportSite(site, folder);
  return {{{"folder", folder}, {"files", site.files.size()}, {"bytes", BytesOf(site)}},
          fmt::format("wrote {}: {} files, {:.1f} MB, for any web server\n", folder, site.files.size(),
                      static_cast<double>(BytesOf(site)) * 1e-6)};
}

// Alive from the moment that the address is shown until Ctrl-C.
struct Serving {
  Serving(view::Site made, int port) : site(std::move(made)), server(site, port) {}
  const view::Site site;
  const view::Interrupt interrupt;
  const view::SiteServer server;
};

Result Run(const Options& options) {
  view::Site site = SiteOf(options);
  if (!options.folder.empty()) return Export(site, options.folder);
  const auto serving = std::make_shared<Serving>(std::move(site), options.port);
  const std::string address = serving->server.address();
  return {{{"address", address}, {"port", serving->server.port()}},
          fmt::format("open {} in a browser; Ctrl-C ends it\n", address),
          [serving] { serving->interrupt.Wait(); }};
}

}  // namespace

void AddViewCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "view",
      "Show baked characters on a page in the browser, which runs the runtime itself: play, compare with skinning and\n"
      "truth, change levels. Or simulate soft objects there, which the mouse pokes and pulls. Serves to this machine "
      "only,\n"
      "until Ctrl-C; --export writes the page as files instead.",
      "sinew view body.sinew --motion walk.bvh\n"
      "  sinew view body.sinew --dataset test.dataset --hierarchy body.lod\n"
      "  sinew view jelly",
      [options](const Common&) { return Run(*options); });
  command
      ->add_option("WHAT", options->shown,
                   "Baked characters (.sinew), or folders of `sinew build`; or soft objects: objects (.soft), scripts "
                   "(.json), and\nthe embedded scenes worm, jelly, ring and floater")
      ->required();
  command->add_option("--motion", options->motions, "Motions to play (.bvh, .glb, .poses); may be given several times")
      ->allow_extra_args(false);
  command
      ->add_option("--dataset", options->datasets,
                   "True shapes to compare with, at every level; may be given several times. Needs --hierarchy")
      ->allow_extra_args(false);
  command->add_option("--hierarchy", options->hierarchy,
                      "The hierarchy or deformer that the character was made of, which can coarsen truths");
  command->add_option("--truth-frames", options->truth_frames, "So many frames a character at most, motions first")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--field", options->fields,
                   "Learned contact of the soft objects (.dent): acts on colliders of its shape; may be given several "
                   "times")
      ->allow_extra_args(false);
  command->add_option("--triangles", options->triangles, "Triangles of an embedded soft object, about")
      ->check(CLI::Range(200, 200000))
      ->capture_default_str();
  command
      ->add_option("--port", options->port,
                   fmt::format("Of 127.0.0.1; without it the first free one from {} on", view::SiteServer::kFirstPort))
      ->check(CLI::Range(1, 65535));
  command->add_option("--page", options->page,
                      "The built page; without it the installed one, or what scripts/viewer built");
  command->add_option("--export", options->folder,
                      "Write the page with what it shows into this folder instead, for any web server");
}

}  // namespace sinew::cli
