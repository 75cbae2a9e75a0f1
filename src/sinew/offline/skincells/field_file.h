// Weight fields in files (.field): docs/formats/field.md.
#ifndef SINEW_OFFLINE_SKINCELLS_FIELD_FILE_H_
#define SINEW_OFFLINE_SKINCELLS_FIELD_FILE_H_

#include <filesystem>
#include <string>

#include "sinew/offline/core/file.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {

// Parameters are stored as floats: RoundToFile gives the field that reading back will give, so that weights written now
// and weights from the file later are the same bits.
SkinField RoundToFile(const SkinField& field);

Bytes EncodeField(const SkinField& field);
// Throws InputError for anything but one whole field whose every count, index and number makes sense.
SkinField DecodeField(std::span<const std::byte> bytes, const std::string& file);

// Makes length and checksum of an encoded field right after a change to its bytes: for tests of what lies behind them.
// Does nothing to fewer bytes than a header.
void SealField(Bytes& bytes);

// Whole or not at all.
void WriteField(const SkinField& field, const std::filesystem::path& path);
SkinField ReadField(const std::filesystem::path& path);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_FIELD_FILE_H_
