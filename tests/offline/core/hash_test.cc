#include "sinew/offline/core/hash.h"

#include <gtest/gtest.h>

#include <string_view>

namespace sinew {
namespace {

std::string HashText(std::string_view text) { return HashHex(std::as_bytes(std::span(text.data(), text.size()))); }

TEST(Hash, KnownValueOfTheEmptyInput) { EXPECT_EQ(HashText(""), "99aa06d3014798d86001c324468d497f"); }

TEST(Hash, DiffersWhereInputsDiffer) { EXPECT_NE(HashText("a"), HashText("b")); }

}  // namespace
}  // namespace sinew
