CREATE TABLE "batch_counts" (
	"batch_id" uuid PRIMARY KEY NOT NULL,
	"files" integer DEFAULT 0 NOT NULL,
	"total_size" bigint DEFAULT 0 NOT NULL,
	"approved" integer DEFAULT 0 NOT NULL,
	"rejected" integer DEFAULT 0 NOT NULL,
	"pending" integer DEFAULT 0 NOT NULL,
	"queued" integer DEFAULT 0 NOT NULL,
	"running" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"pass" integer DEFAULT 0 NOT NULL,
	"warning" integer DEFAULT 0 NOT NULL,
	"fail" integer DEFAULT 0 NOT NULL,
	"not_applicable" integer DEFAULT 0 NOT NULL,
	"could_not_run" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batch_counts" ADD CONSTRAINT "batch_counts_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- The indexes before were "DESC NULLS LAST", an order nothing asks for (ORDER BY id DESC has its nulls first): all rows of a batch,
-- a project or a webhook were read and sorted for its first page. These are read backwards.
-- getCertificate: the newest of a batch.
CREATE INDEX IF NOT EXISTS "certificates_batch_id_newest_index" ON "certificates" USING btree ("batch_id","id");
--> statement-breakpoint
-- listEstimates of a project.
CREATE INDEX IF NOT EXISTS "cost_estimates_project_id_newest_index" ON "cost_estimates" USING btree ("project_id","id");
--> statement-breakpoint
-- listEstimates of a status.
CREATE INDEX IF NOT EXISTS "cost_estimates_status_newest_index" ON "cost_estimates" USING btree ("status","id");
--> statement-breakpoint
-- listAuditEvents by project_id.
CREATE INDEX IF NOT EXISTS "events_project_id_newest_index" ON "events" USING btree ("project_id","id");
--> statement-breakpoint
-- listAuditEvents by batch_id.
CREATE INDEX IF NOT EXISTS "events_batch_id_newest_index" ON "events" USING btree ("batch_id","id");
--> statement-breakpoint
-- listAuditEvents by type.
CREATE INDEX IF NOT EXISTS "events_type_newest_index" ON "events" USING btree ("type","id");
--> statement-breakpoint
-- listAuditEvents by subject_id.
CREATE INDEX IF NOT EXISTS "events_subject_id_newest_index" ON "events" USING btree ("subject_id","id");
--> statement-breakpoint
-- listAuditEvents by actor_id.
CREATE INDEX IF NOT EXISTS "events_actor_id_newest_index" ON "events" USING btree ("actor_id","id");
--> statement-breakpoint
-- listNotifications.
CREATE INDEX IF NOT EXISTS "notifications_user_id_newest_index" ON "notifications" USING btree ("user_id","id");
--> statement-breakpoint
-- listFiles, browseFiles.
CREATE INDEX IF NOT EXISTS "files_batch_id_newest_index" ON "files" USING btree ("batch_id","id");
--> statement-breakpoint
-- the files of a project, newest first.
CREATE INDEX IF NOT EXISTS "files_project_id_newest_index" ON "files" USING btree ("project_id","id");
--> statement-breakpoint
-- listResults.
CREATE INDEX IF NOT EXISTS "pre_qc_results_batch_id_newest_index" ON "pre_qc_results" USING btree ("batch_id","id");
--> statement-breakpoint
-- listBatches.
CREATE INDEX IF NOT EXISTS "batches_project_id_newest_index" ON "batches" USING btree ("project_id","id");
--> statement-breakpoint
-- listProjects of an agency.
CREATE INDEX IF NOT EXISTS "projects_agency_id_newest_index" ON "projects" USING btree ("agency_id","id");
--> statement-breakpoint
-- listProjects of a status.
CREATE INDEX IF NOT EXISTS "projects_status_newest_index" ON "projects" USING btree ("status","id");
--> statement-breakpoint
-- listUploadLinks.
CREATE INDEX IF NOT EXISTS "upload_links_batch_id_newest_index" ON "upload_links" USING btree ("batch_id","id");
--> statement-breakpoint
-- listWebhookDeliveries.
CREATE INDEX IF NOT EXISTS "webhook_deliveries_webhook_id_newest_index" ON "webhook_deliveries" USING btree ("webhook_id","id");
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION count_files_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO batch_counts AS c (batch_id, files, total_size, approved, rejected, pending)
  SELECT batch_id, coalesce(files, 0), coalesce(total_size, 0), coalesce(approved, 0), coalesce(rejected, 0), coalesce(pending, 0) FROM (
    SELECT f.batch_id, sum(sign) AS files, sum(sign * f.size) AS total_size,
      sum(sign) FILTER (WHERE f.decision = 'approved') AS approved, sum(sign) FILTER (WHERE f.decision = 'rejected') AS rejected,
      sum(sign) FILTER (WHERE f.decision = 'pending') AS pending
    FROM (SELECT 1 AS sign, batch_id, size, decision, is_current FROM new_rows) f WHERE f.is_current GROUP BY f.batch_id
  ) changes WHERE files <> 0 OR total_size <> 0 OR approved <> 0 OR rejected <> 0 OR pending <> 0 ORDER BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET files = c.files + excluded.files, total_size = c.total_size + excluded.total_size, approved = c.approved + excluded.approved, rejected = c.rejected + excluded.rejected, pending = c.pending + excluded.pending;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION count_files_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE (n.batch_id, n.size, n.decision, n.is_current) IS DISTINCT FROM (o.batch_id, o.size, o.decision, o.is_current)) THEN RETURN NULL; END IF;
  -- Who changes a file and who changes its result take turns, and the second reads what the first wrote.
  PERFORM 1 FROM batch_counts WHERE batch_id IN (SELECT batch_id FROM old_rows) ORDER BY batch_id FOR UPDATE;
  INSERT INTO batch_counts AS c (batch_id, files, total_size, approved, rejected, pending)
  SELECT batch_id, coalesce(files, 0), coalesce(total_size, 0), coalesce(approved, 0), coalesce(rejected, 0), coalesce(pending, 0) FROM (
    SELECT f.batch_id, sum(sign) AS files, sum(sign * f.size) AS total_size,
      sum(sign) FILTER (WHERE f.decision = 'approved') AS approved, sum(sign) FILTER (WHERE f.decision = 'rejected') AS rejected,
      sum(sign) FILTER (WHERE f.decision = 'pending') AS pending
    FROM (SELECT 1 AS sign, batch_id, size, decision, is_current FROM new_rows UNION ALL SELECT -1 AS sign, batch_id, size, decision, is_current FROM old_rows) f WHERE f.is_current GROUP BY f.batch_id
  ) changes WHERE files <> 0 OR total_size <> 0 OR approved <> 0 OR rejected <> 0 OR pending <> 0 ORDER BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET files = c.files + excluded.files, total_size = c.total_size + excluded.total_size, approved = c.approved + excluded.approved, rejected = c.rejected + excluded.rejected, pending = c.pending + excluded.pending;
  INSERT INTO batch_counts AS c (batch_id, queued, running, completed, failed, pass, warning, fail, not_applicable, could_not_run)
  SELECT batch_id, coalesce(queued, 0), coalesce(running, 0), coalesce(completed, 0), coalesce(failed, 0), coalesce(pass, 0), coalesce(warning, 0), coalesce(fail, 0), coalesce(not_applicable, 0), coalesce(could_not_run, 0) FROM (
    SELECT r.batch_id,
      sum(sign) FILTER (WHERE r.status = 'queued') AS queued, sum(sign) FILTER (WHERE r.status = 'running') AS running,
      sum(sign) FILTER (WHERE r.status = 'completed') AS completed, sum(sign) FILTER (WHERE r.status = 'failed') AS failed,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'pass') AS pass,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'warning') AS warning,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'fail') AS fail,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'not_applicable') AS not_applicable,
      sum(sign) FILTER (WHERE r.could_not_run) AS could_not_run
    FROM (SELECT n.id, CASE WHEN n.is_current THEN 1 ELSE -1 END AS sign
      FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE n.is_current <> o.is_current) f
    JOIN pre_qc_results r ON r.file_id = f.id AND r.is_current GROUP BY r.batch_id
  ) changes WHERE queued <> 0 OR running <> 0 OR completed <> 0 OR failed <> 0 OR pass <> 0 OR warning <> 0 OR fail <> 0 OR not_applicable <> 0 OR could_not_run <> 0 ORDER BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET queued = c.queued + excluded.queued, running = c.running + excluded.running, completed = c.completed + excluded.completed, failed = c.failed + excluded.failed, pass = c.pass + excluded.pass, warning = c.warning + excluded.warning, fail = c.fail + excluded.fail, not_applicable = c.not_applicable + excluded.not_applicable, could_not_run = c.could_not_run + excluded.could_not_run;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION count_files_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO batch_counts AS c (batch_id, files, total_size, approved, rejected, pending)
  SELECT batch_id, coalesce(files, 0), coalesce(total_size, 0), coalesce(approved, 0), coalesce(rejected, 0), coalesce(pending, 0) FROM (
    SELECT f.batch_id, sum(sign) AS files, sum(sign * f.size) AS total_size,
      sum(sign) FILTER (WHERE f.decision = 'approved') AS approved, sum(sign) FILTER (WHERE f.decision = 'rejected') AS rejected,
      sum(sign) FILTER (WHERE f.decision = 'pending') AS pending
    FROM (SELECT -1 AS sign, batch_id, size, decision, is_current FROM old_rows) f WHERE f.is_current GROUP BY f.batch_id
  ) changes WHERE files <> 0 OR total_size <> 0 OR approved <> 0 OR rejected <> 0 OR pending <> 0 ORDER BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET files = c.files + excluded.files, total_size = c.total_size + excluded.total_size, approved = c.approved + excluded.approved, rejected = c.rejected + excluded.rejected, pending = c.pending + excluded.pending;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION delete_results_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- While the row of the file still says whether its results are counted; the foreign key would delete them after it.
  DELETE FROM pre_qc_results WHERE file_id = OLD.id;
  RETURN OLD;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION count_results_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM batch_counts WHERE batch_id IN (SELECT batch_id FROM new_rows) ORDER BY batch_id FOR UPDATE;
  INSERT INTO batch_counts AS c (batch_id, queued, running, completed, failed, pass, warning, fail, not_applicable, could_not_run)
  SELECT batch_id, coalesce(queued, 0), coalesce(running, 0), coalesce(completed, 0), coalesce(failed, 0), coalesce(pass, 0), coalesce(warning, 0), coalesce(fail, 0), coalesce(not_applicable, 0), coalesce(could_not_run, 0) FROM (
    SELECT r.batch_id,
      sum(sign) FILTER (WHERE r.status = 'queued') AS queued, sum(sign) FILTER (WHERE r.status = 'running') AS running,
      sum(sign) FILTER (WHERE r.status = 'completed') AS completed, sum(sign) FILTER (WHERE r.status = 'failed') AS failed,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'pass') AS pass,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'warning') AS warning,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'fail') AS fail,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'not_applicable') AS not_applicable,
      sum(sign) FILTER (WHERE r.could_not_run) AS could_not_run
    FROM (SELECT 1 AS sign, batch_id, file_id, status, summary, could_not_run, is_current FROM new_rows) r JOIN files f ON f.id = r.file_id
    WHERE r.is_current AND f.is_current GROUP BY r.batch_id
  ) changes WHERE queued <> 0 OR running <> 0 OR completed <> 0 OR failed <> 0 OR pass <> 0 OR warning <> 0 OR fail <> 0 OR not_applicable <> 0 OR could_not_run <> 0 ORDER BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET queued = c.queued + excluded.queued, running = c.running + excluded.running, completed = c.completed + excluded.completed, failed = c.failed + excluded.failed, pass = c.pass + excluded.pass, warning = c.warning + excluded.warning, fail = c.fail + excluded.fail, not_applicable = c.not_applicable + excluded.not_applicable, could_not_run = c.could_not_run + excluded.could_not_run;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION count_results_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE (n.status, n.summary, n.could_not_run, n.is_current) IS DISTINCT FROM (o.status, o.summary, o.could_not_run, o.is_current)) THEN RETURN NULL; END IF;
  PERFORM 1 FROM batch_counts WHERE batch_id IN (SELECT batch_id FROM old_rows) ORDER BY batch_id FOR UPDATE;
  INSERT INTO batch_counts AS c (batch_id, queued, running, completed, failed, pass, warning, fail, not_applicable, could_not_run)
  SELECT batch_id, coalesce(queued, 0), coalesce(running, 0), coalesce(completed, 0), coalesce(failed, 0), coalesce(pass, 0), coalesce(warning, 0), coalesce(fail, 0), coalesce(not_applicable, 0), coalesce(could_not_run, 0) FROM (
    SELECT r.batch_id,
      sum(sign) FILTER (WHERE r.status = 'queued') AS queued, sum(sign) FILTER (WHERE r.status = 'running') AS running,
      sum(sign) FILTER (WHERE r.status = 'completed') AS completed, sum(sign) FILTER (WHERE r.status = 'failed') AS failed,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'pass') AS pass,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'warning') AS warning,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'fail') AS fail,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'not_applicable') AS not_applicable,
      sum(sign) FILTER (WHERE r.could_not_run) AS could_not_run
    FROM (SELECT 1 AS sign, batch_id, file_id, status, summary, could_not_run, is_current FROM new_rows UNION ALL SELECT -1 AS sign, batch_id, file_id, status, summary, could_not_run, is_current FROM old_rows) r JOIN files f ON f.id = r.file_id
    WHERE r.is_current AND f.is_current GROUP BY r.batch_id
  ) changes WHERE queued <> 0 OR running <> 0 OR completed <> 0 OR failed <> 0 OR pass <> 0 OR warning <> 0 OR fail <> 0 OR not_applicable <> 0 OR could_not_run <> 0 ORDER BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET queued = c.queued + excluded.queued, running = c.running + excluded.running, completed = c.completed + excluded.completed, failed = c.failed + excluded.failed, pass = c.pass + excluded.pass, warning = c.warning + excluded.warning, fail = c.fail + excluded.fail, not_applicable = c.not_applicable + excluded.not_applicable, could_not_run = c.could_not_run + excluded.could_not_run;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION count_results_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM batch_counts WHERE batch_id IN (SELECT batch_id FROM old_rows) ORDER BY batch_id FOR UPDATE;
  INSERT INTO batch_counts AS c (batch_id, queued, running, completed, failed, pass, warning, fail, not_applicable, could_not_run)
  SELECT batch_id, coalesce(queued, 0), coalesce(running, 0), coalesce(completed, 0), coalesce(failed, 0), coalesce(pass, 0), coalesce(warning, 0), coalesce(fail, 0), coalesce(not_applicable, 0), coalesce(could_not_run, 0) FROM (
    SELECT r.batch_id,
      sum(sign) FILTER (WHERE r.status = 'queued') AS queued, sum(sign) FILTER (WHERE r.status = 'running') AS running,
      sum(sign) FILTER (WHERE r.status = 'completed') AS completed, sum(sign) FILTER (WHERE r.status = 'failed') AS failed,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'pass') AS pass,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'warning') AS warning,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'fail') AS fail,
      sum(sign) FILTER (WHERE r.status = 'completed' AND r.summary = 'not_applicable') AS not_applicable,
      sum(sign) FILTER (WHERE r.could_not_run) AS could_not_run
    FROM (SELECT -1 AS sign, batch_id, file_id, status, summary, could_not_run, is_current FROM old_rows) r JOIN files f ON f.id = r.file_id
    WHERE r.is_current AND f.is_current GROUP BY r.batch_id
  ) changes WHERE queued <> 0 OR running <> 0 OR completed <> 0 OR failed <> 0 OR pass <> 0 OR warning <> 0 OR fail <> 0 OR not_applicable <> 0 OR could_not_run <> 0 ORDER BY batch_id
  ON CONFLICT (batch_id) DO UPDATE SET queued = c.queued + excluded.queued, running = c.running + excluded.running, completed = c.completed + excluded.completed, failed = c.failed + excluded.failed, pass = c.pass + excluded.pass, warning = c.warning + excluded.warning, fail = c.fail + excluded.fail, not_applicable = c.not_applicable + excluded.not_applicable, could_not_run = c.could_not_run + excluded.could_not_run;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: what the version before writes is counted as well, and it reads none of it
