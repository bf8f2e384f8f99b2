#!/bin/sh
# Serves an edge function by Deno at the Unix socket /run/store/<name>/http, for store-function@.service:
#   serve.sh start <name>   starts it. A process that serves it already (MAINPID) is replaced without losing a request.
#   serve.sh stop           ends MAINPID when it has finished its requests.
set -eu

# After SIGTERM, Deno takes no new request and finishes those that it has. It would then wait up to 20 seconds for its
# idle connections to Postgres, so it is ended as soon as no connection of its socket is open (state 03 in the list).
finish() {
  socket=$(tr '\0' '\n' < "/proc/$1/environ" | sed -n 's/^DENO_SERVE_ADDRESS=unix://p')
  kill -TERM "$1"
  while grep -q " 03 .* $socket\$" /proc/net/unix; do sleep 0.1; done
  kill -KILL "$1"
}

start() {
  socket=/run/store/$1/$$
  # As the local stack serves it (scripts/stack/functions.ts): it reads no file and loads no other module.
  DENO_SERVE_ADDRESS=unix:$socket /usr/local/bin/deno serve \
    --v8-flags=--initial-old-space-size=32,--max-semi-space-size=4,--heap-growing-percent=50 \
    --no-config --no-lock --no-npm --no-remote --allow-net --allow-env --allow-sys \
    --allow-read="$socket" --allow-write="$socket" "/srv/store/functions/$1/index.js" &
  deno=$!
  tries=0
  until grep -q " 01 .* $socket\$" /proc/net/unix; do
    tries=$((tries + 1))
    # The journal has what it said. The former process, if there is one, goes on.
    if [ "$tries" = 200 ] || ! [ -e "/proc/$deno/exe" ]; then
      kill -KILL "$deno" 2> /dev/null || true
      exit 1
    fi
    sleep 0.1
  done
  # From here on, all new connections are those of the new process.
  mv "$socket" "/run/store/$1/http"
  systemd-notify --ready --pid="$deno"
  if [ -n "${MAINPID:-}" ]; then finish "$MAINPID"; fi
}

case $1 in
start) start "$2" ;;
stop) finish "$MAINPID" ;;
esac
