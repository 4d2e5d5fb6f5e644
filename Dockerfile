# Built in one stage, run in another that holds nothing but the executable and the C library it needs.
FROM oven/bun:1.4.5-debian AS build
WORKDIR /app
COPY --from=golang:1.26-bookworm /usr/local/go /usr/local/go
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
# a layer of its own: it is made anew only when the pinned version changes
COPY litestream.ts ./
RUN PATH=$PATH:/usr/local/go/bin bun litestream.ts
COPY . .
ARG BUILD_COMMIT=unknown
RUN bun build.ts && mkdir /empty

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /app/dist/brokerbase /usr/local/bin/brokerbase
COPY --from=build --chown=nonroot:nonroot /empty /data
ENV BROKERBASE_DATA_DIR=/data BROKERBASE_HOST=0.0.0.0 BROKERBASE_PORT=3000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/usr/local/bin/brokerbase", "health"]
ENTRYPOINT ["/usr/local/bin/brokerbase"]
CMD ["serve"]
