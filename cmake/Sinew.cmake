# How every target of Sinew is made: one small library per folder, explicit files, warnings are errors.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT EMSCRIPTEN)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(SINEW_CCACHE ccache)
if(SINEW_CCACHE)
  # Precompiled headers can only be cached with this sloppiness. Paths below the checkout are hashed as relative ones, so that
  # another checkout of the same files is compiled from the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT EMSCRIPTEN)
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_SOURCE_DIR}/cmake/cached.sh ${CMAKE_BINARY_DIR})
  endif()
  list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${SINEW_CCACHE})
endif()

add_library(sinew_flags INTERFACE)
target_include_directories(sinew_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
# Geometric predicates and "same seed, same bits" need one rounding per operation unless the code asks for a fused one.
target_compile_options(sinew_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
  -Wno-float-conversion -Wnon-virtual-dtor -Werror -ffp-contract=off -fno-math-errno
  # clang's names for parts of what g++ calls -Wfloat-conversion.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-implicit-float-conversion -Wno-implicit-int-float-conversion>
  # A precompiled header from the cache stands for files of the same content, whatever their dates.
  $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
if(EMSCRIPTEN)
  # Where sizes have 32 bits the runtime, which reads files there, says where it narrows; the offline side need not.
  target_compile_options(sinew_flags INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:SINEW_RUNTIME>>>:-Wno-shorten-64-to-32>)
endif()
if(SINEW_SANITIZE)
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE})
  # The runtime, which reads bundles in place, is watched for everything. Elsewhere a part of `undefined` is left out that takes
  # half of the time of compiling Eigen's templates: bad pointers, most of which `address` sees, and alignment.
  set(watched -fsanitize=${SINEW_SANITIZE}
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:SINEW_RUNTIME>>>:-fno-sanitize=null,alignment,object-size,pointer-overflow,vptr>
    -fno-sanitize-recover=all -fno-omit-frame-pointer $<$<BOOL:${SINEW_FUZZ}>:-fsanitize=fuzzer-no-link>)
  # What tests do themselves need not be watched but for threads, where every lock must be seen.
  if(SINEW_SANITIZE MATCHES "thread")
    target_compile_options(sinew_flags INTERFACE ${watched})
  else()
    target_compile_options(sinew_flags INTERFACE "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:SINEW_TEST>>>:${watched}>")
  endif()
  # With AVX2 as the least that there is, Highway's emulated target is left out, which takes minutes to instrument.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo avx2 REGEX " avx2 " LIMIT_COUNT 1)
    if(avx2)
      target_compile_options(sinew_flags INTERFACE -march=haswell -maes)
    endif()
  endif()
endif()

# For what is compiled more often than its time counts: tests and the command line. What works stays in libraries.
set(SINEW_QUICK_TO_BUILD -O1)

# Headers that most files of the offline side include, parsed once per build; never for the runtime, whose include lists
# are a promise. Every file still includes what it uses: scripts/tidy compiles without them.
option(SINEW_PCH "Precompile the headers that most offline files include" ON)

# sinew_precompiled(NAME LIBRARY|PROGRAM HEADERS <a> <b> LINK Foo::foo OPTIONS -O1): what sinew_precompile() gives to
# targets of that type, which must have the same options for the compiler.
function(sinew_precompiled name type)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK;OPTIONS" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cc CONTENT "int main() { return 0; }\n")
  if(type STREQUAL "LIBRARY")
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/${name}.cc)
  else()
    add_executable(${name} EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/${name}.cc)
  endif()
  target_link_libraries(${name} PRIVATE sinew_flags ${ARG_LINK})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()
function(sinew_precompile target from)
  if(SINEW_PCH AND NOT SINEW_RUNTIME_ONLY)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()

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

# sinew_offline_library(sinew_ROOM PORTABLE a.cc SOURCES b.cc DEPENDS sinew_x LIBRARIES Foo::foo): a room of the offline side.
# PORTABLE: what other CPUs' tests and the page need, too; it uses the standard library and header-only ones alone. There, the
# room is those files, and LIBRARIES, which are of this machine, are left out.
function(sinew_offline_library name)
  cmake_parse_arguments(ARG "" "" "PORTABLE;SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(SINEW_RUNTIME_ONLY)
    sinew_library(${name} SOURCES ${ARG_PORTABLE} DEPENDS ${ARG_DEPENDS})
    # The page loads it.
    target_compile_options(${name} PRIVATE $<$<BOOL:${EMSCRIPTEN}>:-Os>)
  else()
    sinew_library(${name} SOURCES ${ARG_PORTABLE} ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS} ${ARG_LIBRARIES})
    sinew_precompile(${name} sinew_headers)
  endif()
endfunction()

# The runtime's promise, in flags: no exceptions, no RTTI, no thread-safe statics (they take a lock).
function(sinew_runtime_library name)
  sinew_library(${name} ${ARGN})
  get_target_property(type ${name} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    set_target_properties(${name} PROPERTIES SINEW_RUNTIME ON)
    target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti -fno-threadsafe-statics
      $<$<CXX_COMPILER_ID:GNU>:-fstack-usage>)
  endif()
endfunction()

# sinew_install_if_built(COMPONENT FILE WHAT REMEDY): `cmake --install` leaves out the rest of this folder's install rules, and
# says so, as long as FILE is not built; where the component is asked for by name, that is an error.
function(sinew_install_if_built component file what remedy)
  install(CODE "
    if(NOT EXISTS \"${file}\")
      if(CMAKE_INSTALL_COMPONENT)
        message(FATAL_ERROR \"${what} is not built: run ${remedy}\")
      endif()
      message(STATUS \"Not installed: ${what}, which is not built (${remedy} builds it)\")
      return()
    endif()" COMPONENT ${component})
endfunction()

# sinew_test(NAME [RUNTIME] [TOGETHER] SOURCES a_test.cc DEPENDS sinew_x SUPPORT rigs); RUNTIME: uses nothing of the offline side, and is
# compiled as the runtime is. TOGETHER: its tests share something that takes seconds to make, and so one process. SUPPORT: what its
# sources include of tests/support and is compiled there.
function(sinew_test name)
  cmake_parse_arguments(ARG "RUNTIME;TOGETHER" "" "SOURCES;DEPENDS;SUPPORT" ${ARGN})
  list(TRANSFORM ARG_SUPPORT PREPEND support_)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE sinew_flags ${ARG_DEPENDS} ${ARG_SUPPORT} GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  # Only for sources that ask where the checkout is: the others are the same in every checkout.
  foreach(source ${ARG_SOURCES})
    file(STRINGS ${source} asks REGEX "SINEW_SOURCE_DIR|tests/support/shared_assets.h" LIMIT_COUNT 1)
    if(asks)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS SINEW_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    endif()
  endforeach()
  if(NOT ARG_RUNTIME)
    set_target_properties(${name} PROPERTIES SINEW_TEST ON)
    target_compile_options(${name} PRIVATE ${SINEW_QUICK_TO_BUILD})
    sinew_precompile(${name} sinew_test_headers)
  endif()
  # One seed for all property tests: a landing must not depend on luck. scripts/soak varies it.
  if(ARG_TOGETHER)
    # First, for it takes longest.
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 COST 1000 ENVIRONMENT "RC_PARAMS=seed=1")
    return()
  endif()
  # A test under emulation takes seconds to say what it holds, and longer where other work waits.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 300
    PROPERTIES TIMEOUT 600 ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()
