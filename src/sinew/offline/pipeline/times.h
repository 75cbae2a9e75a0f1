// times.json: everything in a build's folder that a clock measured, so that all other files are the same bytes every
// time. A file that is missing or damaged is an empty one: nothing but times is lost.
#ifndef SINEW_OFFLINE_PIPELINE_TIMES_H_
#define SINEW_OFFLINE_PIPELINE_TIMES_H_

#include <filesystem>
#include <string>

#include "sinew/offline/core/json.h"

namespace sinew::pipeline {

class Times {
 public:
  explicit Times(std::filesystem::path file);

  // Null if there is none. group: "stages" (how long stages took), "records" (of stages that measure), "measured".
  const Json* Find(const std::string& group, const std::string& name) const;
  // Kept on disk at once.
  void Set(const std::string& group, const std::string& name, Json value);
  void Remove(const std::string& group, const std::string& name);

 private:
  void Write() const;

  std::filesystem::path file_;
  Json json_;
};

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_TIMES_H_
