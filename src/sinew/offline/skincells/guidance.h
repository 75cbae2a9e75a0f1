// User control of the weights: guides that pull weights toward targets, and joints and vertices that keep theirs.
#ifndef SINEW_OFFLINE_SKINCELLS_GUIDANCE_H_
#define SINEW_OFFLINE_SKINCELLS_GUIDANCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/skincells/training_set.h"

namespace sinew::skincells {

// Weights that an artist painted, as a character or as a table of numbers.
struct Paint {
  std::string file;                      // for messages
  double strength = 1;                   // factor on the strength of every guide
  const Character* character = nullptr;  // null: the table is used
  // Table of vertices x joints, or of vertices x joints x 2 with a strength beside every weight. Vertices are those of
  // the character that is skinned: of the parts that take weights, in order. Joints are those that may carry weight, in
  // the order of the skeleton. Entries whose weight is not a number make no guide.
  std::vector<double> values;
  std::vector<int64_t> shape;
};

// Makes guides from painted weights. A painted surface is laid over the subject's: a vertex takes the weights of the
// nearest painted point, if that is near. A painted part of the body, another order of vertices and another level of
// detail therefore all work. A vertex attribute _STRENGTH of the painted mesh multiplies the strength. Throws
// InputError for a table of another shape, and for a joint that the subject lacks. file: the subject's, for messages.
std::vector<Guide> GuidesFromPaint(const Subject& subject, const std::string& file, const Paint& paint);

// Makes guides toward the weights of the body where the garment is near it, since cloth that lies on the skin should
// move as the skin does. Their strength falls with the distance. Returns none if the garment lacks joints of the body.
std::vector<Guide> GuidesFromBody(const Subject& garment, const std::string& file, const Character& body,
                                  const std::string& body_file);

// Vertices and joints that keep their old weights. An empty vector stands for none.
struct Kept {
  std::vector<bool> vertices;  // per vertex of the subject's surface
  std::vector<bool> joints;    // per joint of the skeleton

  bool any() const { return !vertices.empty() || !joints.empty(); }
};

// Collects what is to keep its weights. locks: names of joints. mask: one entry per vertex of the character, parts in
// order, true for vertices to keep; may be empty. Throws UsageError for a joint that is not there or may carry no
// weight, and for a mask of another size.
Kept MakeKept(const Subject& subject, const Character& character, const std::vector<std::string>& locks,
              const std::vector<bool>& mask, const std::string& file);

// Makes guides toward the weights that are kept anyway, so that the rest of the field fits them.
std::vector<Guide> GuidesFromKept(const Subject& subject, const SkinWeights& old, const Kept& kept);

// Returns the weights with the kept ones put back: kept vertices have their old weights, and where a kept joint has a
// weight the other joints share what it leaves. At most l influences per vertex, kept joints first.
SkinWeights PutBack(const Subject& subject, const SkinWeights& weights, const SkinWeights& old, const Kept& kept,
                    int l);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_GUIDANCE_H_
