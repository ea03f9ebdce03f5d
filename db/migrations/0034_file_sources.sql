-- A file that arrives meanwhile waits, and is counted by the new function.
-- safe: uploads wait for as long as the sum below takes
LOCK TABLE "files" IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
ALTER TABLE "batch_counts" ADD COLUMN "stored_by_users" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_counts" ADD COLUMN "stored_by_links" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- safe: it counts what the version before counted, and two columns more
CREATE OR REPLACE FUNCTION count_files_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO batch_counts AS c (batch_id, files, total_size, approved, rejected, pending, stored_by_users, stored_by_links)
  SELECT f.batch_id, count(*) FILTER (WHERE f.is_current), coalesce(sum(f.size) FILTER (WHERE f.is_current), 0),
    count(*) FILTER (WHERE f.is_current AND f.decision = 'approved'), count(*) FILTER (WHERE f.is_current AND f.decision = 'rejected'),
    count(*) FILTER (WHERE f.is_current AND f.decision = 'pending'),
    count(*) FILTER (WHERE f.source_type = 'user'), count(*) FILTER (WHERE f.source_type = 'upload_link')
  FROM new_rows f GROUP BY f.batch_id ORDER BY f.batch_id
  ON CONFLICT (batch_id) DO UPDATE SET files = c.files + excluded.files, total_size = c.total_size + excluded.total_size,
    approved = c.approved + excluded.approved, rejected = c.rejected + excluded.rejected, pending = c.pending + excluded.pending,
    stored_by_users = c.stored_by_users + excluded.stored_by_users, stored_by_links = c.stored_by_links + excluded.stored_by_links;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it counts what the version before counted, and two columns more
CREATE OR REPLACE FUNCTION count_files_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO batch_counts AS c (batch_id, files, total_size, approved, rejected, pending, stored_by_users, stored_by_links)
  SELECT f.batch_id, -count(*) FILTER (WHERE f.is_current), -coalesce(sum(f.size) FILTER (WHERE f.is_current), 0),
    -count(*) FILTER (WHERE f.is_current AND f.decision = 'approved'), -count(*) FILTER (WHERE f.is_current AND f.decision = 'rejected'),
    -count(*) FILTER (WHERE f.is_current AND f.decision = 'pending'),
    -count(*) FILTER (WHERE f.source_type = 'user'), -count(*) FILTER (WHERE f.source_type = 'upload_link')
  FROM old_rows f GROUP BY f.batch_id ORDER BY f.batch_id
  ON CONFLICT (batch_id) DO UPDATE SET files = c.files + excluded.files, total_size = c.total_size + excluded.total_size,
    approved = c.approved + excluded.approved, rejected = c.rejected + excluded.rejected, pending = c.pending + excluded.pending,
    stored_by_users = c.stored_by_users + excluded.stored_by_users, stored_by_links = c.stored_by_links + excluded.stored_by_links;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: one row a batch, and the version before reads none of these columns
INSERT INTO batch_counts AS c (batch_id, stored_by_users, stored_by_links)
SELECT batch_id, count(*) FILTER (WHERE source_type = 'user'), count(*) FILTER (WHERE source_type = 'upload_link') FROM files GROUP BY batch_id
ON CONFLICT (batch_id) DO UPDATE SET stored_by_users = excluded.stored_by_users, stored_by_links = excluded.stored_by_links;
