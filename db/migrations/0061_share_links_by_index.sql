-- countsOf of share links: which files a link shared, and their sizes, from the index alone. As before, also its files by their place.
-- safe: no version that was released has share links; places are unique already
CREATE UNIQUE INDEX IF NOT EXISTS "share_link_files_link_id_place_key" ON "share_link_files" USING btree ("link_id","position") INCLUDE ("file_id", "size");--> statement-breakpoint
-- contract: not used since 0.1.0
DROP INDEX "share_link_files_link_id_position_key";--> statement-breakpoint
-- The same: those of the files that may be had still, though a newer version replaced them.
CREATE INDEX IF NOT EXISTS "files_batch_id_replaced_offered_index" ON "files" USING btree ("batch_id","id") WHERE not is_current and decision = 'approved' and integrity = 'sound' and removed_at is null;
