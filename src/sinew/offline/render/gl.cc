#include "sinew/offline/render/gl.h"

#include <epoxy/egl.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::render::gl {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  throw FailedError(fmt::format(
      "pictures need OpenGL without a window, and {}; install the Debian packages libegl1, libegl-mesa0 and "
      "libgl1-mesa-dri",
      what));
}

EGLDisplay OpenDisplay() {
  // Uses the software driver even if there is a GPU, so that pictures are the same everywhere.
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  // Uses as many threads as the rest of the program; the picture does not depend on their number.
  setenv("LP_NUM_THREADS", std::to_string(Pool().concurrency()).c_str(), 1);
  if (!epoxy_has_egl()) Fail("no EGL library was found");
  if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    Fail("EGL has no surfaceless platform here");
  }
  const EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  EGLint major = 0, minor = 0;
  if (display == EGL_NO_DISPLAY || eglInitialize(display, &major, &minor) == EGL_FALSE) {
    Fail("EGL's surfaceless display did not start");
  }
  return display;
}

GLuint Compile(GLenum stage, std::string_view source) {
  const GLuint shader = glCreateShader(stage);
  const std::string whole = "#version 330 core\n" + std::string(source);
  const char* text = whole.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok == GL_FALSE) {
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof(log), nullptr, log);
    throw FailedError(fmt::format("the OpenGL driver rejects one of our shaders: {}", log));
  }
  return shader;
}

}  // namespace

Context::Context() {
  display_ = OpenDisplay();
  if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) Fail("EGL offers no desktop OpenGL");
  const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (context_ == EGL_NO_CONTEXT) Fail("the driver has no OpenGL 3.3");
  MakeCurrent();
}

void Context::MakeCurrent() const {
  if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_FALSE) {
    Fail("the driver cannot work without a surface");
  }
}

Context::~Context() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
}

Program::Program(std::string_view vertex, std::string_view fragment)
    : handle_(glCreateProgram(), [](GLuint name) { glDeleteProgram(name); }) {
  for (const auto& [stage, source] : {std::pair(GL_VERTEX_SHADER, vertex), std::pair(GL_FRAGMENT_SHADER, fragment)}) {
    const GLuint shader = Compile(stage, source);
    glAttachShader(handle_.name(), shader);
    glDeleteShader(shader);
  }
  glLinkProgram(handle_.name());
  GLint ok = 0;
  glGetProgramiv(handle_.name(), GL_LINK_STATUS, &ok);
  if (ok == GL_FALSE) throw FailedError("the OpenGL driver cannot link one of our shaders");
}

void Program::Use() const { glUseProgram(handle_.name()); }

void Program::Set(const char* name, int value) const { glUniform1i(glGetUniformLocation(handle_.name(), name), value); }
void Program::Set(const char* name, float value) const {
  glUniform1f(glGetUniformLocation(handle_.name(), name), value);
}
void Program::Set(const char* name, const Eigen::Vector2f& value) const {
  glUniform2fv(glGetUniformLocation(handle_.name(), name), 1, value.data());
}
void Program::Set(const char* name, const Eigen::Vector3f& value) const {
  glUniform3fv(glGetUniformLocation(handle_.name(), name), 1, value.data());
}
void Program::Set(const char* name, const Eigen::Matrix3f& value) const {
  glUniformMatrix3fv(glGetUniformLocation(handle_.name(), name), 1, GL_FALSE, value.data());
}
void Program::Set(const char* name, const Eigen::Matrix4f& value) const {
  glUniformMatrix4fv(glGetUniformLocation(handle_.name(), name), 1, GL_FALSE, value.data());
}

void Program::Bind(const char* name, int unit, const Handle& texture) const {
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, texture.name());
  Set(name, unit);
}

Handle MakeTexture(int width, int height, GLenum internal_format) {
  GLuint name = 0;
  glGenTextures(1, &name);
  Handle texture(name, [](GLuint n) { glDeleteTextures(1, &n); });
  glBindTexture(GL_TEXTURE_2D, name);
  const bool depth = internal_format == GL_DEPTH_COMPONENT32F;
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal_format), width, height, 0,
               depth ? GL_DEPTH_COMPONENT : GL_RGBA, depth ? GL_FLOAT : GL_UNSIGNED_BYTE, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  }
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  }
  return texture;
}

Handle MakeBuffer(GLenum target, const void* data, size_t size) {
  GLuint name = 0;
  glGenBuffers(1, &name);
  Handle buffer(name, [](GLuint n) { glDeleteBuffers(1, &n); });
  glBindBuffer(target, name);
  glBufferData(target, static_cast<GLsizeiptr>(size), data, GL_STATIC_DRAW);
  return buffer;
}

Handle MakeVertexArray() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return Handle(name, [](GLuint n) { glDeleteVertexArrays(1, &n); });
}

Handle MakeFramebuffer(std::initializer_list<const Handle*> colors, const Handle& depth) {
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  Handle framebuffer(name, [](GLuint n) { glDeleteFramebuffers(1, &n); });
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  std::vector<GLenum> targets;
  for (const Handle* color : colors) {
    targets.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(targets.size()));
    glFramebufferTexture2D(GL_FRAMEBUFFER, targets.back(), GL_TEXTURE_2D, color->name(), 0);
  }
  if (targets.empty()) targets.push_back(GL_NONE);
  glDrawBuffers(static_cast<GLsizei>(targets.size()), targets.data());
  if (depth.name() != 0) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth.name(), 0);
  }
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw FailedError("the OpenGL driver cannot draw a picture of this size; make it smaller");
  }
  return framebuffer;
}

}  // namespace sinew::render::gl
