#include <fmt/format.h>

#include "idne/export.h"
#include "idne/output_file.h"
#include "text/markup.h"
#include "text/strings.h"

namespace idne {
namespace {

std::string link_rows(const Documents& documents, std::span<const MissingLink> links) {
  std::string text;
  for (const MissingLink& link : links) {
    text +=
        fmt::format("{}\t{}\t{:.6g}\t{}\t{}\n", tsv_cell(documents.ids[link.from]), tsv_cell(documents.ids[link.to]),
                    link.score, tsv_cell(documents.titles[link.from]), tsv_cell(documents.titles[link.to]));
  }
  return text;
}

std::string link_records(const Documents& documents, std::span<const MissingLink> links) {
  std::string text;
  for (const MissingLink& link : links) {
    text += fmt::format(R"({{"from":{},"to":{},"score":{:.6g},"from_title":{},"to_title":{}}})",
                        json_quoted(documents.ids[link.from]), json_quoted(documents.ids[link.to]), link.score,
                        json_quoted(documents.titles[link.from]), json_quoted(documents.titles[link.to]));
    text += '\n';
  }
  return text;
}

std::string graphml(const ExportTable& table, std::span<const MissingLink> links) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    text += fmt::format("<key id=\"{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"string\"/>\n", table.columns[c]);
  }
  text +=
      "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n<graph "
      "edgedefault=\"undirected\">\n";
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    text += fmt::format("<node id=\"{}\">", escape_markup(table.names[i]));
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      text += fmt::format("<data key=\"{}\">{}</data>", table.columns[c], escape_markup(table.cells[i][c]));
    }
    text += "</node>\n";
  }
  for (const MissingLink& link : links) {
    text += fmt::format("<edge source=\"{}\" target=\"{}\"><data key=\"weight\">{:.6g}</data></edge>\n",
                        escape_markup(table.names[link.from]), escape_markup(table.names[link.to]), link.score);
  }
  return text + "</graph>\n</graphml>\n";
}

std::string gexf(const ExportTable& table, std::span<const MissingLink> links) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">\n"
      "<graph defaultedgetype=\"undirected\">\n<attributes class=\"node\">\n";
  for (std::size_t c = 2; c < table.columns.size(); ++c) {
    text += fmt::format("<attribute id=\"{0}\" title=\"{0}\" type=\"string\"/>\n", table.columns[c]);
  }
  text += "</attributes>\n<nodes>\n";
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    text += fmt::format("<node id=\"{}\" label=\"{}\"><attvalues>", escape_markup(table.names[i]),
                        escape_markup(table.cells[i][1]));
    for (std::size_t c = 2; c < table.columns.size(); ++c) {
      text += fmt::format("<attvalue for=\"{}\" value=\"{}\"/>", table.columns[c], escape_markup(table.cells[i][c]));
    }
    text += "</attvalues></node>\n";
  }
  text += "</nodes>\n<edges>\n";
  for (const MissingLink& link : links) {
    text += fmt::format("<edge source=\"{}\" target=\"{}\" weight=\"{:.6g}\"/>\n",
                        escape_markup(table.names[link.from]), escape_markup(table.names[link.to]), link.score);
  }
  return text + "</edges>\n</graph>\n</gexf>\n";
}

std::string links_as(LinkFormat format, const Model& model, std::span<const MissingLink> links, int threads) {
  if (format == LinkFormat::Tsv) return link_rows(model.documents(), links);
  if (format == LinkFormat::Jsonl) return link_records(model.documents(), links);
  Run run;
  run.threads = threads;
  const ExportTable table = export_table(model, "documents", run);
  return format == LinkFormat::GraphMl ? graphml(table, links) : gexf(table, links);
}

}  // namespace

void write_links(const Model& model, std::span<const MissingLink> links, const std::filesystem::path& path,
                 LinkFormat format, int threads) {
  OutputFile file(path);
  file.write(links_as(format, model, links, threads));
  file.commit();
}

}  // namespace idne
