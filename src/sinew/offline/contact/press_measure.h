// Errors of a contact field of a character, measured by the runtime on the table that ships.
#ifndef SINEW_OFFLINE_CONTACT_PRESS_MEASURE_H_
#define SINEW_OFFLINE_CONTACT_PRESS_MEASURE_H_

#include <span>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/contact/press_subject.h"
#include "sinew/offline/tables/contact_builder.h"

namespace sinew::contact {

// Mean depth in the collider of vertices that skinning puts into it, as a share of the depth that the collider is
// pressed in; 0 if there are none.
struct Penetration {
  double skinned = 0;     // without the field
  double predicted = 0;   // with it
  double pushed_out = 0;  // with it, and Collider::push_out
  double simulated = 0;
};

struct PressErrors {
  // Root of summed |prediction - full|^2 over summed |linear - full|^2, over all vertices of samples with contact: of
  // those that were trained on, and of those that were held back, 0 if none were.
  double seen = 0, held = 0;
  double outside = 0;  // part of the error that is out of the window's reach, over all samples
  double hover = 0;    // largest prediction without contact, as a share of the largest simulated displacement
  int seen_samples = 0, held_samples = 0;
  Penetration penetration;  // of samples that were held back, or of all if none were
};

// Measures the only field of a table.
PressErrors MeasurePresses(const PressSubject& subject, std::span<const PressShard> shards,
                           const runtime::ContactTable& table);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_MEASURE_H_
