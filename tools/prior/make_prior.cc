// Measures how people move from a folder of recorded motions, and writes
// src/sinew/offline/anatomy/human_motion_table.cc. scripts/prior calls it.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "tools/prior/measure.h"
#include "tools/prior/table.h"

int main(int argc, char** argv) {
  using namespace sinew;
  if (argc < 3) {
    fmt::print(stderr,
               "usage: make_prior FOLDER TABLE.cc [PERSON...]\n"
               "FOLDER: .bvh files called PERSON_NUMBER.bvh; those of the named people are left out\n");
    return 2;
  }
  try {
    const prior::Subject subject = prior::EmbeddedBiped();
    const std::vector<std::string> left_out(argv + 3, argv + argc);
    const auto files = prior::FindMotions(argv[1], left_out);
    const Eigen::MatrixXd all = prior::MeasureAngles(subject, files, {});
    const Eigen::MatrixXd angles = prior::WithoutOutliers(subject, all);
    fmt::print("{} files, {} poses with their mirror images, {} without outliers\n", files.size(), all.cols(),
               angles.cols());
    WriteFileAtomic(argv[2], prior::TableText(subject, angles, left_out));
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 4;
  }
  return 0;
}
