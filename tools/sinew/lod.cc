#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/lod/hierarchy_measures.h"
#include "sinew/offline/lod/shown_regions.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/render/picture.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string character;
  std::string output;
  int levels = 4;
  double ratio = 0.25;
  std::vector<int> vertices;
  int regions = 100;
  std::string small_islands = "keep";
  double joint_density = lod::HierarchyOptions::kDefaultJointDensity;
  int poses = 32;
  int fit_poses = 16;
  bool no_pictures = false;
};

lod::HierarchyOptions ToHierarchyOptions(const Options& options, int finest_points) {
  lod::HierarchyOptions out;
  out.points =
      options.vertices.empty() ? lod::PointsByRatio(finest_points, options.levels, options.ratio) : options.vertices;
  std::sort(out.points.rbegin(), out.points.rend());
  if (!out.points.empty() && out.points.front() == finest_points) out.points.erase(out.points.begin());
  // Asked for by default, the regions of a small mesh are as many as its coarsest level allows.
  out.regions = out.points.empty() ? options.regions : std::min(options.regions, out.points.back());
  out.drop_small_islands = options.small_islands == "drop";
  out.joint_density = options.joint_density;
  return out;
}

std::vector<Pose> PosesInLimits(const Character& character, const Options& options, int count, uint64_t seed) {
  if (count == 0) return {};
  return poses::SamplePoses(Articulation(character.skeleton), FindLimits(character, options.character),
                            {.count = count, .seed = seed});
}

// psi_i^k at the level's vertices.
std::vector<float> BasisValues(const lod::Hierarchy& hierarchy, int i, int k) {
  const Eigen::SparseMatrix<double> psi = lod::BasisFunctions(hierarchy, i);
  const Eigen::VectorXd column = psi.col(k);
  std::vector<float> values;
  for (const int point : hierarchy.level(i).point_of_vertex) values.push_back(static_cast<float>(column[point]));
  return values;
}

void WritePicture(const std::vector<render::PictureInput>& inputs, render::PictureOptions options,
                  const std::filesystem::path& path) {
  options.sheet.common_scale = true;
  WriteFileAtomic(path, render::MakePicture(inputs, options).file);
}

void WritePictures(const lod::Hierarchy& hierarchy, const std::filesystem::path& folder) {
  const int r = hierarchy.level_count();
  const auto show = [&](int i) {
    return render::PictureInput{.character = &hierarchy.level(i).character,
                                .label = fmt::format("level {}: {} vertices", i, hierarchy.level(i).vertex_count()),
                                .poses = {hierarchy.level(i).character.skeleton.RestPose()}};
  };
  std::vector<render::PictureInput> levels, over_levels, on_finest;
  const render::View view = render::ParseView("three-quarter");
  const std::vector<int> regions = lod::ShownRegions(hierarchy, render::ToViewer(view).cast<double>(), 5);
  for (int i = 1; i <= r; ++i) {
    levels.push_back(show(i));
    over_levels.push_back(show(i));
    over_levels.back().heat = {BasisValues(hierarchy, i, regions[0])};
  }
  for (const int k : regions) {
    on_finest.push_back(show(r));
    on_finest.back().label = fmt::format("region {}", k);
    on_finest.back().heat = {BasisValues(hierarchy, r, k)};
  }
  render::PictureOptions options;
  options.views = {view};
  options.sheet.style.wireframe = true;
  options.sheet.style.smooth = false;
  WritePicture(levels, options, folder / "levels.png");
  options.sheet.style = {};
  options.heat_scale = render::HeatScale{0, 1, render::ColorMap::kSequential};
  options.heat_title = "basis function";
  WritePicture(over_levels, options, folder / "basis_levels.png");
  WritePicture(on_finest, options, folder / "basis.png");
}

Json ToJson(const std::vector<lod::LevelMeasures>& measures, const lod::HierarchyNotes& notes) {
  Json levels = Json::array();
  for (size_t i = 0; i < measures.size(); ++i) {
    const lod::LevelMeasures& m = measures[i];
    levels.push_back({{"level", i + 1},
                      {"file", fmt::format("level_{}.glb", i + 1)},
                      {"points", m.points},
                      {"asked", notes.levels[i].asked},
                      {"vertices", m.vertices},
                      {"triangles", m.triangles},
                      {"dropped_islands", notes.levels[i].dropped_islands},
                      {"worst_angle_degrees", m.worst_angle * 180 / std::numbers::pi},
                      {"geometric_error", {{"rms", m.geometric.rms}, {"max", m.geometric.max}}},
                      {"skinning_error", {{"rms", m.skinning.rms}, {"max", m.skinning.max}}}});
  }
  return levels;
}

std::string Table(const std::vector<lod::LevelMeasures>& measures, double height) {
  std::string text = fmt::format("{:>5} {:>9} {:>9} {:>10} {:>11} {:>19} {:>19}\n", "level", "points", "vertices",
                                 "triangles", "worst angle", "geometric error", "skinning error");
  const auto percent = [&](const SurfaceDistance& d) {
    return fmt::format("{:.4f}% ({:.3f}%)", 100 * d.rms / height, 100 * d.max / height);
  };
  for (size_t i = 0; i < measures.size(); ++i) {
    const lod::LevelMeasures& m = measures[i];
    text += fmt::format("{:>5} {:>9} {:>9} {:>10} {:>10.1f}° {:>19} {:>19}\n", i + 1, m.points, m.vertices, m.triangles,
                        m.worst_angle * 180 / std::numbers::pi, percent(m.geometric), percent(m.skinning));
  }
  return text +
         "errors: root mean square (largest) distance to the finest level, of the bounding box's diagonal; "
         "skinning: in sampled poses\n";
}

