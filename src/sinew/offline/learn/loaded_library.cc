#include "sinew/offline/learn/loaded_library.h"

#include <dlfcn.h>

#include <filesystem>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/program_file.h"

namespace sinew::learn {
namespace fs = std::filesystem;

LoadedLibrary::LoadedLibrary(const std::string& name, const std::string& purpose, const std::string& remedy)
    : name_(name), remedy_(remedy) {
  std::error_code none;
  const fs::path here = ProgramFile().parent_path();
  std::string reason;
  for (const std::string& path : {(here / name).string(), (here / "../lib" / name).string(), name}) {
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle_ != nullptr) return;
    reason = dlerror();
    if (fs::exists(path, none)) throw FailedError("cannot load " + path + ": " + reason);
  }
  // Found on the search path, but without something that it needs itself.
  if (reason.rfind(name + ": cannot open", 0) != 0) throw FailedError("cannot load " + name + ": " + reason);
  throw FailedError(purpose + " needs " + name + ", which is not there; " + remedy);
}

void* LoadedLibrary::Address(const char* function) const {
  void* const address = dlsym(handle_, function);
  if (address == nullptr) throw FailedError(name_ + " has no " + function + "; " + remedy_);
  return address;
}

}  // namespace sinew::learn
