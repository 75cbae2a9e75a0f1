#include "sinew/offline/render/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/render/gl.h"
#include "sinew/offline/render/shaders.h"
#include "sinew/offline/render/vertex_data.h"

namespace sinew::render {
namespace {

constexpr int kShadowSize = 2048;
constexpr int kHeatColors = 512;
// Number of layers of triangles from which on they are sorted, so that hidden ones are not shaded.
constexpr double kManyLayers = 8;
constexpr float kLightSize = 0.06f;  // tangent of the key light's angular radius: a soft box

struct DrawCall {
  gl::Handle array, vertices, indices;
  GLsizei count = 0;
};

void Attribute(GLuint location, int components, size_t offset) {
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                        reinterpret_cast<const void*>(offset));
}

DrawCall Upload(const VertexData& data) {
  DrawCall call;
  call.array = gl::MakeVertexArray();
  glBindVertexArray(call.array.name());
  call.vertices = gl::MakeBuffer(GL_ARRAY_BUFFER, data.vertices.data(), data.vertices.size() * sizeof(Vertex));
  call.indices = gl::MakeBuffer(GL_ELEMENT_ARRAY_BUFFER, data.indices.data(), data.indices.size() * sizeof(uint32_t));
  call.count = static_cast<GLsizei>(data.indices.size());
  Attribute(0, 3, offsetof(Vertex, position));
  Attribute(1, 3, offsetof(Vertex, normal));
  Attribute(2, 3, offsetof(Vertex, color));
  Attribute(3, 2, offsetof(Vertex, texture_position));
  Attribute(4, 1, offsetof(Vertex, scalar));
  Attribute(5, 3, offsetof(Vertex, corner));
  return call;
}

void Draw(const DrawCall& call) {
  glBindVertexArray(call.array.name());
  glDrawElements(GL_TRIANGLES, call.count, GL_UNSIGNED_INT, nullptr);
}

// Stores a colour map as square roots of linear light, so that 8 bits suffice for dark colours too.
gl::Handle HeatTexture(ColorMap map) {
  std::vector<Pixel> pixels(kHeatColors);
  for (int i = 0; i < kHeatColors; ++i) {
    pixels[i] = ToPixel(MapColor(map, static_cast<float>(i) / (kHeatColors - 1)).cwiseSqrt());
  }
  gl::Handle texture = gl::MakeTexture(kHeatColors, 1, GL_RGBA8);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kHeatColors, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return texture;
}

gl::Handle BaseTexture(const Image& image) {
  gl::Handle texture = gl::MakeTexture(image.width, image.height, GL_SRGB8_ALPHA8);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  return texture;
}

// Textures and framebuffers that the passes of one picture draw to.
struct Targets {
  Targets(int picture_width, int picture_height)
      : width(picture_width),
        height(picture_height),
        shadow_depth(gl::MakeTexture(kShadowSize, kShadowSize, GL_DEPTH_COMPONENT32F)),
        color(gl::MakeTexture(2 * width, 2 * height, GL_RGBA8)),
        normal(gl::MakeTexture(2 * width, 2 * height, GL_RGBA16F)),
        depth(gl::MakeTexture(2 * width, 2 * height, GL_DEPTH_COMPONENT32F)),
        noisy(gl::MakeTexture(width, height, GL_RGBA16F)),
        visibility(gl::MakeTexture(width, height, GL_RGBA16F)),
        light(gl::MakeTexture(2 * width, 2 * height, GL_RGBA16F)),
        bones(gl::MakeTexture(2 * width, 2 * height, GL_RGBA8)),
        bones_depth(gl::MakeTexture(2 * width, 2 * height, GL_DEPTH_COMPONENT32F)),
        picture(gl::MakeTexture(width, height, GL_RGBA8)),
        shadow_target(gl::MakeFramebuffer({}, shadow_depth)),
        surface_target(gl::MakeFramebuffer({&color, &normal}, depth)),
        noisy_target(gl::MakeFramebuffer({&noisy}, {})),
        visibility_target(gl::MakeFramebuffer({&visibility}, {})),
        light_target(gl::MakeFramebuffer({&light}, {})),
        bones_target(gl::MakeFramebuffer({&bones}, bones_depth)),
        picture_target(gl::MakeFramebuffer({&picture}, {})) {}

