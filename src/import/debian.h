#pragma once

#include <cstddef>
#include <filesystem>

#include "idne/import.h"

namespace idne {

enum class PackageLabels { Section, Tags };

struct DebianOptions {
  std::filesystem::path lists = "/var/lib/apt/lists";     ///< apt's folder; empty: do not look there
  std::filesystem::path status = "/var/lib/dpkg/status";  ///< dpkg's file, read if no list is there; empty: do not
  PackageLabels labels = PackageLabels::Section;
  std::size_t top = 0;  ///< only so many packages, those with the most links; 0: all
  bool depends = true;  ///< which relations become links
  bool recommends = true;
  bool suggests = true;
};

/// The packages that this machine knows, linked by what they depend on. docs/import.md
void import_debian(const DebianOptions& options, CorpusWriter& out, ImportCounts& counts, const Run& run);

}  // namespace idne
