# docker build --build-arg VERSION=0.1.0 --build-arg COMMIT=$(git rev-parse HEAD) -t cloud-operator:0.1.0 .
# All of these images can be replaced, for example by mirrors. BASE needs Node.js 24 at /nodejs/bin/node and nothing else: no shell,
# no package manager, no npm; the program is one bundle.
ARG BUILD=node:24-bookworm-slim
ARG BASE=gcr.io/distroless/nodejs24-debian12:nonroot
# Of --target ci alone: what has a shell, Git and Node.js 22.19 or later in PATH.
ARG CI=node:24-bookworm

FROM ${BUILD} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY src src
RUN npm run -s build

# For jobs of pull requests: a runner starts a shell in it. As root, because the checkout there belongs to the runner's user,
# and Git, which refuses that otherwise, is told to read it all the same.
FROM ${CI} AS ci
ARG VERSION=""
ARG COMMIT=""
ARG SOURCE=""
LABEL org.opencontainers.image.title="kubectl-cloud" \
      org.opencontainers.image.description="kubectl cloud for jobs of pull requests" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.revision="${COMMIT}"
COPY --from=build /src/dist/kubectl-cloud /src/dist/package.json /opt/kubectl-cloud/
ENV PATH=/opt/kubectl-cloud:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    GIT_CONFIG_COUNT=1 \
    GIT_CONFIG_KEY_0=safe.directory \
    GIT_CONFIG_VALUE_0=*
USER 0:0
ENTRYPOINT []
CMD ["kubectl-cloud", "help"]

FROM ${BASE}
ARG VERSION=""
ARG COMMIT=""
ARG SOURCE=""
LABEL org.opencontainers.image.title="cloud-operator" \
      org.opencontainers.image.description="Runs a cloud hosting account from Kubernetes" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.revision="${COMMIT}"
COPY --from=build /src/dist /app
# The heap is three quarters of the memory limit that the chart sets; the chart sets NODE_OPTIONS again when the limit changes.
# Its young part is kept small, and malloc gives back what is free: some 60 MB less (src/DECISIONS.md, 50).
ENV NODE_ENV=production \
    NODE_OPTIONS="--max-old-space-size=384 --max-semi-space-size=2 --disallow-code-generation-from-strings" \
    MALLOC_ARENA_MAX=1 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    CLOUD_OPERATOR_COMMIT="${COMMIT}"
USER 65532:65532
EXPOSE 8080 8081
ENTRYPOINT ["/nodejs/bin/node", "/app/cloud-operator.mjs"]
CMD ["run"]
