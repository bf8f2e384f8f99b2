#!/bin/bash
# Builds the version of this folder, updates the database, and installs functions and sites. Root runs it after the
# first migrations and after each `git checkout v<version>`. Run it again after an interruption.
set -euo pipefail
cd "$(dirname "$0")/../.."
set -a
. /etc/store/commands.env
set +a

# Installs the packages of npm first.
npm run functions:build
npm run console:build
npm run h5:build

# Database, functions, sites: docs/upgrading.md, "Order". It asks, unless this script has the option --yes.
npm run upgrade -- "$@"

# Each file gets its name when it is complete.
place() { install -D -m 644 "$1" "$2.new" && mv "$2.new" "$2"; }

program() { install -D -m 755 "$1" "$2.new" && mv "$2.new" "$2"; }

program node_modules/deno/deno /usr/local/bin/deno
program docs/self_hosting/serve.sh /usr/local/lib/store/serve.sh
for bundle in dist/functions/supabase/functions/*/index.js; do
  name=$(basename "$(dirname "$bundle")")
  place "$bundle" "/srv/store/functions/$name/index.js"
  systemctl enable --quiet "store-function@$name"
  systemctl reload-or-restart "store-function@$name"
done

for template in supabase/templates/*.html; do
  place "$template" "/srv/store/sites/mails/$(basename "$template")"
done
for site in console h5; do
  to=/srv/store/sites/$site
  mkdir -p "$to"
  # The page comes last, because it names the other files. Those of earlier versions stay, for pages that are open.
  tar -C "apps/$site/dist" --exclude=./index.html --exclude=./config.json -cf - . | tar -C "$to" --no-same-owner -xf -
  [ -e "$to/config.json" ] || place /etc/store/config.json "$to/config.json"
  place "apps/$site/dist/index.html" "$to/index.html"
done
