// Learned contact as a section of a bundle (runtime/contact/contact_table.h).
#ifndef SINEW_OFFLINE_BAKE_CONTACT_SECTION_H_
#define SINEW_OFFLINE_BAKE_CONTACT_SECTION_H_

#include <span>
#include <string>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/tables/contact_builder.h"

namespace sinew::bake {

// Checks that a bundle can take a field of this name, before long work is done for it. Throws UsageError for a name
// that is empty or has over 63 bytes, and for a bundle that has as many other fields as it can hold.
void CheckContactFits(const runtime::Bundle& bundle, const std::string& name);

// Returns the bundle with a field added; a field of the same name is replaced, all other sections stay as they are.
// file: bytes that `bundle` was opened from. Throws InputError for a field that tables::BuildContact() refuses or whose
// joints the bundle does not have.
BakedBundle WithContact(const runtime::Bundle& bundle, std::span<const std::byte> file, tables::RawContactField field);

}  // namespace sinew::bake

#endif  // SINEW_OFFLINE_BAKE_CONTACT_SECTION_H_
