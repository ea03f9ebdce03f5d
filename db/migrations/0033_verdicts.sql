CREATE TABLE "verdicts" (
	"result_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"series" text NOT NULL,
	"completed_at" timestamp (3) with time zone NOT NULL,
	"replaced_at" timestamp (3) with time zone,
	"summary" text,
	"first_result_id" uuid NOT NULL,
	"first_summary" text,
	"failing" jsonb
);
--> statement-breakpoint
ALTER TABLE "verdicts" ADD CONSTRAINT "verdicts_result_id_pre_qc_results_id_fk" FOREIGN KEY ("result_id") REFERENCES "public"."pre_qc_results"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- verdicts_of_series, note_verdicts.
CREATE INDEX "verdicts_series_index" ON "verdicts" USING btree ("batch_id","series");--> statement-breakpoint
-- The tallies of analytics: counted from the index alone.
CREATE INDEX "verdicts_completed_at_index" ON "verdicts" USING btree ("completed_at") INCLUDE ("replaced_at", "batch_id", "project_id", "summary", "first_summary");--> statement-breakpoint
-- failingChecks, firstFailures.
CREATE INDEX "verdicts_failing_index" ON "verdicts" USING btree ("completed_at") WHERE summary = 'fail';
--> statement-breakpoint
-- turnsOf, turnaround: when a batch changed hands.
CREATE INDEX IF NOT EXISTS "events_turns_index" ON "events" USING btree ("batch_id","created_at") WHERE type in ('batch.created', 'batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled');
--> statement-breakpoint
-- turnsOf, turnaround: when a project changed its status.
CREATE INDEX IF NOT EXISTS "events_project_status_index" ON "events" USING btree ("project_id","created_at") WHERE type = 'project.updated';
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION verdicts_of_series(batch uuid, of_series text) RETURNS SETOF verdicts LANGUAGE sql STABLE AS $$
  SELECT r.id, r.project_id, r.batch_id, of_series, r.completed_at,
    lead(r.completed_at) OVER (ORDER BY r.completed_at, f.version, r.attempt),
    r.summary, first_value(r.id) OVER first, first_value(r.summary) OVER first,
    CASE WHEN r.summary = 'fail' THEN (
      SELECT coalesce(jsonb_agg(jsonb_build_object('check_id', line ->> 'check_id', 'label', line ->> 'label') ORDER BY place), '[]')
      FROM json_array_elements(r.checks) WITH ORDINALITY AS c (line, place)
      WHERE line ->> 'status' = 'fail' AND NOT EXISTS (
        SELECT FROM pre_qc_waivers w WHERE w.result_id = r.id AND w.check_id = line ->> 'check_id')) END
  FROM files f JOIN pre_qc_results r ON r.file_id = f.id
  WHERE f.batch_id = batch AND coalesce(f.series_key, f.name_key) = of_series AND r.status = 'completed' AND r.completed_at IS NOT NULL
  WINDOW first AS (ORDER BY f.version, r.attempt)
$$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION note_verdicts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows WHERE status = 'completed') THEN RETURN NULL; END IF;
  INSERT INTO verdicts AS v SELECT n.* FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM new_rows r JOIN files f ON f.id = r.file_id WHERE r.status = 'completed') s CROSS JOIN LATERAL verdicts_of_series(s.batch_id, s.series) n ORDER BY n.result_id
  ON CONFLICT (result_id) DO UPDATE SET (completed_at, replaced_at, summary, first_result_id, first_summary, failing)
      = (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing)
    WHERE (v.completed_at, v.replaced_at, v.summary, v.first_result_id, v.first_summary, v.failing)
      IS DISTINCT FROM (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION note_verdicts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE (n.status, n.summary, n.completed_at) IS DISTINCT FROM (o.status, o.summary, o.completed_at)) THEN RETURN NULL; END IF;
  -- Who completes results of one batch at once takes turns, and the second reads what the first wrote.
  PERFORM 1 FROM batch_counts WHERE batch_id IN (SELECT batch_id FROM old_rows) ORDER BY batch_id FOR UPDATE;
  DELETE FROM verdicts v USING new_rows n WHERE v.result_id = n.id AND (n.status <> 'completed' OR n.completed_at IS NULL);
  INSERT INTO verdicts AS v SELECT n.* FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM new_rows r JOIN files f ON f.id = r.file_id) s CROSS JOIN LATERAL verdicts_of_series(s.batch_id, s.series) n ORDER BY n.result_id
  ON CONFLICT (result_id) DO UPDATE SET (completed_at, replaced_at, summary, first_result_id, first_summary, failing)
      = (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing)
    WHERE (v.completed_at, v.replaced_at, v.summary, v.first_result_id, v.first_summary, v.failing)
      IS DISTINCT FROM (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION note_verdicts_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO verdicts AS v SELECT n.* FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM old_rows r JOIN files f ON f.id = r.file_id) s CROSS JOIN LATERAL verdicts_of_series(s.batch_id, s.series) n ORDER BY n.result_id
  ON CONFLICT (result_id) DO UPDATE SET (completed_at, replaced_at, summary, first_result_id, first_summary, failing)
      = (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing)
    WHERE (v.completed_at, v.replaced_at, v.summary, v.first_result_id, v.first_summary, v.failing)
      IS DISTINCT FROM (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION note_verdicts_waived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO verdicts AS v SELECT n.* FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM changed_rows w JOIN pre_qc_results r ON r.id = w.result_id JOIN files f ON f.id = r.file_id) s CROSS JOIN LATERAL verdicts_of_series(s.batch_id, s.series) n ORDER BY n.result_id
  ON CONFLICT (result_id) DO UPDATE SET (completed_at, replaced_at, summary, first_result_id, first_summary, failing)
      = (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing)
    WHERE (v.completed_at, v.replaced_at, v.summary, v.first_result_id, v.first_summary, v.failing)
      IS DISTINCT FROM (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_verdicts_added AFTER INSERT ON "pre_qc_results" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_verdicts_added();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_verdicts_changed AFTER UPDATE ON "pre_qc_results" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_verdicts_changed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_verdicts_removed AFTER DELETE ON "pre_qc_results" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_verdicts_removed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_waivers_verdicts_added AFTER INSERT ON "pre_qc_waivers" REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_verdicts_waived();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_waivers_verdicts_changed AFTER UPDATE ON "pre_qc_waivers" REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_verdicts_waived();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_waivers_verdicts_removed AFTER DELETE ON "pre_qc_waivers" REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION note_verdicts_waived();
--> statement-breakpoint
INSERT INTO verdicts SELECT n.* FROM (SELECT DISTINCT batch_id, coalesce(series_key, name_key) AS series FROM files) s
CROSS JOIN LATERAL verdicts_of_series(s.batch_id, s.series) n;
