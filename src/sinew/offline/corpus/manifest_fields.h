// Fields that the manifests of corpora and of packs share. Internal to this folder.
#ifndef SINEW_OFFLINE_CORPUS_MANIFEST_FIELDS_H_
#define SINEW_OFFLINE_CORPUS_MANIFEST_FIELDS_H_

#include <fmt/format.h>

#include <climits>
#include <set>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/corpus/manifest.h"

namespace sinew::corpus {

// All throw InputError, by `fields`, for what the formats do not allow.
std::string ReadHash(const JsonFields& fields, const char* key);
uint64_t ReadSeed(const JsonFields& fields);
std::vector<std::string> ReadTexts(const JsonFields& fields, const char* key);

// Reads and writes what both manifests begin with: format, version, name, seed, recipe and test families. what: what
// the file should be the manifest of, as in "a corpus".
template <typename Manifest>
void ReadHeading(const JsonFields& fields, const char* format, int version, const char* what, Manifest& manifest) {
  if (fields.String("format") != format) fields.Fail(fmt::format("is not the manifest of {}", what));
  if (fields.Integer("version", 1, INT_MAX) != version) fields.Fail("is of a version that this program does not know");
  manifest.name = fields.String("name");
  manifest.seed = ReadSeed(fields);
  manifest.recipe = fields.String("recipe");
  manifest.test_families = ReadTexts(fields, "test_families");
}
template <typename Manifest>
Json HeadingJson(const char* format, int version, const Manifest& manifest) {
  return {{"format", format},      {"version", version},        {"name", manifest.name},
          {"seed", manifest.seed}, {"recipe", manifest.recipe}, {"test_families", manifest.test_families}};
}

// Reads and writes the fields of a body that are known before it is made.
CorpusBody ReadPlannedBody(const JsonFields& fields);
Json PlannedJson(const CorpusBody& body);

// Refuses entries of one name. what: plural of what they are.
template <typename Entry>
void CheckUnique(const std::vector<Entry>& entries, const JsonFields& fields, const char* what) {
  std::set<std::string> names;
  for (const Entry& entry : entries) {
    if (!names.insert(entry.name).second) fields.Fail(fmt::format("has two {} called \"{}\"", what, entry.name));
  }
}

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_MANIFEST_FIELDS_H_
