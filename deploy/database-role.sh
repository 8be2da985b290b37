#!/bin/sh
# Run once, when the database of docker-compose.yml is made: the platform's role owns its database and is no superuser.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$ROLE_PASSWORD" <<'SQL'
CREATE ROLE grintu LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE grintu OWNER grintu;
SQL
