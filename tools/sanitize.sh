#!/usr/bin/env bash
# Runs the kernel's tests and a bench under the address and undefined-behaviour sanitizers.
# tools/sanitize.sh [PYTHON], where that Python has the development dependencies.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath -s "${1:-python3}")
root=$PWD
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT

flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
mkdir "$site/source"
cp -r pyproject.toml README.md LICENSE thrive_engine "$site/source"
find "$site" -name "*.so" -delete -o -name "*.c" -delete
CFLAGS="$flags" LDFLAGS="$flags" "$python" -m pip install --quiet --no-deps \
    --target "$site/installed" "$site/source"

export PYTHONPATH="$site/installed"
export LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
# Python itself keeps memory to the end; a test asks for more than there is.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
cd "$site"
"$python" -c "from thrive_engine.search import kernel; assert kernel.COMPILED, 'not compiled'"
"$python" -c "from thrive_engine.cli import main; main()" bench
"$python" -m pytest -p no:cacheprovider -k "not interpreted and not lives" "$root"/tests/test_kernel_*.py
