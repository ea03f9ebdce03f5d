-- Sums and short rows of each batch for analytics (decision 0105): lib/domain/analytics/measure.ts reads them.
CREATE TABLE "analytics_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"batch_id" uuid,
	"project_id" uuid
);
--> statement-breakpoint
CREATE TABLE "analytics_findings" (
	"batch_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"until_day" date,
	"profile_id" uuid,
	"check_id" text,
	"label" text,
	"newest_at" timestamp (3) with time zone,
	"count" integer NOT NULL,
	"overruled" integer,
	"newest_id" uuid,
	"fixed_id" uuid,
	"fixed_at" timestamp (3) with time zone,
	CONSTRAINT "analytics_findings_kind" CHECK ("analytics_findings"."kind" in ('latest', 'first', 'reviewed'))
);
--> statement-breakpoint
CREATE TABLE "analytics_results" (
	"batch_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"day" date NOT NULL,
	"until_day" date,
	"pass" integer NOT NULL,
	"warning" integer NOT NULL,
	"fail" integer NOT NULL,
	"not_applicable" integer NOT NULL,
	"passed_first" integer NOT NULL,
	"checked_first" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_rounds" (
	"batch_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"day" date NOT NULL,
	"from_day" date NOT NULL,
	"until_day" date,
	"resupplies" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_turns" (
	"batch_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"holder" text NOT NULL,
	"day" date NOT NULL,
	"hours" double precision NOT NULL
);
--> statement-breakpoint
CREATE INDEX "analytics_findings_batch_id_index" ON "analytics_findings" USING btree ("batch_id");--> statement-breakpoint
-- failingChecks, overruledChecks, from the index alone; firstFailures.
CREATE INDEX "analytics_findings_kind_day_index" ON "analytics_findings" USING btree ("kind","day") INCLUDE ("until_day", "batch_id", "project_id", "profile_id", "check_id", "label", "newest_at", "count", "overruled");--> statement-breakpoint
CREATE INDEX "analytics_results_batch_id_index" ON "analytics_results" USING btree ("batch_id");--> statement-breakpoint
-- tallies, tallyByTime, from the index alone.
CREATE INDEX "analytics_results_day_index" ON "analytics_results" USING btree ("day") INCLUDE ("until_day", "batch_id", "project_id", "pass", "warning", "fail", "not_applicable", "passed_first", "checked_first");--> statement-breakpoint
CREATE INDEX "analytics_rounds_batch_id_index" ON "analytics_rounds" USING btree ("batch_id");--> statement-breakpoint
-- resupplyRounds, from the index alone.
CREATE INDEX "analytics_rounds_day_index" ON "analytics_rounds" USING btree ("day") INCLUDE ("from_day", "until_day", "batch_id", "project_id", "resupplies");--> statement-breakpoint
CREATE INDEX "analytics_turns_batch_id_index" ON "analytics_turns" USING btree ("batch_id");--> statement-breakpoint
-- turnaround, from the index alone.
CREATE INDEX "analytics_turns_day_index" ON "analytics_turns" USING btree ("day") INCLUDE ("holder", "batch_id", "project_id", "hours");--> statement-breakpoint
-- safe: it is built in seconds: one row for each refused upload
-- rejectedUploads.
CREATE INDEX IF NOT EXISTS "events_rejected_uploads_index" ON "events" USING btree ("created_at","project_id") WHERE type = 'upload.rejected';
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_results_of_batch(of_batch uuid) RETURNS SETOF analytics_results LANGUAGE plpgsql STABLE ROWS 5 AS $$
BEGIN
  RETURN QUERY
  SELECT of_batch, v.project_id, (v.completed_at AT TIME ZONE 'UTC')::date AS day, (v.replaced_at AT TIME ZONE 'UTC')::date AS until_day,
    (count(*) FILTER (WHERE v.summary = 'pass'))::int,
    (count(*) FILTER (WHERE v.summary = 'warning'))::int,
    (count(*) FILTER (WHERE v.summary = 'fail'))::int,
    (count(*) FILTER (WHERE v.summary = 'not_applicable'))::int,
    (count(*) FILTER (WHERE v.summary <> 'not_applicable' AND v.first_summary IN ('pass', 'warning')))::int,
    (count(*) FILTER (WHERE v.summary <> 'not_applicable' AND v.first_summary <> 'not_applicable'))::int
  FROM verdicts v WHERE v.batch_id = of_batch GROUP BY v.project_id, 3, 4;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_findings_of_batch(of_batch uuid) RETURNS SETOF analytics_findings LANGUAGE plpgsql STABLE ROWS 5 AS $$
