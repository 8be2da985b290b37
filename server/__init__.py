"""The platform's server: FastAPI on Postgres, one folder per domain."""
