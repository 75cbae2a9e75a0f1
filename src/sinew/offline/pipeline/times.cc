#include "sinew/offline/pipeline/times.h"

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::pipeline {

Times::Times(std::filesystem::path file) : file_(std::move(file)), json_(Json::object()) {
  if (!std::filesystem::is_regular_file(file_)) return;
  const Json read = Json::parse(ReadTextFile(file_), nullptr, false);
  if (read.is_object()) json_ = read;
}

const Json* Times::Find(const std::string& group, const std::string& name) const {
  const auto found = json_.find(group);
  if (found == json_.end() || !found->is_object()) return nullptr;
  const auto value = found->find(name);
  return value == found->end() ? nullptr : &*value;
}

void Times::Set(const std::string& group, const std::string& name, Json value) {
  Json& in = json_[group];
  if (!in.is_object()) in = Json::object();
  in[name] = std::move(value);
  Write();
}

void Times::Remove(const std::string& group, const std::string& name) {
  if (Find(group, name) == nullptr) return;
  json_[group].erase(name);
  Write();
}

void Times::Write() const { WriteFileAtomic(file_, JsonText(json_, 1) + "\n"); }

}  // namespace sinew::pipeline
