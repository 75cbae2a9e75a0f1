// Training of a contact field for a character (equation 4 with one hidden layer, and joints as handles), into the form
// that bundles hold (tables/contact_builder.h).
#ifndef SINEW_OFFLINE_CONTACT_PRESS_FIELD_H_
#define SINEW_OFFLINE_CONTACT_PRESS_FIELD_H_

#include <span>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/contact/press_measure.h"
#include "sinew/offline/contact/press_subject.h"
#include "sinew/offline/contact/train_network.h"
#include "sinew/offline/tables/contact_builder.h"

namespace sinew::contact {

struct PressField {
  tables::RawContactField field;
  Trained trained;
  PressErrors errors;  // of the built table, by the runtime
  // Errors of the network before its numbers are rounded to those of the table, as PressErrors has them.
  double network_seen = 0, network_held = 0;
};

// Trains a field. width: of the hidden layer. Of every twenty shards one is held back, of fewer none. Throws UsageError
// without samples.
PressField TrainPressField(const PressSubject& subject, std::span<const PressShard> shards, int width,
                           const TrainOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_FIELD_H_
