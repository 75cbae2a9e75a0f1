// OpenGL without a window or a GPU: a context on Mesa's software driver through EGL, and owners of OpenGL's objects.
// Private to render/.
#ifndef SINEW_OFFLINE_RENDER_GL_H_
#define SINEW_OFFLINE_RENDER_GL_H_

#include <epoxy/gl.h>

#include <Eigen/Core>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace sinew::render::gl {

// Current on the thread that made it, until another one is made current there. Throws FailedError if EGL cannot start.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Everything else in this file acts on the current context.
  void MakeCurrent() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

using Deleter = void (*)(GLuint);

// One OpenGL name and how to delete it.
class Handle {
 public:
  Handle() = default;
  Handle(GLuint name, Deleter deleter) : name_(name), deleter_(deleter) {}
  Handle(Handle&& other) noexcept { *this = std::move(other); }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(deleter_, other.deleter_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (name_ != 0) deleter_(name_);
  }
  GLuint name() const { return name_; }

 private:
  GLuint name_ = 0;
  Deleter deleter_ = nullptr;
};

class Program {
 public:
  // Sources of the two stages, without the #version line.
  Program(std::string_view vertex, std::string_view fragment);

  void Use() const;
  // A uniform that the compiler removed is silently skipped.
  void Set(const char* name, int value) const;
  void Set(const char* name, float value) const;
  void Set(const char* name, const Eigen::Vector2f& value) const;
  void Set(const char* name, const Eigen::Vector3f& value) const;
  void Set(const char* name, const Eigen::Matrix3f& value) const;
  void Set(const char* name, const Eigen::Matrix4f& value) const;
  // Binds a 2D texture to a unit and the sampler to it.
  void Bind(const char* name, int unit, const Handle& texture) const;

 private:
  Handle handle_;
};

// Nearest filtering, clamped to the edge.
Handle MakeTexture(int width, int height, GLenum internal_format);
Handle MakeBuffer(GLenum target, const void* data, size_t size);
Handle MakeVertexArray();
// Draws to these colour textures in order, and to `depth` (may have no name).
Handle MakeFramebuffer(std::initializer_list<const Handle*> colors, const Handle& depth);

}  // namespace sinew::render::gl

#endif  // SINEW_OFFLINE_RENDER_GL_H_
