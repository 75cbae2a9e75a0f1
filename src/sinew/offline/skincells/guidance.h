// What the user has to say about the weights: guides that pull, joints and vertices that stay as they are.
#ifndef SINEW_OFFLINE_SKINCELLS_GUIDANCE_H_
#define SINEW_OFFLINE_SKINCELLS_GUIDANCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/skincells/training_set.h"

namespace sinew::skincells {

// Weights that an artist painted, as a character or as a table of numbers.
struct Paint {
  std::string file;
  double strength = 1;
  const Character* character = nullptr;  // null: the table
  // vertices x joints, or vertices x joints x 2 with a strength of its own beside every weight. Vertices are those of
  // the character that is skinned, parts that take weights in order; joints are those that may carry weight, in the
  // order of the skeleton. A weight that is not a number says nothing.
  std::vector<double> values;
  std::vector<int64_t> shape;
};

// The painted surface is laid over the subject's: a vertex takes what the nearest point of it says, if that is near; so
// a painted part of the body, another order of vertices and another level of detail all do. A vertex attribute
// _STRENGTH of the painted mesh multiplies the strength. Throws InputError for a table of another shape, and for a
// joint that the subject lacks. file: the subject's.
std::vector<Guide> GuidesFromPaint(const Subject& subject, const std::string& file, const Paint& paint);

// Cloth that lies on the skin should move as the skin does: guides toward the weights of the body where the garment is
// near it, the weaker the farther. None if the garment lacks joints of the body.
std::vector<Guide> GuidesFromBody(const Subject& garment, const std::string& file, const Character& body,
                                  const std::string& body_file);

// What is to stay as it is.
struct Kept {
  std::vector<bool> vertices;  // per vertex of the subject's surface
  std::vector<bool> joints;    // per joint of the skeleton

  bool any() const { return !vertices.empty() || !joints.empty(); }
};

// locks: names of joints. mask: per vertex of the character, parts in order, or empty. Throws UsageError for a joint
// that is not there or may carry no weight, and for a mask of another size.
Kept MakeKept(const Subject& subject, const Character& character, const std::vector<std::string>& locks,
              const std::vector<bool>& mask, const std::string& file);

// Pulls the field toward what is kept anyway, so that the rest fits to it.
std::vector<Guide> GuidesFromKept(const Subject& subject, const SkinWeights& old, const Kept& kept);

// The weights with what is kept put back: kept vertices have their old weights, and where a kept joint has a weight the
// others share what it leaves. At most l a vertex, the kept joints first.
SkinWeights PutBack(const Subject& subject, const SkinWeights& weights, const SkinWeights& old, const Kept& kept,
                    int l);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_GUIDANCE_H_
