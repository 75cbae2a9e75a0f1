#include "tests/support/small_deformer.h"

#include <string>

namespace sinew::testing {

deformer::Deformer SmallDeformer() {
  deformer::Deformer deformer;
  deformer.height = 1.7;
  deformer.settings = {{"epsilon", 1e-4}};
  deformer.trained_frames = {std::string(32, '0'), std::string(32, 'f')};
  deformer::RangeTest test;
  test.joints = {1};
  test.L = Eigen::MatrixXf::Identity(3, 3);
  test.centres = Eigen::MatrixXf::Constant(3, 2, 0.25f);
  test.inner = 1;
  test.outer = 2;
  deformer.ranges = {test};
  deformer::RegionCorrective region;
  region.region = 2;
  region.joints = {1, 2};
  region.points = {0, 2, 3};
  region.V = Eigen::MatrixXf::Constant(9, 2, 0.5f);
  region.own = Eigen::MatrixXf::Constant(9, 1, 0.25f);
  region.network = {Eigen::MatrixXf::Constant(4, 6, 0.1f),
                    Eigen::MatrixXf::Constant(4, 4, 0.2f),
                    Eigen::MatrixXf::Constant(3, 4, 0.3f),
                    Eigen::VectorXf::Zero(4),
                    Eigen::VectorXf::Zero(4),
                    Eigen::VectorXf::Zero(3)};
  region.ranges = {0};
  region.spread = Eigen::VectorXf::Ones(3);
  deformer.levels.resize(2);
  deformer.levels[0].regions = {region};
  return deformer;
}

}  // namespace sinew::testing
