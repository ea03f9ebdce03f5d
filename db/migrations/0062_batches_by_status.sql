-- browseBatches: the newest batches of the projects one sees, and how many there are of each status, from the index alone.
CREATE INDEX IF NOT EXISTS "batches_id_index" ON "batches" USING btree ("id") INCLUDE ("project_id", "status");--> statement-breakpoint
-- browseBoard, browseBatches by status: the newest of a status, from the index alone.
CREATE INDEX IF NOT EXISTS "batches_status_newest_index" ON "batches" USING btree ("status","id") INCLUDE ("project_id");
