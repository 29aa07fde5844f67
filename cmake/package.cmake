# `find_package(idne)` for those who use the installed library.
include(CMakePackageConfigHelpers)
set(IDNE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/idne)
install(EXPORT idne NAMESPACE idne:: FILE idneTargets.cmake DESTINATION ${IDNE_PACKAGE_DIR})
file(WRITE ${PROJECT_BINARY_DIR}/idneConfig.cmake
  "set(IDNE_INSTALLED ON)\ninclude(\${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)\ninclude(\${CMAKE_CURRENT_LIST_DIR}/idneTargets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/idneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/idneConfig.cmake ${PROJECT_BINARY_DIR}/idneConfigVersion.cmake cmake/dependencies.cmake
  DESTINATION ${IDNE_PACKAGE_DIR})
