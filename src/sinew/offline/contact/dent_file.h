// Learned fields of objects in the plane as files that dynamics opens (dynamics/field_table.h). The format is
// docs/formats/dent.md.
#ifndef SINEW_OFFLINE_CONTACT_DENT_FILE_H_
#define SINEW_OFFLINE_CONTACT_DENT_FILE_H_

#include <filesystem>
#include <span>
#include <string>

#include "sinew/dynamics/field_table.h"
#include "sinew/offline/contact/contact_field.h"
#include "sinew/offline/contact/plane_object.h"
#include "sinew/offline/core/block.h"

namespace sinew::contact {

struct DentOptions {
  double window = 1.5;  // distance from the collider beyond which nothing moves, in shares of its size, above 0
  // Integral of squared depth over the outline at which three quarters of the field act, in cubes of the collider's
  // size, above 0. A side of the collider reaches this at a depth of about 0.5% of it, a corner at 3%.
  double touch = 2e-5;
};

// Returns the bytes of a .dent file. Scales of inputs and outputs become part of the network's numbers. Throws
// UsageError for a field that is not sparse, or is wider than dynamics evaluates.
Block MakeDent(const PlaneObject& object, const ContactField& field, const DentOptions& options);

// A file's bytes and the view of them; moving it keeps the view valid.
struct LoadedDent {
  Block file;
  dynamics::FieldTable table;
};

// Opens the bytes of a .dent file. Throws InputError, which names `file` and what is wrong with it.
LoadedDent OpenDent(Block bytes, const std::string& file);
LoadedDent ReadDent(const std::filesystem::path& path);

// Corrects size and checksum of a file after a change to its bytes: for tests and fuzzing of the checks that come after
// them. Does nothing to fewer bytes than a header.
void SealDent(std::span<std::byte> bytes);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_DENT_FILE_H_
