// One HTML page that stands alone: text, facts, tables, plots and pictures, all inside one file. It reads on a screen
// by day and in the dark, on a telephone and on paper, runs no script and asks no server. Same content, same bytes.
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
  // Columns from this one on hold numbers and stand to the right.
  int first_number_column = 1;
};

// All text is plain text: markup in it is shown, not obeyed.
class Page {
 public:
  explicit Page(std::string title, std::string subtitle = {});

  // What follows belongs under this heading.
  void Section(const std::string& title);
  // The same inside of a section.
  void Subsection(const std::string& title);
  void Paragraph(const std::string& text);
  // Something that the reader must not miss.
  void Warning(const std::string& text);
  // Names and values, for the head of a page.
  void Facts(const std::vector<std::pair<std::string, std::string>>& facts);
  // Rows shorter than the header are filled up with empty cells; longer ones are cut.
  void Table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
             const TableOptions& options = {});
  // SVGs of plot.h, side by side where there is room.
  void Plots(const std::vector<std::string>& svgs);
  // png: a PNG or APNG file's bytes. alt: what it shows, for those who cannot see it.
  void Picture(std::span<const std::byte> png, const std::string& alt, const std::string& caption = {});

  // Under the title, links to all sections.
  void ListSections() { list_sections_ = true; }

  std::string Html() const;

 private:
  std::string title_, subtitle_;
  std::string body_;
  std::vector<std::string> sections_;
  bool list_sections_ = false;
};

}  // namespace sinew::report

#endif  // SINEW_OFFLINE_REPORT_PAGE_H_
