// Reads and writes signed distance fields: an array, and a JSON file with its placement
// (docs/formats/distance-grid.md).
#ifndef SINEW_OFFLINE_IO_DISTANCE_GRID_FILE_H_
#define SINEW_OFFLINE_IO_DISTANCE_GRID_FILE_H_

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sinew/offline/mesh/distance_grid.h"

namespace sinew {

// array: an .npy file of three dimensions; place: the JSON beside it. Throws InputError for anything but finite
// distances on a grid; file and place_file name the two in messages.
DistanceGrid ParseDistanceGrid(std::span<const std::byte> array, std::string_view place, const std::string& file,
                               const std::string& place_file);

// path: of the array, such as ball.npy; its placement is in ball.json beside it.
DistanceGrid ReadDistanceGrid(const std::filesystem::path& path);
void WriteDistanceGrid(const std::filesystem::path& path, const DistanceGrid& grid);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_DISTANCE_GRID_FILE_H_
