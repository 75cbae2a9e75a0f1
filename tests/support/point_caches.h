// Point caches made by hand.
#ifndef SINEW_TESTS_SUPPORT_POINT_CACHES_H_
#define SINEW_TESTS_SUPPORT_POINT_CACHES_H_

#include <string>
#include <vector>

namespace sinew::testing {

std::string Pc2File(int frames, int points, const std::vector<float>& values);

std::string MddFile(int frames, int points, const std::vector<float>& values);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_POINT_CACHES_H_
