-- getServiceStatus, /api/metrics: how many files, results by their verdict and refused uploads there are, without counting them.
-- Their sum is that of all rows. A transaction adds to the first row that no other one holds, or to a new one, so that none waits. Pages have
-- room for what rows become, so that few are written.
CREATE TABLE "service_counts" (
	"slot" serial PRIMARY KEY NOT NULL,
	"stored_by_users" bigint DEFAULT 0 NOT NULL,
	"stored_by_links" bigint DEFAULT 0 NOT NULL,
	"queued" bigint DEFAULT 0 NOT NULL,
	"running" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"pass" bigint DEFAULT 0 NOT NULL,
	"warning" bigint DEFAULT 0 NOT NULL,
	"fail" bigint DEFAULT 0 NOT NULL,
	"not_applicable" bigint DEFAULT 0 NOT NULL,
	"rejected_uploads" bigint DEFAULT 0 NOT NULL
) WITH (fillfactor = 10);
--> statement-breakpoint
CREATE FUNCTION add_to_service_counts(d service_counts) RETURNS void LANGUAGE plpgsql AS $$
DECLARE own integer;
BEGIN
  SELECT slot INTO own FROM service_counts ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF own IS NULL THEN
    INSERT INTO service_counts DEFAULT VALUES RETURNING slot INTO own;
  END IF;
  UPDATE service_counts s SET stored_by_users = s.stored_by_users + d.stored_by_users, stored_by_links = s.stored_by_links + d.stored_by_links,
    queued = s.queued + d.queued, running = s.running + d.running, failed = s.failed + d.failed,
    pass = s.pass + d.pass, warning = s.warning + d.warning, fail = s.fail + d.fail, not_applicable = s.not_applicable + d.not_applicable,
    rejected_uploads = s.rejected_uploads + d.rejected_uploads
  WHERE s.slot = own;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_in_service() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE d service_counts;
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      SELECT 0, sum(stored_by_users), sum(stored_by_links), sum(queued), sum(running), sum(failed),
        sum(pass), sum(warning), sum(fail), sum(not_applicable), 0 INTO d FROM new_rows;
    WHEN 'DELETE' THEN
      SELECT 0, -sum(stored_by_users), -sum(stored_by_links), -sum(queued), -sum(running), -sum(failed),
        -sum(pass), -sum(warning), -sum(fail), -sum(not_applicable), 0 INTO d FROM old_rows;
    ELSE
      SELECT 0, sum(n.stored_by_users - o.stored_by_users), sum(n.stored_by_links - o.stored_by_links), sum(n.queued - o.queued),
        sum(n.running - o.running), sum(n.failed - o.failed), sum(n.pass - o.pass), sum(n.warning - o.warning), sum(n.fail - o.fail),
        sum(n.not_applicable - o.not_applicable), 0 INTO d FROM new_rows n JOIN old_rows o ON o.batch_id = n.batch_id;
  END CASE;
  -- Null where the statement changed no row.
  IF (d.stored_by_users, d.stored_by_links, d.queued, d.running, d.failed, d.pass, d.warning, d.fail, d.not_applicable)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0) THEN
    PERFORM add_to_service_counts(d);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it adds to a table that the version before does not read
CREATE TRIGGER batch_counts_added_in_service AFTER INSERT ON "batch_counts" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_in_service();
--> statement-breakpoint
-- safe: it adds to a table that the version before does not read
CREATE TRIGGER batch_counts_changed_in_service AFTER UPDATE ON "batch_counts" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_in_service();
--> statement-breakpoint
-- safe: it adds to a table that the version before does not read
CREATE TRIGGER batch_counts_removed_in_service AFTER DELETE ON "batch_counts" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_in_service();
--> statement-breakpoint
CREATE FUNCTION count_rejected_uploads() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE refused bigint;
BEGIN
  SELECT count(*) INTO refused FROM new_rows WHERE type = 'upload.rejected';
  IF refused > 0 THEN
    PERFORM add_to_service_counts(ROW(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, refused)::service_counts);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- By statement: in a restore one brings all events.
-- safe: it adds to a table that the version before does not read
CREATE TRIGGER events_rejected_uploads AFTER INSERT ON "events" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_rejected_uploads();
--> statement-breakpoint
-- What is there. The triggers above hold off who would change it until this is committed.
INSERT INTO service_counts (stored_by_users, stored_by_links, queued, running, failed, pass, warning, fail, not_applicable, rejected_uploads)
SELECT coalesce(sum(stored_by_users), 0), coalesce(sum(stored_by_links), 0), coalesce(sum(queued), 0), coalesce(sum(running), 0), coalesce(sum(failed), 0),
  coalesce(sum(pass), 0), coalesce(sum(warning), 0), coalesce(sum(fail), 0), coalesce(sum(not_applicable), 0),
  (SELECT count(*) FROM events WHERE type = 'upload.rejected')
FROM batch_counts;
--> statement-breakpoint
-- getServiceStatus: what mail failed lately.
CREATE INDEX IF NOT EXISTS "mails_errors_index" ON "mails" USING btree ("updated_at") WHERE error is not null;--> statement-breakpoint
-- getServiceStatus: how many deliveries are under way.
CREATE INDEX IF NOT EXISTS "webhook_deliveries_pending_index" ON "webhook_deliveries" USING btree ("id") WHERE status = 'pending';
