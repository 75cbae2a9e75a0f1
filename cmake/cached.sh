#!/bin/sh
# Runs clang through ccache so that another checkout of the same files finds the results: cached.sh BUILD ccache clang++ ARGUMENT...
# CMake names precompiled headers by whole paths, which ccache hashes, and clang writes whole paths into them. Here they are named
# from the build folder, in which Ninja works, and known by a sum of what they were made from (CCACHE_PCH_EXTSUM).
set -eu
build=$1 cache=$2
shift 2
for argument do
  shift
  set -- "$@" "${argument#"$build/"}"
done
case " $* " in
  *" -emit-pch "*) ;;
  *) exec "$cache" "$@" ;;
esac
"$@"
made=
for argument do
  [ "$made" != next ] || { made=$argument; break; }
  [ "$argument" != -o ] || made=next
done
{ printf '%s\n' "$*" | sed "s|^[^ ]* ||; s|$CCACHE_BASEDIR||g"
  sed -e 's/\\$//' -e '1s/^[^:]*://' "$made.d" | tr ' ' '\n' | sed '/^$/d' | xargs cat; } | sha256sum > "$made.sum"
