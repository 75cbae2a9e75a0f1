// Reads and writes weight fields (.field). The format is docs/formats/field.md.
#ifndef SINEW_OFFLINE_SKINCELLS_FIELD_FILE_H_
#define SINEW_OFFLINE_SKINCELLS_FIELD_FILE_H_

#include <filesystem>
#include <string>

#include "sinew/offline/core/file.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {

// Returns the field that writing and reading back would give. Files store parameters as floats; with the rounded field,
// weights computed now and weights from the file later are the same bits.
SkinField RoundToFile(const SkinField& field);

Bytes EncodeField(const SkinField& field);
// Throws InputError, naming `file`, for anything but one whole field whose counts, indices and numbers are all valid.
SkinField DecodeField(std::span<const std::byte> bytes, const std::string& file);

// Corrects length and checksum of an encoded field after a change to its bytes, for tests of the checks that come after
// these two. Does nothing to fewer bytes than a header.
void SealField(Bytes& bytes);

// Writes the file whole or not at all.
void WriteField(const SkinField& field, const std::filesystem::path& path);
SkinField ReadField(const std::filesystem::path& path);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_FIELD_FILE_H_