  int width, height;
  gl::Handle shadow_depth, color, normal, depth, noisy, visibility, light, bones, bones_depth, picture;
  gl::Handle shadow_target, surface_target, noisy_target, visibility_target, light_target, bones_target, picture_target;
};

void Begin(const gl::Handle& target, int width, int height, bool clear) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.name());
  glViewport(0, 0, width, height);
  if (!clear) {
    glDisable(GL_DEPTH_TEST);
    return;
  }
  glEnable(GL_DEPTH_TEST);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

// Returns a direction from azimuth and elevation in degrees; azimuth 0 is towards the camera, positive to its right.
Eigen::Vector3f Direction(const Camera& camera, float azimuth_degrees, float elevation_degrees) {
  Eigen::Vector3f back = camera.axes.row(2).transpose();
  const Eigen::Vector3f right = camera.axes.row(0).transpose();
  const Eigen::Vector3f level = right.cross(Eigen::Vector3f::UnitY()).normalized();
  back = level.dot(back) < 0 ? -level : level;
  const float a = azimuth_degrees * 0.01745329f, e = elevation_degrees * 0.01745329f;
  return (std::cos(e) * (std::cos(a) * back + std::sin(a) * right) + std::sin(e) * Eigen::Vector3f::UnitY())
      .normalized();
}

struct Lights {
  Eigen::Vector3f key, fill, rim;
};

Lights StudioLights(const Camera& camera) {
  return {Direction(camera, -40, 54), Direction(camera, 55, 12), Direction(camera, 155, 38)};
}

// Orthographic box of the key light around the scene, including the ground that receives shadows.
struct LightBox {
  Eigen::Matrix4f from_model;
  Eigen::Vector3f extent;
};

LightBox FitLight(const Eigen::Vector3f& direction, const Points& points) {
  Eigen::Matrix3f axes;
  axes.row(2) = direction.transpose();
  axes.row(0) = Eigen::Vector3f::UnitY().cross(direction).normalized().transpose();
  axes.row(1) = axes.row(2).cross(axes.row(0));
  const Points turned = points * axes.transpose();
  const Eigen::Vector3f low = turned.colwise().minCoeff().transpose(), high = turned.colwise().maxCoeff().transpose();
  Eigen::Vector3f half = (high - low) / 2 + Eigen::Vector3f::Constant((high - low).norm() * 0.05f);
  half.x() = half.y() = std::max(half.x(), half.y());
  half.z() *= 2;  // includes the ground behind the body, as seen from the light
  LightBox box{Eigen::Matrix4f::Identity(), half};
  const Eigen::Vector3f middle = (low + high) / 2;
  for (int k = 0; k < 3; ++k) {
    const float sign = k == 2 ? -1.0f : 1.0f;
    box.from_model.block<1, 3>(k, 0) = sign * axes.row(k) / half[k];
    box.from_model(k, 3) = -sign * middle[k] / half[k];
  }
  return box;
}

}  // namespace

struct Renderer::State {
  gl::Context context;
  gl::Handle empty_array = gl::MakeVertexArray();
  gl::Program shadow{shaders::kShadowVertex, shaders::kShadowFragment};
  gl::Program surface{shaders::kSurfaceVertex, shaders::kSurfaceFragment};
  // A shader that can discard fragments is run for hidden ones, too, which takes long where many triangles lie behind
  // each other.
  gl::Program opaque{shaders::kSurfaceVertex, std::string(shaders::kOpaque) + shaders::kSurfaceFragment};
  gl::Program visibility{shaders::kFullscreenVertex, shaders::kVisibilityFragment};
  gl::Program smooth{shaders::kFullscreenVertex, shaders::kSmoothFragment};
  gl::Program light{shaders::kFullscreenVertex, shaders::kLightFragment};
  gl::Program bones{shaders::kBonesVertex, shaders::kBonesFragment};
  gl::Program resolve{shaders::kFullscreenVertex, shaders::kResolveFragment};
  std::unique_ptr<Targets> targets;
};

namespace {

// Passes of one picture, and the quantities that they share.
class Frame {
 public:
  Frame(const Scene& scene, const Camera& camera, const Style& style, const Targets& targets)
      : scene_(scene), camera_(camera), style_(style), t_(targets), lights_(StudioLights(camera)) {
    Points points = DrawnPoints(scene);
    if (points.rows() == 0) points = Points::Zero(1, 3);
    const Box box = BoundingBox(points);
    size_ = std::max(box.diagonal().norm(), 1e-6f);
    const float ground = GroundHeight(scene);
    ground_center_ = {box.center().x(), ground, box.center().z()};
    ground_reach_ = 0.9f * size_;
    light_ = FitLight(lights_.key, points);
    // From near, the middle of what is drawn may be behind the camera.
    const float middle = std::max(camera.ToCamera(box.center()).z(), 0.05f * size_);
    near_ = std::max(middle - 2.5f * size_, 0.02f * middle);
    far_ = middle + 8 * size_;
    for (const RenderMesh& mesh : scene.meshes) calls_.push_back(Upload(Vertices(mesh)));
    ground_call_ = Upload(MakeGroundVertices(ground_center_, 2.5f * ground_reach_));
  }

