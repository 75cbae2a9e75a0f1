// Assembles sections into a bundle (docs/formats/bundle.md).
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
  // Adds a section. level: 1 for the coarsest level; 0 for a section of the whole character. required: whether a reader
  // that does not know the section must refuse the file.
  void Add(runtime::format::SectionType type, int level, Block section, bool required = true);
  void Add(runtime::format::SectionType type, int level, std::span<const std::byte> section, bool required = true);
  // Adds a section of another file as it is there: type, version, layout, flags and level are those of `entry`.
  void Add(const runtime::format::SectionEntry& entry, std::span<const std::byte> section);
  // Returns the bytes of the whole file.
  Block Write(int level_count) const;

 private:
  struct Section {
    runtime::format::SectionEntry entry;
    Block bytes;
  };
  // Appends a section; size and checksum of the entry are filled in.
  void Put(runtime::format::SectionEntry entry, Block section);

  std::vector<Section> sections_;
};

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_BUNDLE_WRITER_H_
