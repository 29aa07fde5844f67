# `find_package(idne)` for those who use the installed library: idne::core, and with COMPONENTS import serve those too.
include(CMakePackageConfigHelpers)
set(IDNE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/idne)
foreach(part core import serve)
  install(TARGETS idne_${part} EXPORT idne_${part})
  install(EXPORT idne_${part} NAMESPACE idne:: FILE idne-${part}.cmake DESTINATION ${IDNE_PACKAGE_DIR})
endforeach()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/idneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/idneConfig.cmake cmake/dependencies.cmake ${PROJECT_BINARY_DIR}/idneConfigVersion.cmake
  DESTINATION ${IDNE_PACKAGE_DIR})