BEGIN
  RETURN QUERY
  SELECT of_batch, v.project_id, 'latest', (v.completed_at AT TIME ZONE 'UTC')::date AS day, (v.replaced_at AT TIME ZONE 'UTC')::date AS until_day,
    NULL::uuid, line ->> 'check_id' AS check_id, (array_agg(line ->> 'label' ORDER BY v.completed_at DESC))[1], max(v.completed_at)::timestamptz(3),
    count(*)::int, NULL::int, NULL::uuid, NULL::uuid, NULL::timestamptz(3)
  FROM verdicts v CROSS JOIN LATERAL jsonb_array_elements(v.failing) AS line
  WHERE v.batch_id = of_batch AND v.summary = 'fail'
  GROUP BY v.project_id, 4, 5, 7;
  RETURN QUERY
  SELECT of_batch, f.project_id, 'first', f.day, f.until_day, NULL::uuid, f.check_id,
    (array_agg(f.label ORDER BY f.completed_at DESC))[1], max(f.completed_at)::timestamptz(3), count(*)::int, NULL::int,
    (array_agg(f.result_id ORDER BY f.completed_at DESC))[1],
    (array_agg(f.result_id ORDER BY f.completed_at DESC) FILTER (WHERE f.is_fixed))[1], (max(f.completed_at) FILTER (WHERE f.is_fixed))::timestamptz(3)
  FROM (
    SELECT v.project_id, (v.completed_at AT TIME ZONE 'UTC')::date AS day, (v.replaced_at AT TIME ZONE 'UTC')::date AS until_day,
      e.result_id, e.completed_at, line ->> 'check_id' AS check_id, line ->> 'label' AS label, EXISTS (
        SELECT FROM pre_qc_results r CROSS JOIN LATERAL json_array_elements(r.checks) AS said
        WHERE r.id = e.result_id AND said ->> 'check_id' = line ->> 'check_id' AND said ->> 'status' = 'fail'
          AND said ->> 'fix' IS NOT NULL) AS is_fixed
    FROM verdicts v JOIN verdicts e ON e.result_id = v.first_result_id
    CROSS JOIN LATERAL jsonb_array_elements(e.failing) AS line
    WHERE v.batch_id = of_batch AND v.first_summary = 'fail' AND e.summary = 'fail') f
  GROUP BY f.project_id, f.day, f.until_day, f.check_id;
  RETURN QUERY
  SELECT of_batch, f.project_id, 'reviewed', (f.completed_at AT TIME ZONE 'UTC')::date AS day, NULL::date, f.profile_id, f.check_id,
    (array_agg(f.label ORDER BY f.completed_at DESC))[1], max(f.completed_at)::timestamptz(3), count(*)::int, (count(*) FILTER (WHERE f.is_overruled))::int,
    NULL::uuid, NULL::uuid, NULL::timestamptz(3)
  FROM (
    SELECT v.project_id, v.completed_at, r.profile_id, line ->> 'check_id' AS check_id, line ->> 'label' AS label,
      o.decision = 'approved' AS is_overruled
    FROM verdicts v JOIN pre_qc_results r ON r.id = v.result_id AND r.is_current
    JOIN files o ON o.id = r.file_id AND o.decision IN ('approved', 'rejected')
    CROSS JOIN LATERAL jsonb_array_elements(v.failing) AS line
    WHERE v.batch_id = of_batch AND v.summary = 'fail'
    UNION ALL
    -- A waived warning is no finding that failed.
    SELECT r.project_id, r.completed_at, r.profile_id, w.check_id, line ->> 'label', true
    FROM pre_qc_results r JOIN pre_qc_waivers w ON w.result_id = r.id
    CROSS JOIN LATERAL json_array_elements(r.checks) AS line
    WHERE r.batch_id = of_batch AND r.is_current AND r.status = 'completed' AND r.completed_at IS NOT NULL
      AND line ->> 'check_id' = w.check_id AND line ->> 'status' = 'fail') f
  GROUP BY f.project_id, 4, f.profile_id, f.check_id;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_rounds_of_batch(of_batch uuid) RETURNS SETOF analytics_rounds LANGUAGE plpgsql STABLE ROWS 5 AS $$
