// Text that came from outside, made fit to be shown or stored: names and file names may hold any bytes at all.
#ifndef SINEW_OFFLINE_CORE_TEXT_H_
#define SINEW_OFFLINE_CORE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

bool IsUtf8(std::string_view bytes);

// Replaces every ill-formed UTF-8 sequence by U+FFFD and leaves the rest as it is.
std::string ToUtf8(std::string_view bytes);

// Converts any bytes to UTF-8 text that a terminal shows and does not obey: control characters, terminal escapes and
// characters that reverse the direction of writing become "\x1b" or "\u202e". Line breaks and tabs are kept.
std::string PrintableText(std::string_view bytes);

// Converts any bytes to one line for the user. As PrintableText(), and line breaks become "\n", a word in quotes that
// is longer than kMaxQuoted characters is shortened in its middle, and so is the whole beyond kMaxMessage.
std::string PrintableLine(std::string_view bytes);

// Shortens UTF-8 text of more than max_characters (at least 2) to that many: its beginning and its end with an
// ellipsis between them.
std::string Shortened(std::string_view text, size_t max_characters);

constexpr size_t kMaxQuoted = 120;
constexpr size_t kMaxMessage = 2000;

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_TEXT_H_
