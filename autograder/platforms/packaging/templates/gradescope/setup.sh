#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image that grades submissions.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install --yes --no-install-recommends libseccomp2  # filters students' system calls

# The Python that the packages were pinned with, or else the nearest that the image offers.
for python in "python$(cat "$here/python-version")" python3.11 python3.12 python3.13 python3.14; do
    if apt-get install --yes --no-install-recommends "$python" "$python-venv"; then
        break
    fi
    python=
done
if [ -z "$python" ]; then
    echo "This image offers no Python 3.11 to 3.14: choose a newer base image." >&2
    exit 1
fi

# torch, if it is among the packages, brings gigabytes of CUDA along. To have its CPU build, write
# the address of PyTorch's index of CPU packages here, and upload the zip again:
# export PIP_EXTRA_INDEX_URL=
"$python" -m venv "$here/.venv"
"$here/.venv/bin/python" -m pip install --no-cache-dir --requirement "$here/requirements.txt"
