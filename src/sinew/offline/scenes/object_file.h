// Reads soft objects (docs/formats/soft.md).
#ifndef SINEW_OFFLINE_SCENES_OBJECT_FILE_H_
#define SINEW_OFFLINE_SCENES_OBJECT_FILE_H_

#include <filesystem>
#include <span>
#include <string>

#include "sinew/dynamics/object_table.h"
#include "sinew/offline/core/block.h"

namespace sinew::scenes {

// A file's bytes and the view of them; moving it keeps the view valid.
struct LoadedObject {
  Block file;
  dynamics::ObjectTable table;
};

// Opens the bytes of a .soft file. Throws InputError, which names `file` and what is wrong with it.
LoadedObject OpenObject(Block bytes, const std::string& file);
LoadedObject ReadObject(const std::filesystem::path& path);

// Corrects size and checksum of a file after a change to its bytes: for tests and fuzzing of the checks that come after
// them. Does nothing to fewer bytes than a header.
void SealObject(std::span<std::byte> bytes);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_OBJECT_FILE_H_
