// The floors that skinning and upsampling are judged against.
#ifndef SINEW_BENCH_FLOOR_H_
#define SINEW_BENCH_FLOOR_H_

#include <cstddef>
#include <span>

namespace sinew::bench {

// Reads every byte of what is copied and of what is only read, writes the copies and what is only written, computes
// nothing: what a kernel has to move through memory. All streams advance together in steps of one tile, so that several
// are under way at once. The widest vectors that the CPU has.
struct FloorStreams {
  std::span<const float> copied[2] = {};    // rest positions and normals
  std::span<float> copies[2] = {};          // as long
  std::span<const std::byte> read[2] = {};  // joints and weights; an upsampling table and the coarse level
  std::span<float> written = {};            // the fine level
};
// A sum of the bytes that were only read, so that no compiler can leave them out.
float MoveBytes(const FloorStreams& streams);

}  // namespace sinew::bench

#endif  // SINEW_BENCH_FLOOR_H_
