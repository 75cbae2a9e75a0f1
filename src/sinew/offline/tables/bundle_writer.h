// Puts sections together to a bundle (docs/formats/bundle.md).
#ifndef SINEW_OFFLINE_TABLES_BUNDLE_WRITER_H_
#define SINEW_OFFLINE_TABLES_BUNDLE_WRITER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/asset/format.h"

namespace sinew::tables {

class BundleWriter {
 public:
  // level: 1 the coarsest; 0: of the whole character.
  void Add(runtime::format::SectionType type, int level, Block section, bool required = true);
  void Add(runtime::format::SectionType type, int level, std::span<const std::byte> section, bool required = true);
  Block Write(int level_count) const;

 private:
  struct Section {
    runtime::format::SectionEntry entry;
    Block bytes;
  };
  std::vector<Section> sections_;
};

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_BUNDLE_WRITER_H_
