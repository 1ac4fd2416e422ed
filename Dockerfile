# Grades on Mac, Windows, and hosts that refuse namespaces: see SECURITY.md.
FROM python:3.11.14-slim-bookworm
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libseccomp2 \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock constraints.txt /
RUN pip install --no-cache-dir --require-hashes --only-binary :all: --requirement /requirements.lock
# Name PyTorch's index of CPU packages here, or torch brings gigabytes of CUDA along.
ARG PIP_EXTRA_INDEX_URL
RUN pip install --no-cache-dir --only-binary :all: --constraint /constraints.txt torch
# Any user will do (`--user 12345`), who has no home, on a root that nobody can write.
ENV HOME=/tmp
WORKDIR /course
ENTRYPOINT ["python", "-m", "autograder"]
CMD ["--help"]
