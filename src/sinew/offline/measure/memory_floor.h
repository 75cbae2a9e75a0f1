// What moving bytes costs by itself: the floor that evaluations are judged against.
#ifndef SINEW_OFFLINE_MEASURE_MEMORY_FLOOR_H_
#define SINEW_OFFLINE_MEASURE_MEMORY_FLOOR_H_

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/runtime/base/task_runner.h"

namespace sinew::measure {

// Memory that an evaluation must read or write once.
struct MemoryTraffic {
  std::vector<std::span<const std::byte>> read;
  std::vector<std::span<std::byte>> written;

  size_t read_bytes() const;
  size_t written_bytes() const;
};

// Reads every byte of the one and writes every byte of the other, in pieces of a few kilobytes with four streams each,
// which is faster than one. The widest vectors that the CPU has. Returns a number that depends on what was read, so
// that no compiler can leave it out. runner: may be null.
float MoveOnce(const MemoryTraffic& traffic, runtime::TaskRunner* runner);

}  // namespace sinew::measure

#endif  // SINEW_OFFLINE_MEASURE_MEMORY_FLOOR_H_
