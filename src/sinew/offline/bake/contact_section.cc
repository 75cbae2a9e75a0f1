#include "sinew/offline/bake/contact_section.h"

#include <fmt/format.h>

#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/bundle_writer.h"

namespace sinew::bake {

using runtime::format::SectionType;

void CheckContactFits(const runtime::Bundle& bundle, const std::string& name) {
  using runtime::ContactTable;
  if (name.empty() || name.size() >= ContactTable::kNameBytes) {
    throw UsageError(fmt::format("\"{}\" is no name for a contact, which has 1 to {} bytes; rename the collider's file",
                                 name, ContactTable::kNameBytes - 1));
  }
  const ContactTable& table = bundle.contact();
  for (int f = 0; f < table.field_count(); ++f) {
    if (table.name(f) == name) return;
  }
  if (table.field_count() >= static_cast<int>(ContactTable::kMaxFields)) {
    throw UsageError(fmt::format("the bundle has {} contacts already, and no room for \"{}\"; give another bundle",
                                 table.field_count(), name));
  }
}

BakedBundle WithContact(const runtime::Bundle& bundle, std::span<const std::byte> file, tables::RawContactField field) {
  for (const tables::RawContactHandle& handle : field.handles) {
    if (handle.joint >= bundle.joint_count()) {
      throw InputError("the contact field", field.name, "has joints that the bundle does not have",
                       "train it with the character of this bundle");
    }
  }
  std::vector<tables::RawContactField> fields = tables::FieldsOf(bundle.contact());
  std::erase_if(fields, [&](const tables::RawContactField& other) { return other.name == field.name; });
  fields.push_back(std::move(field));
  tables::BundleWriter writer;
  for (const runtime::format::SectionEntry& entry : bundle.sections()) {
    if (entry.type == static_cast<uint32_t>(SectionType::kContact)) continue;
    writer.Add(entry, file.subspan(entry.offset, entry.bytes));
  }
  writer.Add(SectionType::kContact, 0, tables::BuildContact(fields).block, false);
  BakedBundle made{writer.Write(bundle.level_count()), {}};
  const char* problem = nullptr;
  if (runtime::Bundle::Open(made.file.bytes(), &made.bundle, &problem) != runtime::Status::kOk) {
    throw FailedError(std::string("the bundle with contact does not open: ") + problem);
  }
  return made;
}

}  // namespace sinew::bake
