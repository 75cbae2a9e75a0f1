// Asks what `sinew inspect` knows about a character before a build spends hours on it.
#ifndef SINEW_OFFLINE_PIPELINE_CHECK_SUBJECT_H_
#define SINEW_OFFLINE_PIPELINE_CHECK_SUBJECT_H_

#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::pipeline {

struct SubjectCheck {
  std::vector<std::string> warnings;  // sentences: the result will suffer
  std::string error;                  // a clause without remedy: the result would be worthless; empty if it would not
};

// Returns the warnings and the first error of the inspection, without those of the file's reader. weighted: whether the
// character has weights of its own, or only will get some: then a skeleton most of whose joints stand outside of the
// mesh is an error, since weights and flesh are made by where the joints stand.
SubjectCheck CheckSubject(const Character& character, bool weighted);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CHECK_SUBJECT_H_
