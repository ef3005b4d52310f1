# One image for every process of the site; compose.yaml says which runs what.
FROM python:3.12-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TABLERO_VAR=/srv/var STATIC_ROOT=/srv/static
WORKDIR /srv/tablero
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/base.txt
COPY . .
RUN useradd --system --home-dir /srv/tablero tablero \
 && install -d -o tablero -g tablero -m 700 /srv/var \
 && install -d -o tablero -g tablero /srv/static \
 && python -m compileall -q accounts analysis backgammon chat draughts eventlog games ladders notifications tournaments \
 && SECRET_KEY=used-here-alone-to-collect-the-static-files python manage.py collectstatic --noinput -v0
USER tablero
EXPOSE 8000
CMD ["daphne", "--verbosity", "0", "--no-server-name", "--websocket-max-message-size", "1114112", "--websocket-max-frame-size", "1114112", "--websocket_connect_timeout", "30", "-b", "0.0.0.0", "-p", "8000", "backgammon.asgi:application"]
