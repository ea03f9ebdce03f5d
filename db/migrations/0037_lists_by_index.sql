-- Nullable: batches that have counts get it below, and a trigger sets it from now on.
ALTER TABLE "batch_counts" ADD COLUMN "project_id" uuid;
--> statement-breakpoint
-- browseFiles with comments=open.
CREATE INDEX IF NOT EXISTS "file_comments_open_index" ON "file_comments" USING btree ("batch_id","file_id") WHERE parent_id is null and resolved_at is null;
--> statement-breakpoint
-- browseFiles by name; the name key is included, or the expression would be read from the rows.
CREATE INDEX IF NOT EXISTS "files_batch_id_name_order_index" ON "files" USING btree ("batch_id",regexp_replace(regexp_replace(name_key, '\d+', '00000000000000\&', 'g'), '\d*(\d{15})', '\1', 'g'),"id") INCLUDE ("name_key") WHERE is_current;
--> statement-breakpoint
-- browseFiles, newest first: what stands before a part of the list, or is called otherwise, is passed over in the index.
CREATE INDEX IF NOT EXISTS "files_batch_id_current_index" ON "files" USING btree ("batch_id","id") INCLUDE ("name_key") WHERE is_current;
--> statement-breakpoint
-- getProject: the files of its batches.
CREATE INDEX IF NOT EXISTS "batch_counts_project_id_index" ON "batch_counts" USING btree ("project_id");
--> statement-breakpoint
-- getProject: its batches, and those of a status; listBatches of a status.
CREATE INDEX IF NOT EXISTS "batches_project_id_status_index" ON "batches" USING btree ("project_id","status","id");
--> statement-breakpoint
-- listMembers: whether somebody is operator of a batch.
CREATE INDEX IF NOT EXISTS "batches_project_id_operator_id_index" ON "batches" USING btree ("project_id","operator_id");
--> statement-breakpoint
-- listMembers: whether somebody is coordinator of a batch.
CREATE INDEX IF NOT EXISTS "batches_project_id_coordinator_id_index" ON "batches" USING btree ("project_id","coordinator_id");
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION place_batch_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.project_id := (SELECT project_id FROM batches WHERE id = NEW.batch_id);
  RETURN NEW;
END $$;
--> statement-breakpoint
-- safe: what the version before counts gets its project as well, and it reads none of it
CREATE TRIGGER batch_counts_place BEFORE INSERT ON "batch_counts" FOR EACH ROW EXECUTE FUNCTION place_batch_counts();
--> statement-breakpoint
-- safe: one row a batch, and nothing else is changed
UPDATE batch_counts c SET project_id = b.project_id FROM batches b WHERE b.id = c.batch_id;
