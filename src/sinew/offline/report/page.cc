#include "sinew/offline/report/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/markup.h"
#include "sinew/offline/io/gltf/base64.h"

namespace sinew::report {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #222222; --faint: #666666; --line: #dddddd; --warn: #fff3d6;
  --code: #f1f2f4;
  --series-1: #1b6ca8; --series-2: #c0561a; --series-3: #2e7d4f; --series-4: #7b3fa0; --series-5: #8a6d00;
  --series-6: #555555; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e4e6e8; --faint: #a0a6ad;
  --line: #3a3f45; --warn: #4a3c14; --code: #24282d; --series-1: #6fb4ec; --series-2: #f0955c; --series-3: #74c795; --series-4: #c79be6;
  --series-5: #d9bd4a; --series-6: #b5b5b5; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 sans-serif; max-width: 68rem; margin: 0 auto;
  padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
details { border-bottom: 1px solid var(--line); padding: .5rem 0; } summary { cursor: pointer; }
summary h2 { display: inline; border: 0; } summary span { color: var(--faint); margin-left: .6rem; }
ul.commands { list-style: none; padding: 0; } ul.commands li { margin: .6rem 0; }
code { display: block; width: fit-content; max-width: 100%; overflow-x: auto; white-space: pre; user-select: all;
  background: var(--code); padding: .3rem .6rem; border-radius: 4px; }
p { max-width: 48rem; } .subtitle { color: var(--faint); margin-top: 0; }
.warning { background: var(--warn); padding: .4rem .7rem; border-radius: 4px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .4rem 1rem; margin: 1rem 0; }
dl div { border-left: 3px solid var(--line); padding-left: .6rem; } dt { color: var(--faint); font-size: .8rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); padding-bottom: .2rem; }
th, td { padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: normal; } .number { text-align: right; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1rem; }
.gallery { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; }
.gallery figure { margin: 0; }
svg { width: 100%; max-width: 34rem; height: auto; } td:first-child { white-space: nowrap; } figure { margin: 1rem 0; } img { max-width: 100%; height: auto; background: #ffffff; }
figcaption { color: var(--faint); font-size: .9rem; }
@media print { body { font-size: 10pt; max-width: none; padding: 0; } h2, h3 { break-after: avoid; }
  figure, svg, tr, dl { break-inside: avoid; } .scroll { overflow: visible; } }
)";

}  // namespace

Page::Page(std::string title, std::string subtitle) : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

void Page::Section(const std::string& title) {
  EndFolded();
  body_ += fmt::format("<h2>{}</h2>\n", EscapeMarkup(title));
}

void Page::FoldedSection(const std::string& title, const std::string& summary) {
  EndFolded();
  body_ += fmt::format("<details>\n<summary><h2>{}</h2><span>{}</span></summary>\n", EscapeMarkup(title),
                       EscapeMarkup(summary));
  folded_ = true;
}

void Page::EndFolded() {
  if (folded_) body_ += "</details>\n";
  folded_ = false;
}

void Page::Subsection(const std::string& title) { body_ += fmt::format("<h3>{}</h3>\n", EscapeMarkup(title)); }

void Page::Paragraph(const std::string& text) { body_ += fmt::format("<p>{}</p>\n", EscapeMarkup(text)); }

void Page::Warning(const std::string& text) {
  body_ += fmt::format("<p class=\"warning\">{}</p>\n", EscapeMarkup(text));
}

void Page::Facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  body_ += "<dl>\n";
  for (const auto& [name, value] : facts) {
    body_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", EscapeMarkup(name), EscapeMarkup(value));
  }
  body_ += "</dl>\n";
}

void Page::Table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                 const TableOptions& options) {
  const auto cell = [&](const char* tag, size_t column, const std::string& text) {
    const bool number = static_cast<int>(column) >= options.first_number_column;
    body_ += fmt::format("<{}{}>{}</{}>", tag, number ? " class=\"number\"" : "", EscapeMarkup(text), tag);
  };
  body_ += "<div class=\"scroll\"><table>\n";
  if (!options.caption.empty()) body_ += fmt::format("<caption>{}</caption>\n", EscapeMarkup(options.caption));
  body_ += "<thead><tr>";
  for (size_t c = 0; c < header.size(); ++c) cell("th", c, header[c]);
  body_ += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    body_ += "<tr>";
    for (size_t c = 0; c < header.size(); ++c) cell("td", c, c < row.size() ? row[c] : "");
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Page::Plots(const std::vector<std::string>& svgs) {
  body_ += "<div class=\"plots\">\n";
  for (const std::string& svg : svgs) body_ += svg;
  body_ += "</div>\n";
}

void Page::Picture(std::span<const std::byte> png, const std::string& alt, const std::string& caption) {
  body_ += fmt::format("<figure><img alt=\"{}\" src=\"data:image/png;base64,{}\">", EscapeMarkup(alt),
                       gltf::EncodeBase64(png));
  if (!caption.empty()) body_ += fmt::format("<figcaption>{}</figcaption>", EscapeMarkup(caption));
  body_ += "</figure>\n";
}

void Page::Gallery(const std::vector<PagePicture>& pictures) {
  body_ += "<div class=\"gallery\">\n";
  for (const PagePicture& picture : pictures) Picture(picture.png, picture.alt, picture.caption);
  body_ += "</div>\n";
}

void Page::Commands(const std::vector<PageCommand>& commands) {
  body_ += "<ul class=\"commands\">\n";
  for (const PageCommand& command : commands) {
    body_ += fmt::format("<li>{}<code>{}</code></li>\n", EscapeMarkup(command.purpose), EscapeMarkup(command.command));
  }
  body_ += "</ul>\n";
}

std::string Page::Html() const {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", EscapeMarkup(title_), kStyle);
  out += fmt::format("<h1>{}</h1>\n", EscapeMarkup(title_));
  if (!subtitle_.empty()) out += fmt::format("<p class=\"subtitle\">{}</p>\n", EscapeMarkup(subtitle_));
  return out + body_ + (folded_ ? "</details>\n" : "") + "</body>\n</html>\n";
}

std::string Capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace sinew::report
