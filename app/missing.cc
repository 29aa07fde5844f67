#include "missing.h"

#include <algorithm>

#include "batch.h"
#include "command.h"
#include "endings.h"
#include "export/shared_links.h"
#include "idne/output_file.h"
#include "processes.h"

namespace idne::app {

LinkFormat link_format(const Options& options) {
  return by_ending<LinkFormat>(options.text("output"), {{".tsv", LinkFormat::Tsv},
                                                        {".jsonl", LinkFormat::Jsonl},
                                                        {".graphml", LinkFormat::GraphMl},
                                                        {".gexf", LinkFormat::Gexf}});
}

void write_missing_links(const Options& options, std::size_t per_document, double least) {
  const LinkFormat format = link_format(options);
  const std::string &out = options.text("output"), &path = options.text("MODEL");
  first_does([&] { check_writable(out); });
  const Model model = load_in_all(path);
  const TextEncoder encoder(model);
  std::size_t count = 0;
  {
    const Session session(threads_of(options));
    const Suggester suggester(encoder, indexed_search(model, path, session.run()));
    std::vector<MissingLink> links =
        shared_missing_links(suggester, model.documents().size(), per_document, session.run());
    if (!speaks()) return;
    std::erase_if(links, [&](const MissingLink& link) { return link.score < least; });
    write_links(model, links, out, format, session.run().threads);
    count = links.size();
  }
  tell("{} not there yet: {}\n", counted(count, "link that is", "links that are"), out);
}

}  // namespace idne::app
