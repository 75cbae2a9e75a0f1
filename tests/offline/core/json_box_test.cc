#include "sinew/offline/core/json_box.h"

#include <gtest/gtest.h>

#include <utility>

#include "sinew/offline/core/json.h"

namespace sinew {
namespace {

TEST(JsonBox, IsAValue) {
  JsonBox empty;
  EXPECT_TRUE((*std::as_const(empty)).is_null());
  JsonBox a = Json{{"key", 1}};
  JsonBox b = a;
  EXPECT_TRUE(a == b);
  (*b)["key"] = 2;
  EXPECT_EQ((*a)["key"], 1) << "a copy is its own";
  EXPECT_FALSE(a == b);
  a = b;
  EXPECT_TRUE(a == b);
  const JsonBox moved = std::move(a);
  EXPECT_EQ((*moved)["key"], 2);
  EXPECT_TRUE((*a).is_null()) << "NOLINT(bugprone-use-after-move): promised";
  (*empty)["new"] = true;
  EXPECT_EQ((*empty)["new"], true);
}

}  // namespace
}  // namespace sinew
