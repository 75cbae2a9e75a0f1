#include "sinew/offline/contact/worm_bench.h"

#include <fmt/format.h>

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/folder_lock.h"

namespace sinew::contact {

BenchResult RunWormBench(const WormBenchOptions& options, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const FolderLock lock(folder);
  const PlaneObject worm = MakeWorm(options.worm);
  BenchScene scene{.object = &worm, .elements = worm.mesh.triangle_count(), .title = "Worm", .table = "table3"};
  scene.paper = {{{"sparse", 1}, 0.44}, {{"sparse", 3}, 0.43}, {{"sparse", 7}, 0.39},
                 {{"dense", 1}, 0.96},  {{"dense", 3}, 0.76},  {{"dense", 7}, 0.47}};
  scene.draw = [&](const SampleRef& ref, const std::vector<ContactPanel>& panels) {
    return DrawContact(worm, ref, panels);
  };
  scene.keep = [&](const ContactField& field, int states) {
    if (field.shape().width > static_cast<int>(dynamics::FieldTable::kMaxWidth)) return;
    WriteFileAtomic(folder / fmt::format("sparse_{}.dent", states), MakeDent(worm, field, {}).bytes());
  };
  return RunContactBench(scene, options, folder);
}

}  // namespace sinew::contact
