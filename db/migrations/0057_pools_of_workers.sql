-- What jobs are locked by, beside the worker: beat() in lib/jobs/worker.ts, the status page and doctor ask by it.
ALTER TABLE "workers" ADD COLUMN "pool" text DEFAULT '' NOT NULL;