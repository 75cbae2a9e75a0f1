// The writer's middle: what changed since a character was read, into the document that it came from. A character that
// came from nowhere is the same case with an empty document: then everything is new.
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
  Decoded original;  // the source document, read again: what "unchanged" means
  Packer packer;
  std::vector<int> joint_nodes;               // the node of each joint of the character
  std::vector<int> document_skins;            // character's skin -> document's, -1 for what stays attached to a node
  std::vector<std::vector<int>> skin_joints;  // per skin of the character: joint -> its number in the skin, -1
  std::vector<bool> renumbered;               // per skin of the character: those numbers are not the source's

  Json& json() { return packer.json(); }
  // Appends to a list of the document; returns the index.
  int Append(const char* list, Json item);
  Json& scene();
};

// In this order.
void WriteJoints(WriteContext& context);
void WriteSkins(WriteContext& context);
void WriteParts(WriteContext& context);
void WriteAnimations(WriteContext& context);

}  // namespace sinew::gltf

#endif  // SINEW_OFFLINE_IO_GLTF_WRITE_H_