  void DrawShadow(const gl::Program& program) const {
    Begin(t_.shadow_target, kShadowSize, kShadowSize, true);
    program.Use();
    program.Set("light_from_model", light_.from_model);
    for (const DrawCall& call : calls_) Draw(call);
  }

  void DrawSurface(const gl::Program& opaque, const gl::Program& transparent) const {
    Begin(t_.surface_target, 2 * t_.width, 2 * t_.height, true);
    const gl::Handle heat_colors = HeatTexture(scene_.heat.map);
    for (const gl::Program* program : {&transparent, &opaque}) {
      program->Use();
      program->Set("clip_from_model", camera_.ClipFromModel(near_, far_));
      program->Set("eye", camera_.eye);
      program->Set("flat_shading", style_.smooth ? 0 : 1);
      program->Bind("heat_colors", 1, heat_colors);
      program->Set("heat_range", Eigen::Vector2f(scene_.heat.low, scene_.heat.high));
    }
    for (size_t i = 0; i < calls_.size(); ++i) {
      const RenderMesh& mesh = scene_.meshes[i];
      const gl::Program& program = ShownTransparency(mesh) == Transparency::kNone ? opaque : transparent;
      program.Use();
      DrawMesh(program, mesh, calls_[i]);
    }
    if (!style_.ground) return;
    opaque.Use();
    opaque.Set("kind", 1);
    opaque.Set("wireframe", 0);
    Draw(ground_call_);
  }

