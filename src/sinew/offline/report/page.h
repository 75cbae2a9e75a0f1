// Builder of a self-contained HTML page: text, facts, tables, plots and pictures in one file. The page is readable on
// screens in light and dark mode, on a telephone and on paper, runs no script and contacts no server. The same content
// gives the same bytes.
//
//   report::Page page("body.glb", "Skinning weights");
//   page.Section("Quality");
//   page.Table({"", "before", "after"}, {{"stretch", "0.73", "0.50"}});
//   page.Plots({report::DrawLines(plot)});
//   WriteFileAtomic("report.html", page.Html());
#ifndef SINEW_OFFLINE_REPORT_PAGE_H_
#define SINEW_OFFLINE_REPORT_PAGE_H_

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew::report {

struct TableOptions {
  std::string caption = {};
  // Index of the first column of numbers; this one and all after it are right-aligned.
  int first_number_column = 1;
};

// Picture of a page.
struct PagePicture {
  Bytes png;        // bytes of a PNG or APNG file
  std::string alt;  // description for readers who cannot see it
  std::string caption = {};
};

// Command that a reader may copy, and what it is for.
struct PageCommand {
  std::string purpose;
  std::string command;
};

// Page under construction. All text is plain text: markup in it is shown, not interpreted.
class Page {
 public:
  explicit Page(std::string title, std::string subtitle = {});

  // Begins a section: all that is added next belongs under this heading.
  void Section(const std::string& title);
  // Begins a section that is folded until the reader opens it. summary: one line beside the heading that says what it
  // shows.
  void FoldedSection(const std::string& title, const std::string& summary);
  // Begins a subsection of the current section.
  void Subsection(const std::string& title);
  void Paragraph(const std::string& text);
  // Adds a highlighted paragraph that the reader must not miss.
  void Warning(const std::string& text);
  // Adds a list of names and values, for the head of a page.
  void Facts(const std::vector<std::pair<std::string, std::string>>& facts);
  // Adds a table. Rows shorter than the header are padded with empty cells; longer ones are cut.
  void Table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
             const TableOptions& options = {});
  // Adds plots, as plot.h returns them, side by side where there is room.
  void Plots(const std::vector<std::string>& svgs);
  // Adds a picture; arguments as in PagePicture.
  void Picture(std::span<const std::byte> png, const std::string& alt, const std::string& caption = {});
  // Adds pictures side by side where there is room.
  void Gallery(const std::vector<PagePicture>& pictures);
  // Adds commands, each in a line of its own that one click selects.
  void Commands(const std::vector<PageCommand>& commands);

  // Returns the whole page.
  std::string Html() const;

 private:
  void EndFolded();

  std::string title_, subtitle_;
  std::string body_;
  bool folded_ = false;  // whether the current section is
};

// Returns the text with a capital first letter, as a heading or a caption begins.
std::string Capitalized(std::string text);

}  // namespace sinew::report

#endif  // SINEW_OFFLINE_REPORT_PAGE_H_
