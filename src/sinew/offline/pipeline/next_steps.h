// Section of a build's page that says what to do with the result: commands that an artist copies.
#ifndef SINEW_OFFLINE_PIPELINE_NEXT_STEPS_H_
#define SINEW_OFFLINE_PIPELINE_NEXT_STEPS_H_

#include <string>

#include "sinew/offline/report/page.h"

namespace sinew::pipeline {

struct NextSteps {
  std::string folder;      // name of the build's folder; empty: nothing is added
  int training_poses = 0;  // that the build learned from; 0: more of them are not advised, since nothing is to learn
  bool biped = false;      // whether it has elbows to look at
};

void AddNextSteps(const NextSteps& steps, report::Page& page);

// Returns a word of a command line as a shell takes it: in quotes if it has other characters than those of plain names.
std::string ShellWord(const std::string& word);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_NEXT_STEPS_H_