CREATE TRIGGER files_count_added AFTER INSERT ON "files" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_files_added();
--> statement-breakpoint
-- safe: what the version before writes is counted as well, and it reads none of it
CREATE TRIGGER files_count_changed AFTER UPDATE ON "files" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_files_changed();
--> statement-breakpoint
-- safe: what the version before writes is counted as well, and it reads none of it
CREATE TRIGGER files_count_removed AFTER DELETE ON "files" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_files_removed();
--> statement-breakpoint
-- safe: what the version before writes is counted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_count_added AFTER INSERT ON "pre_qc_results" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_results_added();
--> statement-breakpoint
-- safe: what the version before writes is counted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_count_changed AFTER UPDATE ON "pre_qc_results" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_results_changed();
--> statement-breakpoint
-- safe: what the version before writes is counted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_count_removed AFTER DELETE ON "pre_qc_results" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_results_removed();
--> statement-breakpoint
-- safe: the foreign key of the results deletes the same rows
CREATE TRIGGER files_results_first BEFORE DELETE ON "files" FOR EACH ROW EXECUTE FUNCTION delete_results_of_file();
--> statement-breakpoint
INSERT INTO batch_counts (batch_id, files, total_size, approved, rejected, pending, queued, running, completed, failed, pass, warning, fail, not_applicable, could_not_run)
SELECT f.batch_id, count(*), sum(f.size), count(*) FILTER (WHERE f.decision = 'approved'), count(*) FILTER (WHERE f.decision = 'rejected'),
  count(*) FILTER (WHERE f.decision = 'pending'), count(*) FILTER (WHERE r.status = 'queued'), count(*) FILTER (WHERE r.status = 'running'),
  count(*) FILTER (WHERE r.status = 'completed'), count(*) FILTER (WHERE r.status = 'failed'),
  count(*) FILTER (WHERE r.status = 'completed' AND r.summary = 'pass'), count(*) FILTER (WHERE r.status = 'completed' AND r.summary = 'warning'),
  count(*) FILTER (WHERE r.status = 'completed' AND r.summary = 'fail'), count(*) FILTER (WHERE r.status = 'completed' AND r.summary = 'not_applicable'),
  count(*) FILTER (WHERE r.could_not_run)
FROM files f LEFT JOIN pre_qc_results r ON r.file_id = f.id AND r.is_current WHERE f.is_current GROUP BY f.batch_id;
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "certificates_batch_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "cost_estimates_project_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "cost_estimates_status_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "events_project_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "events_batch_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "events_type_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "notifications_user_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "files_batch_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "files_project_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "pre_qc_results_batch_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "batches_project_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "projects_agency_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "projects_status_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "upload_links_batch_id_index";
--> statement-breakpoint
-- Its look-ups are served by the newest_index of the same column.
-- contract: not used since 0.1.0
DROP INDEX "webhook_deliveries_webhook_id_index";
