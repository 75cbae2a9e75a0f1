#include "sinew/offline/corpus/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "sinew/offline/anatomy/human_motion.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"

namespace sinew::corpus {
namespace {

using Sentences = std::vector<std::string>;

// Looks for entries that share a key and are on different sides. key(entry): empty for entries to skip.
template <typename Entry, typename Key, typename Sentence>
void FindShared(const std::vector<Entry>& entries, const Key& key, const Sentence& sentence, Sentences& leaks) {
  std::map<std::string, const Entry*> first;
  for (const Entry& entry : entries) {
    if (key(entry).empty()) continue;
    const Entry* other = first.emplace(key(entry), &entry).first->second;
    if (other->side != entry.side) leaks.push_back(sentence(*other, entry));
  }
}

std::string Both(const std::string& a, Side side_a, const std::string& b, Side side_b) {
  return fmt::format("\"{}\" ({}) and \"{}\" ({})", a, Name(side_a), b, Name(side_b));
}

void FindBodyLeaks(const std::vector<CorpusBody>& bodies, Sentences& leaks) {
  using Body = CorpusBody;
  FindShared(
      bodies, [](const Body& body) { return body.identity; },
      [](const Body& a, const Body& b) {
        return fmt::format("{} are the same body, identity \"{}\", on two sides", Both(a.name, a.side, b.name, b.side),
                           a.identity);
      },
      leaks);
  FindShared(
      bodies, [](const Body& body) { return body.character; },
      [](const Body& a, const Body& b) {
        return fmt::format("{} are the same file on two sides", Both(a.name, a.side, b.name, b.side));
      },
      leaks);
  FindShared(
      bodies, [](const Body& body) { return body.build; },
      [](const Body& a, const Body& b) {
        return fmt::format("{} have the same bones, as a body and its remesh, garment or mirror image do, on two sides",
                           Both(a.name, a.side, b.name, b.side));
      },
      leaks);
}

void FindDressLeaks(const std::vector<CorpusBody>& bodies, Sentences& leaks) {
  FindShared(
      bodies, [](const CorpusBody& body) { return body.dress < 0 ? "" : std::to_string(body.dress); },
      [](const CorpusBody& a, const CorpusBody& b) {
        return fmt::format("{} wear the same dress recipe, {}, on two sides", Both(a.name, a.side, b.name, b.side),
                           a.dress);
      },
      leaks);
  // A garment is shaped as the body is that it was made for, and its file has the bones of that.
  std::map<std::string, const CorpusBody*> by_build;
  for (const CorpusBody& body : bodies) {
    if (!body.build.empty()) by_build.emplace(body.build, &body);
  }
  for (const CorpusBody& body : bodies) {
    const auto made_for = by_build.find(body.garment_build);
    if (body.garment.empty() || made_for == by_build.end() || made_for->second->side == body.side) continue;
    const CorpusBody& other = *made_for->second;
    leaks.push_back(fmt::format("\"{}\" ({}) wears {}, which was made for \"{}\" ({})", body.name, Name(body.side),
                                body.garment, other.name, Name(other.side)));
  }
}

void FindMixLeaks(const CorpusManifest& manifest, Sentences& leaks) {
  for (const CorpusBody& body : manifest.bodies) {
    if (!body.parents.empty() && body.side == Side::kTest) {
      leaks.push_back(fmt::format("\"{}\" is a mix, and mixes are never test bodies", body.name));
    }
    for (const std::string& name : body.parents) {
      const int p = manifest.FindBody(name);
      if (p < 0) {
        leaks.push_back(fmt::format("\"{}\" is a mix of \"{}\", which is not in the corpus", body.name, name));
        continue;
      }
      const CorpusBody& parent = manifest.bodies[p];
      if (parent.side != body.side) {
        leaks.push_back(
            fmt::format("\"{}\" ({}) is a mix of \"{}\" ({}): a mix belongs to the split of all its parents", body.name,
                        Name(body.side), name, Name(parent.side)));
      }
    }
  }
}

void FindFamilyLeaks(const CorpusManifest& manifest, Sentences& leaks) {
  for (const CorpusBody& body : manifest.bodies) {
    const auto& families = manifest.test_families;
    const bool test = std::find(families.begin(), families.end(), body.family) != families.end();
    if (!test || body.side == Side::kTest) continue;
    leaks.push_back(fmt::format("\"{}\" ({}) is of the test family \"{}\"", body.name, Name(body.side), body.family));
  }
}

void FindClipLeaks(const std::vector<CorpusClip>& clips, Sentences& leaks) {
  using Clip = CorpusClip;
  FindShared(
      clips, [](const Clip& clip) { return clip.hash; },
      [](const Clip& a, const Clip& b) {
        return fmt::format("{} are the same clip on two sides", Both(a.name, a.side, b.name, b.side));
      },
      leaks);
  FindShared(
      clips, [](const Clip& clip) { return clip.person; },
      [](const Clip& a, const Clip& b) {
        return fmt::format("{} are clips of the same person, \"{}\", on two sides",
                           Both(a.name, a.side, b.name, b.side), a.person);
      },
      leaks);
  for (const Clip& clip : clips) {
    if (clip.side == Side::kTrain || !IsMeasuredPerson(clip.person)) continue;
    leaks.push_back(
        fmt::format("\"{}\" ({}) is a clip of person {}, whose motions made the statistics that poses are sampled from",
                    clip.name, Name(clip.side), clip.person));
  }
}

}  // namespace

std::vector<std::string> FindLeaks(const CorpusManifest& manifest) {
  Sentences leaks;
  FindBodyLeaks(manifest.bodies, leaks);
  FindDressLeaks(manifest.bodies, leaks);
  FindMixLeaks(manifest, leaks);
  FindFamilyLeaks(manifest, leaks);
  FindClipLeaks(manifest.clips, leaks);
  return leaks;
}

void RefuseLeaks(const CorpusManifest& manifest, const std::string& file) {
  const std::vector<std::string> leaks = FindLeaks(manifest);
  if (leaks.empty()) return;
  throw InputError(file, "", leaks[0], "put them on one side, or leave one out of the recipe");
}

std::string BuildOf(const Skeleton& skeleton) {
  std::vector<double> lengths;
  double sum = 0;
  for (const Joint& joint : skeleton.joints) {
    // The root's position says where a body stands, not how it is built.
    if (joint.parent < 0) continue;
    lengths.push_back(ToEigen(joint.rest.translation).cast<double>().norm());
    sum += lengths.back();
  }
  std::vector<int64_t> parts;
  for (const double length : lengths) parts.push_back(std::llround(1e4 * length / std::max(sum, 1e-30)));
  std::sort(parts.begin(), parts.end());
  return HashHex(std::as_bytes(std::span(parts)));
}

}  // namespace sinew::corpus