BEGIN
  RETURN QUERY
  WITH active AS MATERIALIZED (
    SELECT DISTINCT (v.completed_at AT TIME ZONE 'UTC')::date AS day FROM verdicts v WHERE v.batch_id = of_batch),
  submits AS MATERIALIZED (
    SELECT e.created_at, (e.data ->> 'round')::int AS round FROM events e WHERE e.batch_id = of_batch AND e.type = 'batch.submitted'),
  changed AS (
    SELECT a.day FROM active a
    UNION SELECT (s.created_at AT TIME ZONE 'UTC')::date FROM submits s
    UNION SELECT (b.submitted_at AT TIME ZONE 'UTC')::date FROM batches b WHERE b.id = of_batch AND b.submitted_at IS NOT NULL),
  segments AS (
    SELECT c.day AS from_day, lead(c.day) OVER (ORDER BY c.day) AS until_day, (c.day + 1)::timestamp AT TIME ZONE 'UTC' AS ends FROM changed c)
  SELECT of_batch, b.project_id, (SELECT max(a.day) FROM active a WHERE a.day <= s.from_day), s.from_day, s.until_day,
    greatest(0, CASE WHEN b.submitted_at < s.ends THEN b.round ELSE coalesce((
      -- It went on later: only its events say how far it was then.
      SELECT max(e.round) FROM submits e WHERE e.created_at < s.ends), 1) END - 1)
  FROM segments s JOIN batches b ON b.id = of_batch
  WHERE s.from_day >= (SELECT min(a.day) FROM active a);
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_turns_of_batch(of_batch uuid) RETURNS SETOF analytics_turns LANGUAGE plpgsql STABLE ROWS 5 AS $$
BEGIN
  RETURN QUERY
  WITH batch AS MATERIALIZED (
    SELECT b.project_id, (SELECT min(l.created_at) FROM upload_links l WHERE l.batch_id = b.id) AS linked_at, (
      SELECT range_agg(tstzrange(s.created_at, s.until)) FROM (
        SELECT e.data -> 'after' ->> 'status' AS status, e.created_at, lead(e.created_at) OVER (ORDER BY e.created_at, e.sequence) AS until
        FROM events e WHERE e.project_id = b.project_id
          AND e.type = 'project.updated' AND e.data -> 'after' ->> 'status' IS NOT NULL) s
      WHERE s.status <> 'active') AS idle
    FROM batches b WHERE b.id = of_batch),
  steps AS (
    SELECT e.created_at, e.sequence,
      CASE
        WHEN e.type = 'batch.created' THEN 'agency'
        WHEN e.type = 'batch.submitted' THEN 'review'
        WHEN e.type = 'batch.review_completed' AND e.data ->> 'outcome' = 'awaiting_resupply' THEN 'agency'
        WHEN e.type IN ('batch.review_completed', 'batch.resupplied') THEN 'none'
        ELSE 'cancelled' END AS holder
    FROM events e WHERE e.batch_id = of_batch
      AND e.type IN ('batch.created', 'batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled')),
  changes AS (
    SELECT s.*, lag(s.holder) OVER (ORDER BY s.created_at, s.sequence) AS held_before FROM steps s),
  turns AS (
    SELECT c.holder, c.created_at AS began, lead(c.created_at) OVER turn AS ended, lead(c.holder) OVER turn AS next_holder
    FROM changes c WHERE c.holder IS DISTINCT FROM c.held_before
    WINDOW turn AS (ORDER BY c.created_at, c.sequence))
  SELECT of_batch, b.project_id, t.holder, (t.ended AT TIME ZONE 'UTC')::date, (coalesce((
    SELECT sum(extract(epoch FROM upper(piece) - lower(piece)))
    FROM unnest(tstzmultirange(tstzrange(CASE WHEN t.holder = 'agency' THEN greatest(t.began, b.linked_at) ELSE t.began END, t.ended))
      - coalesce(b.idle, '{}'::tstzmultirange)) AS piece), 0) / 3600)::float8
  FROM turns t, batch b
  WHERE (t.holder = 'review' OR (t.holder = 'agency' AND b.linked_at < t.ended)) AND t.next_holder <> 'cancelled';
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- What is counted of a batch follows from the row that comes, goes or changes.
  INSERT INTO analytics_changes (batch_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.batch_id ELSE NEW.batch_id END);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_changed_by_waiver() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Where the result goes with it, its own trigger notes it.
  INSERT INTO analytics_changes (batch_id)
    SELECT r.batch_id FROM pre_qc_results r WHERE r.id = CASE WHEN TG_OP = 'DELETE' THEN OLD.result_id ELSE NEW.result_id END;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_changed_by_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO analytics_changes (batch_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_changed_by_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO analytics_changes (project_id) VALUES (NEW.project_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_analytics_added AFTER INSERT ON "pre_qc_results" FOR EACH ROW
  WHEN (NEW.status = 'completed') EXECUTE FUNCTION analytics_changed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_analytics_changed AFTER UPDATE ON "pre_qc_results" FOR EACH ROW
  WHEN (OLD.status = 'completed' OR NEW.status = 'completed') EXECUTE FUNCTION analytics_changed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_results_analytics_removed AFTER DELETE ON "pre_qc_results" FOR EACH ROW
  WHEN (OLD.status = 'completed') EXECUTE FUNCTION analytics_changed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER pre_qc_waivers_analytics AFTER INSERT OR UPDATE OR DELETE ON "pre_qc_waivers" FOR EACH ROW
  EXECUTE FUNCTION analytics_changed_by_waiver();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER files_analytics AFTER UPDATE OF decision ON "files" FOR EACH ROW
  WHEN (OLD.decision IS DISTINCT FROM NEW.decision) EXECUTE FUNCTION analytics_changed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER upload_links_analytics AFTER INSERT OR DELETE ON "upload_links" FOR EACH ROW EXECUTE FUNCTION analytics_changed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER batches_analytics AFTER UPDATE OF round, submitted_at ON "batches" FOR EACH ROW
  WHEN ((OLD.round, OLD.submitted_at) IS DISTINCT FROM (NEW.round, NEW.submitted_at)) EXECUTE FUNCTION analytics_changed_by_batch();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER events_analytics_of_batch AFTER INSERT ON "events" FOR EACH ROW
  WHEN (NEW.type IN ('batch.created', 'batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled'))
  EXECUTE FUNCTION analytics_changed();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it reads none of it
CREATE TRIGGER events_analytics_of_project AFTER INSERT ON "events" FOR EACH ROW
  WHEN (NEW.type = 'project.updated' AND NEW.data -> 'after' ->> 'status' IS NOT NULL) EXECUTE FUNCTION analytics_changed_by_project();
--> statement-breakpoint
INSERT INTO analytics_results SELECT n.* FROM batches b CROSS JOIN LATERAL analytics_results_of_batch(b.id) n;
--> statement-breakpoint
INSERT INTO analytics_findings SELECT n.* FROM batches b CROSS JOIN LATERAL analytics_findings_of_batch(b.id) n;
--> statement-breakpoint
INSERT INTO analytics_rounds SELECT n.* FROM batches b CROSS JOIN LATERAL analytics_rounds_of_batch(b.id) n;
--> statement-breakpoint
INSERT INTO analytics_turns SELECT n.* FROM batches b CROSS JOIN LATERAL analytics_turns_of_batch(b.id) n;
