// OpenGL without a window or a GPU: a context on Mesa's software driver through EGL, and classes that own OpenGL's
// objects. Private to render/.
#ifndef SINEW_OFFLINE_RENDER_GL_H_
#define SINEW_OFFLINE_RENDER_GL_H_

#include <epoxy/gl.h>

#include <Eigen/Core>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace sinew::render::gl {

// OpenGL context. It is current on the thread that made it until another one is made current there. The constructor
// throws FailedError if EGL cannot start.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Makes this the current context, on which everything else in this file acts.
  void MakeCurrent() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

using Deleter = void (*)(GLuint);

// Owner of one OpenGL object: its name and the function that deletes it. Name 0: none.
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
  // vertex, fragment: sources of the two stages, without the #version line.
  Program(std::string_view vertex, std::string_view fragment);

  void Use() const;
  // Set a uniform of the program in use; one that the compiler removed is silently skipped.
  void Set(const char* name, int value) const;
  void Set(const char* name, float value) const;
  void Set(const char* name, const Eigen::Vector2f& value) const;
  void Set(const char* name, const Eigen::Vector3f& value) const;
  void Set(const char* name, const Eigen::Matrix3f& value) const;
  void Set(const char* name, const Eigen::Matrix4f& value) const;
  // Binds a 2D texture to a texture unit, and the sampler to that unit.
  void Bind(const char* name, int unit, const Handle& texture) const;

 private:
  Handle handle_;
};

// Makes an empty 2D texture with nearest filtering, clamped to the edge.
Handle MakeTexture(int width, int height, GLenum internal_format);
Handle MakeBuffer(GLenum target, const void* data, size_t size);
Handle MakeVertexArray();
// Makes a framebuffer that draws to the colour textures, in this order, and to `depth`, which may have no name.
Handle MakeFramebuffer(std::initializer_list<const Handle*> colors, const Handle& depth);

}  // namespace sinew::render::gl

#endif  // SINEW_OFFLINE_RENDER_GL_H_
