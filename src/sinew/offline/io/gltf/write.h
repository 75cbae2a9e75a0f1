// Middle layer of the writer: puts what changed since a character was read into the document that it came from. A
// character that came from nowhere is the same case with an empty document: then everything is new.
#ifndef SINEW_OFFLINE_IO_GLTF_WRITE_H_
#define SINEW_OFFLINE_IO_GLTF_WRITE_H_

#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/gltf/packer.h"
#include "sinew/offline/io/gltf/read.h"

namespace sinew::gltf {

struct WriteContext {
  const Character& character;
  Decoded original;  // the source document, read again: it defines what "unchanged" means
  Packer packer;
  std::vector<int> joint_nodes;     // node of each joint of the character
  std::vector<int> document_skins;  // character's skin -> document's, -1 for one whose parts hang below a joint
  std::vector<std::vector<int>> skin_joints;  // per skin of the character: number in the skin of each joint, -1: none
  std::vector<bool> renumbered;  // per skin of the character: whether those numbers differ from the source's

  Json& json() { return packer.json(); }
  // Appends an item to a list of the document and returns its index.
  int Append(const char* list, Json item);
  Json& scene();
};

// The steps of writing, to be called in this order.
void WriteJoints(WriteContext& context);
void WriteSkins(WriteContext& context);
void WriteParts(WriteContext& context);
void WriteAnimations(WriteContext& context);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_WRITE_H_
