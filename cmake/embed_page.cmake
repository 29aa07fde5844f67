# Writes OUTPUT, a C++ source with the files of FOLDER: cmake -DFOLDER=… -DOUTPUT=… -P embed_page.cmake
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
set(arrays "")
set(entries "")
set(n 0)
foreach(name ${files})
  file(READ ${FOLDER}/${name} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND arrays "constexpr unsigned char kFile${n}[] = {${bytes}};\n")
  string(APPEND entries "    PageFile{\"${name}\", view(kFile${n})},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUTPUT}.part "// Made from web/dist by cmake/embed_page.cmake.
#include <array>

#include \"serve/page.h\"

namespace idne {
namespace {

${arrays}
template <std::size_t N>
std::string_view view(const unsigned char (&bytes)[N]) {
  return {reinterpret_cast<const char*>(bytes), N};
}

}  // namespace

std::span<const PageFile> page_files() {
  static const std::array<PageFile, ${n}> files{
${entries}  };
  return files;
}

}  // namespace idne
")
file(RENAME ${OUTPUT}.part ${OUTPUT})
