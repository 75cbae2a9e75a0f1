// The two files of a topology of a rig pack. The checksum is set right first, so that what it guards is reached.
#include <cstdlib>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/corpus/rig_topology.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew;
  constexpr int kPoints = 4;
  fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Bytes file(bytes.begin(), bytes.end());
    SealFile(file);
    for (const corpus::RigMap& map : corpus::ParseRigMaps(file, kPoints, "000.maps")) {
      if (!map.Apply(Points::Ones(kPoints, 3)).isApproxToConstant(1.0f, 1e-3f)) std::abort();
    }
  });
  return fuzz::Run(data, size, [](std::span<const std::byte> bytes) {
    Bytes file(bytes.begin(), bytes.end());
    SealFile(file);
    const corpus::RigTopology topology = corpus::ParseRigShapes(file, "000.shapes");
    for (const corpus::RigShape& shape : topology.shapes) {
      if (!shape.rest.allFinite() || shape.rest.rows() != topology.point_count()) std::abort();
    }
    corpus::ParseRigShapes(corpus::FormatRigShapes(topology), "again.shapes");
  });
}
