#include "sinew/offline/tables/bundle_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sinew/runtime/base/checksum.h"

namespace sinew::tables {

using runtime::format::FileHeader;
using runtime::format::SectionEntry;

void BundleWriter::Add(runtime::format::SectionType type, int level, Block section, bool required) {
  SectionEntry entry{};
  entry.type = static_cast<uint32_t>(type);
  entry.version = runtime::format::VersionOf(type);
  entry.layout = runtime::format::kPlainLayout;
  entry.flags = required ? runtime::format::kRequired : 0;
  entry.level = static_cast<uint32_t>(level);
  Put(entry, std::move(section));
}

void BundleWriter::Add(const SectionEntry& entry, std::span<const std::byte> section) {
  Block block(section.size());
  std::copy(section.begin(), section.end(), block.bytes().begin());
  Put(entry, std::move(block));
}

void BundleWriter::Put(SectionEntry entry, Block section) {
  entry.bytes = section.bytes().size();
  entry.checksum = runtime::Checksum(section.bytes());
  sections_.push_back({entry, std::move(section)});
}

void BundleWriter::Add(runtime::format::SectionType type, int level, std::span<const std::byte> section,
                       bool required) {
  Block block(section.size());
  std::copy(section.begin(), section.end(), block.bytes().begin());
  Add(type, level, std::move(block), required);
}

Block BundleWriter::Write(int level_count) const {
  std::vector<SectionEntry> entries;
  uint64_t end = sizeof(FileHeader) + sections_.size() * sizeof(SectionEntry);
  for (const Section& section : sections_) {
    SectionEntry entry = section.entry;
    entry.offset = end;
    end += (entry.bytes + 63) / 64 * 64;
    entries.push_back(entry);
  }
  FileHeader header{};
  std::memcpy(header.magic, runtime::format::kMagic, sizeof(header.magic));
  header.version = runtime::format::kVersion;
  header.section_count = static_cast<uint32_t>(entries.size());
  header.bytes = end;
  header.table_checksum = runtime::Checksum(std::as_bytes(std::span(entries)));
  header.level_count = static_cast<uint32_t>(level_count);
  Block file(end);
  std::byte* to = file.bytes().data();
  std::memcpy(to, &header, sizeof(header));
  std::memcpy(to + sizeof(header), entries.data(), entries.size() * sizeof(SectionEntry));
  for (size_t s = 0; s < entries.size(); ++s) {
    const std::span<const std::byte> bytes = sections_[s].bytes.bytes();
    std::copy(bytes.begin(), bytes.end(), to + entries[s].offset);
  }
  return file;
}

}  // namespace sinew::tables
