// The text of human_motion_table.cc.
#ifndef TOOLS_PRIOR_TABLE_H_
#define TOOLS_PRIOR_TABLE_H_

#include <Eigen/Core>
#include <string>

#include "tools/prior/measure.h"

namespace sinew::prior {

// Measures ranges, fits the mixture and writes both as C++. angles: as MeasureAngles() returns them.
std::string TableText(const Subject& subject, const Eigen::MatrixXd& angles,
                      const std::vector<std::string>& people_left_out);

}  // namespace sinew::prior

#endif  // TOOLS_PRIOR_TABLE_H_
