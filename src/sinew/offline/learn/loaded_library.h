// Library of ours that is built apart and loaded while the program runs. It is searched for in the program's folder, in
// ../lib relative to it, and in the system's search path.
#ifndef SINEW_OFFLINE_LEARN_LOADED_LIBRARY_H_
#define SINEW_OFFLINE_LEARN_LOADED_LIBRARY_H_

#include <string>

namespace sinew::learn {

class LoadedLibrary {
 public:
  // name: of the file. purpose: what needs it, as "training on a CUDA device". remedy: what to do where it is missing,
  // as "build it with `scripts/cuda`". Throws FailedError if it is missing or cannot be loaded. It stays loaded:
  // threads of what it brings along do not end before the program does.
  LoadedLibrary(const std::string& name, const std::string& purpose, const std::string& remedy);

  // Returns a function of the library. Throws FailedError if it has none of that name.
  template <typename Function>
  Function Find(const char* function) const {
    return reinterpret_cast<Function>(Address(function));
  }

 private:
  void* Address(const char* function) const;

  std::string name_, remedy_;
  void* handle_ = nullptr;
};

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_LOADED_LIBRARY_H_
