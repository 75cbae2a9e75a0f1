// Training of a contact field for a character (equation 4 with one hidden layer, and joints as handles), into the form
// that bundles hold (tables/contact_builder.h).
#ifndef SINEW_OFFLINE_CONTACT_PRESS_FIELD_H_
#define SINEW_OFFLINE_CONTACT_PRESS_FIELD_H_

#include <span>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/contact/press_subject.h"
#include "sinew/offline/contact/train_network.h"
#include "sinew/offline/tables/contact_builder.h"

namespace sinew::contact {

struct PressField {
  tables::RawContactField field;
  Trained trained;
  // Root of summed |prediction - full|^2 over summed |linear - full|^2, over all vertices of samples with contact:
  // of those that were trained on, and of those that were held back, 0 if none were.
  double seen_error = 0, held_error = 0;
  // Largest prediction in samples without contact, as a share of the largest simulated displacement.
  double hover = 0;
  int seen = 0, held = 0;  // numbers of samples
};

// Trains a field. width: of the hidden layer. Of every twenty shards one is held back, of fewer none. Throws
// UsageError without samples.
PressField TrainPressField(const PressSubject& subject, std::span<const PressShard> shards, int width,
                           const TrainOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_FIELD_H_
