// The sections of one level of a bundle.
#ifndef SINEW_OFFLINE_BAKE_LEVEL_SECTIONS_H_
#define SINEW_OFFLINE_BAKE_LEVEL_SECTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/bake/level_data.h"
#include "sinew/offline/tables/bundle_writer.h"

namespace sinew::bake {

// A level on its way into a bundle.
struct LevelBake {
  int number = 0;  // 1 the coarsest
  LevelData data;
  std::vector<uint32_t> order;   // entry i: the vertex of the file that is i-th in memory; empty: the file's order
  std::vector<uint32_t> places;  // its inverse; empty likewise
  std::string name;              // what errors call it

  uint32_t place(uint32_t vertex) const { return places.empty() ? vertex : places[vertex]; }
};

// Chooses the order and adds everything of the level. coarser: null for level 1. correctives: null if the level adds
// nothing.
LevelBake AddLevel(const lod::Hierarchy& hierarchy, int number, const SkinSlots& slots, const LevelBake* coarser,
                   const deformer::LevelCorrectives* correctives, const BakeOptions& options,
                   tables::BundleWriter& writer);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_LEVEL_SECTIONS_H_
