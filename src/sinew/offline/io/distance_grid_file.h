// Signed distance fields: an array and where it lies. docs/formats/distance-grid.md.
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

// path: of the array, ball.npy; where it lies is in ball.json.
DistanceGrid ReadDistanceGrid(const std::filesystem::path& path);
void WriteDistanceGrid(const std::filesystem::path& path, const DistanceGrid& grid);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_DISTANCE_GRID_FILE_H_
