// Whole files in, whole files out. A file that we write is either the old one or the new one, at every moment.
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

// Throws InputError if the file is missing, unreadable or not a regular file.
Bytes ReadFile(const std::filesystem::path& path);
std::string ReadTextFile(const std::filesystem::path& path);
// Bytes [offset, offset + size) alone. Throws InputError also if the file ends before.
Bytes ReadFilePart(const std::filesystem::path& path, size_t offset, size_t size);

// ".GLB" -> ".glb".
std::string LowerExtension(const std::filesystem::path& path);

// Temporary file beside the target, flush to disk, rename. Throws FailedError, leaving the target as it was.
void WriteFileAtomic(const std::filesystem::path& path, std::span<const std::byte> bytes);
void WriteFileAtomic(const std::filesystem::path& path, std::string_view text);

// The same for a folder: fill() writes into a temporary folder beside the target, which then takes the target's place.
// An existing target is replaced only if `may_replace(target)` agrees, so that a mistyped path cannot eat a folder.
void WriteFolderAtomic(const std::filesystem::path& path,
                       const std::function<bool(const std::filesystem::path&)>& may_replace,
                       const std::function<void(const std::filesystem::path&)>& fill);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_FILE_H_
