// Builds the runtime's ContactTable from trained contact fields. Depends only on the standard library and the runtime.
#ifndef SINEW_OFFLINE_TABLES_CONTACT_BUILDER_H_
#define SINEW_OFFLINE_TABLES_CONTACT_BUILDER_H_

#include <array>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/contact/contact_table.h"

namespace sinew::tables {

// Joint that a field depends on.
struct RawContactHandle {
  int joint = 0;
  float share = 1;                // how much of the field vertices of this joint get, 0 to 1
  std::array<float, 12> least{};  // trained range of its numbers, in the order of runtime::ContactTable
  std::array<float, 12> most{};
  std::vector<float> B;  // 12 * width, one number of the joint after another
};

// One field, with the meaning of runtime::ContactTable.
struct RawContactField {
  std::string name;  // of the collider
  int width = 0;     // of the hidden layer, at least 1
  float unit = 1, output = 1;
  float window = 1, depth = 1, largest = 1;
  std::array<float, runtime::ContactTable::kPlaceNumbers> least{}, most{};
  std::array<float, runtime::ContactTable::kTouchNumbers> touch_least{}, touch_most{};
  std::vector<float> A;  // kPlaceNumbers * width, one number after another
  std::vector<float> C;  // kTouchNumbers * width, one number after another
  std::vector<float> b;  // width
  std::vector<float> W;  // 3 * width, one coordinate after another
  std::array<float, 3> c{};
  std::vector<RawContactHandle> handles;  // by increasing joint
  // Grid of signed distances, in `unit`, z fastest.
  std::array<int, 3> counts{};
  std::array<float, 3> origin{}, spacing{};
  std::vector<float> distances;
};

struct BuiltContact {
  Block block;                  // what a bundle stores
  runtime::ContactTable table;  // points into the block
};

// Builds the table of all fields. Widths are filled up with units that add nothing. Throws InputError, naming the
// field, for arrays that do not fit together, numbers that are not finite or too large for half floats, two fields of
// one name, more fields than ContactTable::kMaxFields, and a grid at whose border the window is not yet 0.
BuiltContact BuildContact(const std::vector<RawContactField>& fields);

// Returns the fields of a table as they were given to BuildContact(), in the precision of the table.
std::vector<RawContactField> FieldsOf(const runtime::ContactTable& table);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_CONTACT_BUILDER_H_
