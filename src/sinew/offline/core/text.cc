#include "sinew/offline/core/text.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace sinew {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";     // U+2026

// One character of UTF-8 text, or a piece that is none.
struct Symbol {
  size_t size = 1;    // in bytes
  uint32_t code = 0;  // Unicode code point
  bool valid = false;
};

// Reads the character at the start of non-empty text (The Unicode Standard, table 3-7). Of an ill-formed sequence it
// takes as many bytes as could begin a character, at least one.
Symbol FirstOf(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const size_t size = lead >= 0xC2 && lead <= 0xDF ? 2 : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 ? 4 : 1;
  if (size == 1 || lead > 0xF4) return {};
  uint32_t code = lead & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    // The second byte's range leaves out overlong forms, surrogates and what lies above U+10FFFF.
    const bool second = i == 1;
    const uint32_t low = second && lead == 0xE0 ? 0xA0 : second && lead == 0xF0 ? 0x90 : 0x80;
    const uint32_t high = second && lead == 0xED ? 0x9F : second && lead == 0xF4 ? 0x8F : 0xBF;
    if (i >= text.size() || byte(i) < low || byte(i) > high) return {i, 0, false};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  return {size, code, true};
}

// Calls visit(symbol, its bytes) for all of the text.
template <typename Visit>
void ForEach(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const Symbol symbol = FirstOf(text);
    visit(symbol, text.substr(0, symbol.size));
    text.remove_prefix(symbol.size);
  }
}

// Whether a terminal obeys the character instead of showing it, or shows what follows it in another order.
bool IsControl(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
                         (code >= 0x200E && code <= 0x200F) || code == 0x061C;
  return control || direction || code == 0x2028 || code == 0x2029;
}

std::string Escape(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

std::string Printable(std::string_view bytes, bool keep_lines) {
  std::string out;
  out.reserve(bytes.size());
  ForEach(bytes, [&](const Symbol& symbol, std::string_view piece) {
    const bool layout = keep_lines && (symbol.code == '\n' || symbol.code == '\t');
    if (!symbol.valid) {
      out += kReplacement;
    } else if (IsControl(symbol.code) && !layout) {
      out += Escape(symbol.code);
    } else {
      out += piece;
    }
  });
  return out;
}

// Returns the position of the quote that closes the word which opens at `open`: the next quote of the same kind at the
// end of the text or before a blank or punctuation, so that an apostrophe inside does not count; npos if there is none.
size_t ClosingQuote(std::string_view text, size_t open) {
  for (size_t i = text.find(text[open], open + 1); i != std::string_view::npos; i = text.find(text[open], i + 1)) {
    if (i + 1 == text.size() || std::string_view(" ,;:.)]}").find(text[i + 1]) != std::string_view::npos) return i;
  }
  return std::string_view::npos;
}

std::string ShortenQuoted(std::string_view text) {
  std::string out;
  size_t done = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool quote = text[i] == '\'' || text[i] == '"';
    const bool opens = quote && (i == 0 || std::string_view(" (=:[{,").find(text[i - 1]) != std::string_view::npos);
    const size_t close = opens ? ClosingQuote(text, i) : std::string_view::npos;
    if (close == std::string_view::npos) continue;
    out += text.substr(done, i + 1 - done);
    out += Shortened(text.substr(i + 1, close - i - 1), kMaxQuoted);
    done = close;
    i = close;
  }
  out += text.substr(done);
  return out;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  bool valid = true;
  ForEach(bytes, [&](const Symbol& symbol, std::string_view) { valid = valid && symbol.valid; });
  return valid;
}

std::string ToUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  ForEach(bytes, [&](const Symbol& symbol, std::string_view piece) { out += symbol.valid ? piece : kReplacement; });
  return out;
}

std::string Shortened(std::string_view text, size_t max_characters) {
  std::vector<size_t> starts;  // of characters
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  }
  if (starts.size() <= max_characters) return std::string(text);
  const size_t tail = max_characters / 3, head = max_characters - tail - 1;
  std::string out(text.substr(0, starts[head]));
  out += kEllipsis;
  if (tail > 0) out += text.substr(starts[starts.size() - tail]);
  return out;
}

std::string PrintableText(std::string_view bytes) { return Printable(bytes, true); }

std::string PrintableLine(std::string_view bytes) {
  // The first cut bounds the search for closing quotes, which starts again at every opening one.
  const std::string bounded = Shortened(Printable(bytes, false), 10 * kMaxMessage);
  return Shortened(ShortenQuoted(bounded), kMaxMessage);
}

}  // namespace sinew
