// The stages of a picture, in GLSL 3.30. Private to render/.
//   shadow      depth of everything, seen from the key light
//   surface     colour, normal and depth of what is seen (twice the picture's resolution each way)
//   visibility  how much of the sky and of the key light each pixel sees (the picture's resolution)
//   smooth      removes the noise of the former
//   light       the three lights, ground and background
//   bones       the skeleton, into a layer of its own
//   resolve     four pixels into one, layers over each other, sRGB
// No integer division by a variable: the software driver cannot compile it.
#ifndef SINEW_OFFLINE_RENDER_SHADERS_H_
#define SINEW_OFFLINE_RENDER_SHADERS_H_

namespace sinew::render::shaders {

extern const char kFullscreenVertex[];
extern const char kShadowVertex[];
extern const char kShadowFragment[];
extern const char kSurfaceVertex[];
extern const char kSurfaceFragment[];
extern const char kVisibilityFragment[];
extern const char kSmoothFragment[];
extern const char kLightFragment[];
extern const char kBonesVertex[];
extern const char kBonesFragment[];
extern const char kResolveFragment[];

}  // namespace sinew::render::shaders

#endif  // SINEW_OFFLINE_RENDER_SHADERS_H_
