ALTER TABLE "pre_qc_results" ADD COLUMN "could_not_run" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- safe: only the new column is written; what the version before finishes meanwhile counts as checked until it runs again
UPDATE "pre_qc_results" SET "could_not_run" = true
  WHERE "is_current" AND ("status" = 'failed' OR ("status" = 'completed' AND EXISTS (
    SELECT FROM json_array_elements("checks") AS line WHERE line ->> 'status' = 'error')));--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "pre_qc_results_could_not_run_index" ON "pre_qc_results" USING btree ("batch_id") WHERE could_not_run and is_current;
