// Memory floor: the time that only moving the bytes of an evaluation takes, a lower bound to compare evaluations with.
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

// Reads every byte of traffic.read and writes every byte of traffic.written, in pieces of a few kilobytes with four
// streams each, which is faster than one, by the widest vectors of the CPU. Returns a number that depends on what was
// read, so that the compiler cannot remove the reads. runner: null: on the calling thread.
float MoveOnce(const MemoryTraffic& traffic, runtime::TaskRunner* runner);

}  // namespace sinew::measure

#endif  // SINEW_OFFLINE_MEASURE_MEMORY_FLOOR_H_
