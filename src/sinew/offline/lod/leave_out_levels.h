// Leaving out levels that cannot be made, so that one of them does not cost the user all others.
#ifndef SINEW_OFFLINE_LOD_LEAVE_OUT_LEVELS_H_
#define SINEW_OFFLINE_LOD_LEAVE_OUT_LEVELS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::lod {

// One level cannot be made; others may.
struct LevelError : FailedError {
  LevelError(int number, const std::string& why) : FailedError(why), points(number) {}
  int points;  // number that was asked for
};

// Returns build(points), where `points` are those of HierarchyOptions. A level for which it throws LevelError is added
// to `left_out`, and everything is built again without it: the operator of the next level leads past it.
template <typename Build>
Hierarchy BuildPossibleLevels(std::vector<int> points, std::vector<LeftOutLevel>& left_out, const Build& build) {
  for (;;) {
    try {
      return build(points);
    } catch (const LevelError& error) {
      const auto found = std::find(points.begin(), points.end(), error.points);
      if (found == points.end()) throw;
      points.erase(found);
      left_out.push_back({error.points, error.what()});
    }
  }
}

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_LEAVE_OUT_LEVELS_H_
