// Access to times.json, which holds everything in a build's folder that a clock measured, so that all other files are
// the same bytes in every run. A missing or damaged file counts as empty: only times are lost.
#ifndef SINEW_OFFLINE_PIPELINE_TIMES_H_
#define SINEW_OFFLINE_PIPELINE_TIMES_H_

#include <filesystem>
#include <string>

#include "sinew/offline/core/json.h"

namespace sinew::pipeline {

class Times {
 public:
  explicit Times(std::filesystem::path file);

  // Returns an entry, or null if there is none.
  // group: "stages" (durations of stages), "records" (records of stages with Stage::measured), or "measured" (results
  // of measurements).
  const Json* Find(const std::string& group, const std::string& name) const;
  // Set and remove an entry; the file is written at once.
  void Set(const std::string& group, const std::string& name, Json value);
  void Remove(const std::string& group, const std::string& name);

 private:
  void Write() const;

  std::filesystem::path file_;
  Json json_;
};

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_TIMES_H_
