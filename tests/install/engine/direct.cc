// The runtime's C++ interface out of the installed package.
#include <cstdio>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/runtime/frame/evaluate.h"

int main(int argc, char** argv) {
  using namespace sinew;
  host::MappedFile file;
  runtime::Bundle bundle;
  if (argc != 2 || !file.Open(argv[1]) || runtime::Bundle::Open(file.bytes(), &bundle) != runtime::Status::kOk)
    return 1;
  std::vector<runtime::Float3> positions(bundle.level(1).vertex_count);
  std::vector<runtime::LevelOutput> levels(1);
  levels[0].positions = positions;
  std::vector<std::byte> scratch(runtime::ScratchBytes(bundle, 1));
  runtime::EvaluateJob job;
  job.bundle = &bundle;
  job.pose = bundle.rest_pose();
  job.levels = levels;
  job.scratch = scratch;
  const runtime::Evaluation evaluation = job.Run();
  std::printf("level %d, %zu vertices\n", evaluation.level, positions.size());
  return evaluation.level == 1 ? 0 : 1;
}
