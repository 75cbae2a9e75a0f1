// Shaders of the rendering passes, in GLSL 3.30. Private to render/. The passes of a picture, in order:
//   shadow      depth of everything, seen from the key light
//   surface     colour, normal and depth of visible surfaces (at twice the picture's width and height)
//   visibility  share of the sky and of the key light that each pixel sees (at the picture's resolution)
//   smooth      removes the noise of the visibility pass
//   light       the three lights, ground and background
//   bones       the skeleton, into a layer of its own
//   resolve     averages four pixels into one, composites the layers, converts to sRGB
// Shaders must not divide integers by a variable: the software driver cannot compile that.
#ifndef SINEW_OFFLINE_RENDER_SHADERS_H_
#define SINEW_OFFLINE_RENDER_SHADERS_H_

namespace sinew::render::shaders {

extern const char kFullscreenVertex[];
extern const char kShadowVertex[];
extern const char kShadowFragment[];
extern const char kSurfaceVertex[];
extern const char kOpaque[];  // put before kSurfaceFragment: a shader that discards nothing
extern const char kSurfaceFragment[];
extern const char kVisibilityFragment[];
extern const char kSmoothFragment[];
extern const char kLightFragment[];
extern const char kBonesVertex[];
extern const char kBonesFragment[];
extern const char kResolveFragment[];

}  // namespace sinew::render::shaders

#endif  // SINEW_OFFLINE_RENDER_SHADERS_H_
