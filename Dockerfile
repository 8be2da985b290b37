# The platform as one image: `grintu serve` is the server, `grintu worker` the background worker.
# Base images are pinned by digest, those of October 2026: how to take newer ones stands in docs/security.md.

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS client
WORKDIR /app/client_web
COPY client_web/package.json client_web/package-lock.json client_web/.npmrc ./
RUN npm ci --no-audit --no-fund
# The bundles contain kernels/, games/ and npc/, which run in the browser too.
COPY kernels ../kernels
COPY games ../games
COPY npc ../npc
COPY client_web ./
# A minute longer than the ordinary build, for a tenth less to download.
RUN node build.mjs --best

# Only files whose hashes are locked are installed, and of those only what running needs.
FROM python:3.11.17-slim-bookworm@sha256:0a310eeecf4e1f5a0743f9a6520c90c88d089c903ca5fd283f501e3a805f5f89 AS packages
WORKDIR /app
COPY requirements.lock pyproject.toml ./
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY README.md LICENSE ./
COPY kernels kernels
COPY games games
COPY npc npc
COPY lab lab
COPY server server
COPY migrations migrations
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation --editable .

FROM python:3.11.17-slim-bookworm@sha256:0a310eeecf4e1f5a0743f9a6520c90c88d089c903ca5fd283f501e3a805f5f89
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin grintu \
    && install --directory --owner grintu --mode 700 /data
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GRINTU_DATA_DIR=/data \
    XDG_CACHE_HOME=/data/cache \
    GRINTU_LOG_FORMAT=json
WORKDIR /app
COPY --from=packages /venv /venv
COPY alembic.ini pyproject.toml LICENSE ./
COPY kernels kernels
COPY games games
COPY npc npc
COPY lab lab
COPY server server
COPY migrations migrations
COPY client_web/templates client_web/templates
COPY client_web/locales client_web/locales
COPY --from=client /app/client_web/dist client_web/dist
USER grintu
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["grintu", "serve", "--host", "0.0.0.0", "--port", "8000", "--workers", "2"]
