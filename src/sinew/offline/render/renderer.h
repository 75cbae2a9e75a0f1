// Renders scenes into pictures. To look at a TriMesh:
//
//   render::Scene scene;
//   scene.meshes.push_back({.mesh = mesh});
//   render::WritePng("mesh.png", render::RenderScene(scene, render::ParseView("three-quarter"), 900, 1000));
//
// Light: a warm key light from the upper left of the camera with soft shadows, a cool fill light, a rim light from
// behind, and a sky with ambient occlusion. The lights turn with the camera, so that every view is well lit. Everything
// is computed by Mesa's software driver: the same scene gives the same bytes, with or without a GPU.
#ifndef SINEW_OFFLINE_RENDER_RENDERER_H_
#define SINEW_OFFLINE_RENDER_RENDERER_H_

#include <memory>

#include "sinew/offline/render/camera.h"
#include "sinew/offline/render/image.h"
#include "sinew/offline/render/png.h"
#include "sinew/offline/render/scene.h"

namespace sinew::render {

// Renderer for several pictures: starts OpenGL and compiles its programs once (about 0.3 s). Must be used on the thread
// that made it. The constructor throws FailedError if OpenGL cannot start.
class Renderer {
 public:
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Renders one picture; sizes in pixels. The camera's aspect should be width / height. Throws UsageError for sizes
  // outside 16 to 8192, and for a scene whose arrays differ in size or contain coordinates that are not finite.
  Image Render(const Scene& scene, const Camera& camera, int width, int height, const Style& style = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Renders a single picture with a camera that frames the whole scene.
Image RenderScene(const Scene& scene, const View& view, int width, int height, const Style& style = {});

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_RENDERER_H_
