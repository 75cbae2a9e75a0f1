#include <fmt/format.h>

#include <memory>

#include "sinew/offline/view/interrupt.h"
#include "sinew/offline/view/server.h"
#include "sinew/offline/view/site.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::vector<std::string> characters, motions, datasets;
  std::string hierarchy, page, folder;
  int port = 0;
  int truth_frames = view::SiteRequest::kDefaultTruthFrames;
};

view::SiteRequest RequestOf(const Options& options) {
  view::SiteRequest request{.page = options.page,
                            .bundles = {},
                            .motions = {options.motions.begin(), options.motions.end()},
                            .datasets = {options.datasets.begin(), options.datasets.end()},
                            .hierarchy = options.hierarchy,
                            .truth_frames = options.truth_frames};
  for (const std::string& character : options.characters) {
    const bool folder = std::filesystem::is_directory(character);
    request.bundles.push_back(folder ? view::BundleOfBuild(character) : view::SiteBundle{.file = character});
  }
  return request;
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
  view::Site site = view::MakeSite(RequestOf(options));
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
      "truth, change levels. Serves to this machine only, until Ctrl-C; --export writes the page as files instead.",
      "sinew view body.sinew --motion walk.bvh\n"
      "  sinew view body.sinew --dataset test.dataset --hierarchy body.lod",
      [options](const Common&) { return Run(*options); });
  command->add_option("CHARACTER", options->characters, "Baked characters (.sinew), or folders of `sinew build`")
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
      ->add_option("--port", options->port,
                   fmt::format("Of 127.0.0.1; without it the first free one from {} on", view::SiteServer::kFirstPort))
      ->check(CLI::Range(1, 65535));
  command->add_option("--page", options->page,
                      "The built page; without it the installed one, or what scripts/viewer built");
  command->add_option("--export", options->folder,
                      "Write the page with its characters into this folder instead, for any web server");
}

}  // namespace sinew::cli
