# One image for the operator and for the default agent; it runs with a read-only root file system.
#
# Any Debian image with Python 3.11 or later and its venv module will do as a base. Nothing here needs
# BuildKit. Where a build reaches no package registry, put the wheels that it needs into wheels/ first: then
# nothing else is used, and the hashes are checked all the same.
ARG PYTHON_IMAGE=python:3.13-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
# The agent relies on GNU tar's options, its exit statuses and its sparse files.
RUN tar --version | grep -q '(GNU tar)'
# .dockerignore lets in what the build needs and nothing more.
COPY . /build
WORKDIR /build
RUN set -eu; \
    export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore; \
    project=.; \
    if ls wheels/*.whl >/dev/null 2>&1; then \
        # pip hands these on to the isolated environment that builds the project: setuptools is found there.
        export PIP_NO_INDEX=1 PIP_FIND_LINKS=/build/wheels; \
        if ls wheels/flexlbf_operator-*.whl >/dev/null 2>&1; then \
            project=$(ls wheels/flexlbf_operator-*.whl); \
        fi; \
    fi; \
    if [ "${project}" = . ] && ! command -v cc >/dev/null; then \
        # For the compiled kernel; without it everything works, and plans take longer.
        apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev || true; \
    fi; \
    python3 -m venv /opt/flexlbf; \
    /opt/flexlbf/bin/pip install --require-hashes --requirement requirements/runtime.txt; \
    /opt/flexlbf/bin/pip install --no-deps "${project}"; \
    /opt/flexlbf/bin/flexlbf --help >/dev/null; \
    # What runs installs nothing any more.
    /opt/flexlbf/bin/pip uninstall --yes setuptools pip

FROM ${PYTHON_IMAGE}
COPY --from=build /opt/flexlbf /opt/flexlbf
# C.UTF-8: the names of objects and files are UTF-8 whatever the node's locale is.
ENV PATH=/opt/flexlbf/bin:${PATH} \
    LANG=C.UTF-8 \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /
# By number, so that Kubernetes' runAsNonRoot can tell; no account of that name is needed.
USER 65532:65532
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="FlexLBF Operator" \
      org.opencontainers.image.description="Plans backup sessions on tape drives; operator and default agent" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENTRYPOINT ["flexlbf"]
CMD ["operator"]
