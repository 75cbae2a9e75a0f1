// Reads files, and writes whole files and folders atomically: at every moment, what is written is either the old one or
// the new one.
#ifndef SINEW_OFFLINE_CORE_FILE_H_
#define SINEW_OFFLINE_CORE_FILE_H_

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

using Bytes = std::vector<std::byte>;

// Read a whole file. Throw InputError if it is missing, unreadable or not a regular file.
Bytes ReadFile(const std::filesystem::path& path);
std::string ReadTextFile(const std::filesystem::path& path);
// Reads bytes [offset, offset + size) alone. Also throws InputError if the file ends before offset + size.
Bytes ReadFilePart(const std::filesystem::path& path, size_t offset, size_t size);

// Returns the extension in lower case: ".GLB" -> ".glb".
std::string LowerExtension(const std::filesystem::path& path);

// Writes a temporary file (.NAME.RANDOM.tmp) beside the target, flushes it to disk and renames it. The target's folder
// must exist. Throws WriteError (core/write_error.h) if it cannot be written, leaving the target as it was.
void WriteFileAtomic(const std::filesystem::path& path, std::span<const std::byte> bytes);
void WriteFileAtomic(const std::filesystem::path& path, std::string_view text);

// Writes a folder in the same way: fill() writes into a temporary folder beside the target, which then takes the
// target's place in one step. Flushing the files to disk is left to fill(). An existing target is replaced only if
// may_replace(target) returns true, so that a mistyped path cannot overwrite a folder. Throws FailedError if it returns
// false, WriteError if the folder cannot be written, and passes on what fill() throws; the target then stays as it was.
void WriteFolderAtomic(const std::filesystem::path& path,
                       const std::function<bool(const std::filesystem::path&)>& may_replace,
                       const std::function<void(const std::filesystem::path&)>& fill);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_FILE_H_