Result Run(const Options& options, uint64_t seed) {
  const Character character = ReadCharacter(options.character);
  const int finest = lod::CountPoints(character, options.character);
  lod::HierarchyOptions hierarchy_options = ToHierarchyOptions(options, finest);
  // Weights are fitted in other poses than those that they are judged in.
  hierarchy_options.fit_poses = PosesInLimits(character, options, options.fit_poses, seed + 1);
  lod::HierarchyNotes notes;
  const lod::Hierarchy hierarchy = lod::BuildHierarchy(character, options.character, hierarchy_options, &notes);
  for (const lod::LeftOutLevel& level : notes.left_out) LogWarning(lod::Sentence(level));
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    const lod::LevelNotes& note = notes.levels[i - 1];
    if (note.reached > note.asked) {
      Warn("level {} has {} points where {} were asked for: islands, seams and topology allow no fewer", i,
           note.reached, note.asked);
    }
    if (note.dropped_islands > 0) Warn("level {} leaves out {} small islands", i, note.dropped_islands);
  }
  if (notes.regions.reached > notes.regions.asked) {
    Warn("{} regions where {} were asked for: the topology allows no fewer", notes.regions.reached,
         notes.regions.asked);
  }
  const std::vector<lod::LevelMeasures> measures =
      lod::MeasureHierarchy(hierarchy, PosesInLimits(character, options, options.poses, seed));
  const double diagonal =
      BoundingBox(lod::WholeMesh(character, character.skeleton.RestPose()).positions).diagonal().cast<double>().norm();
  Result result;
  result.json = {{"folder", options.output},
                 {"operators", "operators.bin"},
                 {"regions", hierarchy.region_count()},
                 {"joined_islands", notes.joined_islands},
                 {"diagonal", diagonal},
                 {"poses", options.poses},
                 {"levels", ToJson(measures, notes)}};
  for (const lod::LeftOutLevel& level : notes.left_out) result.json["left_out"].push_back(lod::Sentence(level));
  lod::WriteHierarchy(options.output, hierarchy, [&](const std::filesystem::path& folder) {
    if (!options.no_pictures) WritePictures(hierarchy, folder);
    WriteFileAtomic(folder / "levels.json", JsonText(result.json, 2) + "\n");
  });
  result.text = Table(measures, diagonal) + fmt::format("{} regions", hierarchy.region_count());
  if (notes.joined_islands > 0) {
    result.text +=
        fmt::format("; {} islands too small for their own follow the nearest large one", notes.joined_islands);
  }
  result.text += fmt::format("\nwrote {}: level_1.glb (coarsest) to level_{}.glb, operators.bin, levels.json{}\n",
                             options.output, hierarchy.level_count(), options.no_pictures ? "" : ", pictures");
  return result;
}

}  // namespace

void AddLodCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      commands.Add("lod", "Make levels of detail whose skinning keeps working, and the operators between them",
                   "sinew lod body.glb -o body.lod --levels 4 --ratio 0.25",
                   [options](const Common& common) { return Run(*options, common.seed); });
  command->add_option("CHARACTER", options->character, "A rigged character (.glb, .gltf)")->required();
  command->add_option("-o,--output", options->output, "The folder to write; an older hierarchy there is replaced")
      ->required();
  CLI::Option* levels = command->add_option("--levels", options->levels, "How many levels, the finest as given")
                            ->check(CLI::Range(1, 12))
                            ->capture_default_str();
  CLI::Option* ratio = command->add_option("--ratio", options->ratio, "Points of a level against the next finer one")
                           ->check(CLI::Range(0.01, 0.95))
                           ->capture_default_str();
  command
      ->add_option("--vertices", options->vertices,
                   "Instead of --levels and --ratio: the points of each level, such as 18000,4500,1100; the finest, as "
                   "given, may be left out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber)
      ->excludes(levels)
      ->excludes(ratio);
  command
      ->add_option("--regions", options->regions, "Points of level 0, whose basis functions the correctives are cut by")
      ->check(CLI::Range(4, 100'000))
      ->capture_default_str();
  command
      ->add_option("--small-islands", options->small_islands,
                   "keep them as a few triangles, or drop those smaller than a level's edges")
      ->check(CLI::IsMember({"keep", "drop"}))
      ->capture_default_str();
  command
      ->add_option("--joint-density", options->joint_density,
                   "How much denser the mesh stays where it bends: 0 not at all")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  command->add_option("--poses", options->poses, "Poses inside the joint limits that the skinning error is measured in")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  command
      ->add_option(
          "--fit-poses", options->fit_poses,
          "Other poses inside the limits, in which the levels' weights are fitted to the finest level; 0: none")
      ->check(CLI::Range(0, 1'000))
      ->capture_default_str();
  command->add_flag("--no-pictures", options->no_pictures, "Draw nothing");
}

}  // namespace sinew::cli
