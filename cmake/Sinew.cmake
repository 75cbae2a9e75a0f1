# How every target of Sinew is made: one small library per folder, explicit files, warnings are errors.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(SINEW_CCACHE ccache)
if(SINEW_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SINEW_CCACHE})
endif()

add_library(sinew_flags INTERFACE)
target_include_directories(sinew_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
# Geometric predicates and "same seed, same bits" need one rounding per operation unless the code asks for a fused one.
target_compile_options(sinew_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
  -Wno-float-conversion -Wnon-virtual-dtor -Werror -ffp-contract=off -fno-math-errno)
if(SINEW_SANITIZE)
  target_compile_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()

if(SINEW_FUZZ)
  target_compile_options(sinew_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# sinew_library(NAME SOURCES a.cc b.cc DEPENDS sinew_x Foo::foo)
# Everything in DEPENDS is public: the include graph of a folder is what its CMakeLists.txt says.
function(sinew_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC sinew_flags ${ARG_DEPENDS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE sinew_flags ${ARG_DEPENDS})
  endif()
endfunction()

# The runtime's promise, in flags: no exceptions, no RTTI, no thread-safe statics (they take a lock).
function(sinew_runtime_library name)
  sinew_library(${name} ${ARGN})
  get_target_property(type ${name} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti -fno-threadsafe-statics
      $<$<CXX_COMPILER_ID:GNU>:-fstack-usage>)
  endif()
endfunction()

# sinew_test(NAME SOURCES a_test.cc DEPENDS sinew_x)
function(sinew_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE sinew_flags ${ARG_DEPENDS} GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE SINEW_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # One seed for all property tests: a landing must not depend on luck. scripts/soak varies it.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600 ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()
