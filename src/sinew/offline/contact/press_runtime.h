// The runtime's own view of a character's contacts: poses fields of a contact table for samples and moves their
// vertices, so that what is trained on and what is measured is what ships.
#ifndef SINEW_OFFLINE_CONTACT_PRESS_RUNTIME_H_
#define SINEW_OFFLINE_CONTACT_PRESS_RUNTIME_H_

#include <vector>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/contact/press_subject.h"
#include "sinew/offline/tables/contact_builder.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/contact/contact_tile.h"

namespace sinew::contact {

// Puts the distance grid of the subject's collider, in its sizes, into a field.
void PutGrid(const PressSubject& subject, tables::RawContactField& field);

// Field without layers that sees every touch and every joint as trained, with a depth of one collider size: for looking
// at samples before there is a field.
tables::RawContactField BlankField(const PressSubject& subject);

class PressRuntime {
 public:
  // table: its first field is used. Both must stay alive.
  PressRuntime(const PressSubject& subject, const runtime::ContactTable& table);

  // A posed field with its touch in a sample, and the memory that it lives in.
  struct Posed {
    runtime::PosedField field;
    bool beyond = false;  // whether the touch is outside of what was trained
    Block memory;
  };
  // Throws FailedError if the sample's pose is not rigid.
  Posed Pose(const PressShard& shard, const PressSample& sample, bool push_out = false) const;

  // Looks at vertex v of the shard. Returns false if it is not in the window or nothing touches.
  bool Look(const Posed& posed, const PressShard& shard, uint32_t v, runtime::SeenVertex* seen) const;

  // Displacements of the sample's vertices in the collider's space, in its sizes.
  std::vector<Eigen::Vector3f> Displacements(Posed& posed, const PressShard& shard, const PressSample& sample) const;

 private:
  const PressSubject& subject_;
  const runtime::ContactTable& table_;
  tables::BuiltSkin skin_;
  std::vector<int16_t> slots_;                        // one per joint
  std::vector<std::vector<runtime::Affine>> models_;  // of the joints, per state
  std::vector<std::vector<uint16_t>> joints_;         // of each vertex's influences
  std::vector<std::vector<float>> weights_;
};

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_RUNTIME_H_
