// Builds the sections of one level of a bundle.
#ifndef SINEW_OFFLINE_BAKE_LEVEL_SECTIONS_H_
#define SINEW_OFFLINE_BAKE_LEVEL_SECTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/bake/level_data.h"
#include "sinew/offline/tables/bundle_writer.h"

namespace sinew::bake {

// A level while it is baked: its mesh and its order in memory.
struct LevelBake {
  int number = 0;  // 1: the coarsest
  LevelData data;
  std::vector<uint32_t> order;   // entry i: the file's index of the i-th vertex in memory; empty: the file's order
  std::vector<uint32_t> places;  // inverse of `order`; empty if that is
  std::string name;              // what errors call the level

  // Place in memory of a vertex of the file.
  uint32_t place(uint32_t vertex) const { return places.empty() ? vertex : places[vertex]; }
};

// Chooses the level's order in memory and adds all its sections to the writer. coarser: null for level 1. correctives:
// null if the level adds nothing.
LevelBake AddLevel(const lod::Hierarchy& hierarchy, int number, const SkinSlots& slots, const LevelBake* coarser,
                   const deformer::LevelCorrectives* correctives, const BakeOptions& options,
                   tables::BundleWriter& writer);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_LEVEL_SECTIONS_H_