  void DrawVisibility(const gl::Program& program) const {
    Begin(t_.noisy_target, t_.width, t_.height, false);
    program.Use();
    SetView(program);
    program.Bind("shadow_depth", 3, t_.shadow_depth);
    program.Set("picture_size", Eigen::Vector2f(t_.width, t_.height));
    program.Set("occlusion_radius", 0.11f * size_);
    program.Set("light_from_model", light_.from_model);
    program.Set("light_direction", lights_.key);
    program.Set("light_extent", light_.extent);
    program.Set("light_size", kLightSize);
    program.Set("shadow_offset", 0.001f * size_);
    SetGround(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }

  void Smooth(const gl::Program& program) const {
    Begin(t_.visibility_target, t_.width, t_.height, false);
    program.Use();
    SetView(program);
    program.Bind("visibility", 3, t_.noisy);
    program.Set("pixel_size", 2 * camera_.tangent / static_cast<float>(t_.height));
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }

  void Light(const gl::Program& program) const {
    Begin(t_.light_target, 2 * t_.width, 2 * t_.height, false);
    program.Use();
    SetView(program);
    program.Bind("visibility", 3, t_.visibility);
    program.Set("size", Eigen::Vector2f(2 * t_.width, 2 * t_.height));
    program.Set("key_direction", lights_.key);
    program.Set("fill_direction", lights_.fill);
    program.Set("rim_direction", lights_.rim);
    SetGround(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }

  void DrawBones(const gl::Program& program) const {
    if (!scene_.bones) return;
    Begin(t_.bones_target, 2 * t_.width, 2 * t_.height, true);
    program.Use();
    program.Set("clip_from_model", camera_.ClipFromModel(near_, far_));
    program.Set("key_direction", lights_.key);
    Draw(Upload(MakeBoneVertices(*scene_.bones, size_)));
  }

  void Resolve(const gl::Program& program) const {
    Begin(t_.picture_target, t_.width, t_.height, false);
    program.Use();
    program.Bind("light", 0, t_.light);
    program.Bind("bones", 1, t_.bones);
    program.Set("with_bones", scene_.bones ? 1 : 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }

 private:
  VertexData Vertices(const RenderMesh& mesh) const {
    VertexData data = MakeVertices(mesh, style_);
    if (LayersInPicture(data, camera_.ClipFromModel(near_, far_)) > kManyLayers) {
      SortFrontToBack(-camera_.axes.row(2).transpose(), data);
    }
    return data;
  }

  Transparency ShownTransparency(const RenderMesh& mesh) const {
    return style_.textures && mesh.scalars.empty() ? mesh.transparency : Transparency::kNone;
  }

  void DrawMesh(const gl::Program& program, const RenderMesh& mesh, const DrawCall& call) const {
    const bool textured = style_.textures && mesh.texture != nullptr && mesh.texture_positions.rows() > 0;
    gl::Handle texture;
    if (textured && mesh.scalars.empty()) {
      glActiveTexture(GL_TEXTURE0);
      texture = BaseTexture(*mesh.texture);
      program.Bind("base_texture", 0, texture);
      program.Set("texture_factor", mesh.texture_factor);
    }
    program.Set("kind", !mesh.scalars.empty() ? 4 : textured ? 3 : 2);
    program.Set("transparency", static_cast<int>(ShownTransparency(mesh)));
    program.Set("alpha_factor", mesh.alpha);
    program.Set("alpha_cutoff", mesh.alpha_cutoff);
    program.Set("wireframe", style_.wireframe ? 1 : 0);
    const bool tint = mesh.backfaces == Backfaces::kTint || (mesh.backfaces == Backfaces::kAuto && IsClosed(mesh.mesh));
    program.Set("tint_backfaces", tint ? 1 : 0);
    Draw(call);
  }

  void SetView(const gl::Program& program) const {
    program.Bind("surface_color", 0, t_.color);
    program.Bind("surface_normal", 1, t_.normal);
    program.Bind("surface_depth", 2, t_.depth);
    program.Set("near_far", Eigen::Vector2f(near_, far_));
    program.Set("tangents", Eigen::Vector2f(camera_.tangent * camera_.aspect, camera_.tangent));
    program.Set("model_from_camera", Eigen::Matrix3f(camera_.axes.transpose()));
    program.Set("eye", camera_.eye);
  }

  void SetGround(const gl::Program& program) const {
    program.Set("ground_center", ground_center_);
    program.Set("ground_reach", ground_reach_);
  }

  const Scene& scene_;
  const Camera& camera_;
  const Style& style_;
  const Targets& t_;
  Lights lights_;
  LightBox light_;
  float size_ = 1, near_ = 0.1f, far_ = 100, ground_reach_ = 1;
  Eigen::Vector3f ground_center_;
  std::vector<DrawCall> calls_;
  DrawCall ground_call_;
};

// Reads the finished picture and flips it: OpenGL counts rows from below.
Image ReadPicture(const Targets& targets) {
  Image upside_down(targets.width, targets.height), image(targets.width, targets.height);
  glReadPixels(0, 0, targets.width, targets.height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.pixels.data());
  if (glGetError() != GL_NO_ERROR) {
    throw FailedError("the OpenGL driver could not draw the picture, perhaps for lack of memory; make it smaller");
  }
  for (int y = 0; y < image.height; ++y) {
    std::copy_n(&upside_down.at(0, image.height - 1 - y), image.width, &image.at(0, y));
  }
  return image;
}

}  // namespace

Renderer::Renderer() : state_(std::make_unique<State>()) {}

// Makes the context current in which the objects of the state were made, so that they are deleted in it.
Renderer::~Renderer() { state_->context.MakeCurrent(); }

Image Renderer::Render(const Scene& scene, const Camera& camera, int width, int height, const Style& style) {
  if (std::min(width, height) < 16 || std::max(width, height) > 8192) {
    throw UsageError(
        fmt::format("a picture of {} x {} pixels cannot be drawn; each side may have 16 to 8192", width, height));
  }
  State& s = *state_;
  s.context.MakeCurrent();
  if (s.targets == nullptr || s.targets->width != width || s.targets->height != height) {
    s.targets.reset();
    s.targets = std::make_unique<Targets>(width, height);
  }
  const Frame frame(scene, camera, style, *s.targets);
  frame.DrawShadow(s.shadow);
  frame.DrawSurface(s.opaque, s.surface);
  glBindVertexArray(s.empty_array.name());
  frame.DrawVisibility(s.visibility);
  frame.Smooth(s.smooth);
  frame.Light(s.light);
  frame.DrawBones(s.bones);
  glBindVertexArray(s.empty_array.name());
  frame.Resolve(s.resolve);
  return ReadPicture(*s.targets);
}

Image RenderScene(const Scene& scene, const View& view, int width, int height, const Style& style) {
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  return Renderer().Render(scene, FrameCamera(view, DrawnPoints(scene), aspect), width, height, style);
}

}  // namespace sinew::render
