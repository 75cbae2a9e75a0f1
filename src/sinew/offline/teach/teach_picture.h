// Heat maps of where a character is far from what its teachers have learned.
#ifndef SINEW_OFFLINE_TEACH_TEACH_PICTURE_H_
#define SINEW_OFFLINE_TEACH_TEACH_PICTURE_H_

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/render/picture.h"
#include "sinew/offline/teach/taught_body.h"

namespace sinew::teach {

// Draws a taught dataset: the mean over its frames on the character at rest, and the four frames of the largest score.
// Colours are the spread of the members in millimetres, or, of one member, the distance of features from those that it
// was trained on. Frames without a shape are drawn as skinned. Throws InputError for a dataset without frames.
render::Picture DrawTeaching(const TaughtBody& body, const dataset::Dataset& dataset);

}  // namespace sinew::teach

#endif  // SINEW_OFFLINE_TEACH_TEACH_PICTURE_H_
