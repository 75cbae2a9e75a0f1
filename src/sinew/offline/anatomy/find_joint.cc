#include "sinew/offline/anatomy/find_joint.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/nearest_words.h"

namespace sinew {

int FindNamedJoint(const Skeleton& skeleton, const std::vector<JointIdentity>& identities, std::string_view name) {
  const int own = skeleton.Find(name);
  if (own >= 0 || name.empty()) return own;
  const auto found = std::find_if(identities.begin(), identities.end(),
                                  [&](const JointIdentity& identity) { return CanonicalName(identity) == name; });
  return found == identities.end() ? -1 : static_cast<int>(found - identities.begin());
}

std::string UnknownJoint(const Skeleton& skeleton, const std::vector<JointIdentity>& identities,
                         std::string_view name) {
  if (skeleton.joints.empty()) return fmt::format("there is no joint '{}': the character has no skeleton", name);
  std::vector<std::string> names;
  const auto add = [&](const std::string& word) {
    if (!word.empty() && std::find(names.begin(), names.end(), word) == names.end()) names.push_back(word);
  };
  for (const Joint& joint : skeleton.joints) add(joint.name);
  for (const JointIdentity& identity : identities) add(CanonicalName(identity));
  constexpr size_t kShown = 3;
  return fmt::format("there is no joint '{}'; the nearest names are {} (`sinew inspect FILE --joints` lists all)", name,
                     fmt::join(NearestWords(name, names, kShown), ", "));
}

}  // namespace sinew
