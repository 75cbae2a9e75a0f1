// Modelled garments: meshes of files of their own that are put on a body, as further parts of it.
#ifndef SINEW_OFFLINE_BODIES_PUT_ON_H_
#define SINEW_OFFLINE_BODIES_PUT_ON_H_

#include <string>

#include "sinew/offline/character/character.h"

namespace sinew::bodies {

// Returns the body with the garment on. The body's own parts, skeleton and skins stay as they are; the garment's parts
// follow them, bound to the body's main skin, with the role of a layer (anatomy/roles.h): a simulation lets them follow
// the flesh below. They keep names, UVs, colours, materials and images, and their weights, by the joints' names;
// vertices without weights get those of the skin next to them.
//
// A garment whose joints are where the body's are was made for it and stays as it is. Any other one is fitted: carried
// along by its joints, and moved out of the flesh. That makes it longer or shorter and wide enough, not narrower.
//
// body_file, garment_file: for messages. Throws InputError, naming the joints, if joints that move the garment are not
// joints of the body's main skin, if the body has no skin, or if a file has positions that are not finite.
Character PutOn(const Character& body, const std::string& body_file, const Character& garment,
                const std::string& garment_file);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_PUT_ON_H_
