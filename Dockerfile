# One image for every process of the site; compose.yaml says which runs what. For x86-64 and arm64: there is no wheel of
# bgsage for the latter, so GNU Backgammon comes along (docs/adr/0028).
FROM python:3.12.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TABLERO_VAR=/srv/var STATIC_ROOT=/srv/static
WORKDIR /srv/tablero
RUN apt-get update && apt-get install --yes --no-install-recommends gnubg && rm -rf /var/lib/apt/lists/*
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/base.txt
COPY . .
RUN useradd --system --home-dir /srv/tablero tablero \
 && install -d -o tablero -g tablero -m 700 /srv/var \
 && python -m compileall -q accounts analysis backgammon chat draughts eventlog games ladders notifications tournaments \
 && SECRET_KEY=used-here-alone-to-collect-the-static-files python manage.py collectstatic --noinput -v0 \
 && rm -rf /srv/var/* && chown -R root: /srv/static
USER tablero
EXPOSE 8000
VOLUME /srv/var
CMD ["daphne", "--verbosity", "0", "--no-server-name", "--websocket-max-message-size", "1114112", "--websocket-max-frame-size", "1114112", "--websocket_connect_timeout", "30", "-b", "0.0.0.0", "-p", "8000", "backgammon.asgi:application"]
