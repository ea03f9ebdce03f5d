-- What is there already has null, until a worker has filled it in: fillFindings.
ALTER TABLE "verdicts" ADD COLUMN "findings" text[];--> statement-breakpoint
-- listFileFacets, browseFiles by check: what was found in the files of a batch, from the index alone.
CREATE INDEX IF NOT EXISTS "verdicts_found_index" ON "verdicts" USING btree ("batch_id") INCLUDE ("result_id", "findings") WHERE findings <> '{}';--> statement-breakpoint
-- The same, and fillFindings: those that are not filled in yet.
CREATE INDEX IF NOT EXISTS "verdicts_unfilled_index" ON "verdicts" USING btree ("batch_id") WHERE findings is null;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION findings_of_result(result uuid, checks json) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(line ->> 'check_id' ORDER BY place), '{}') FROM json_array_elements(checks) WITH ORDINALITY AS c (line, place)
  WHERE line ->> 'status' IN ('fail', 'warning', 'error')
    AND NOT EXISTS (SELECT FROM pre_qc_waivers w WHERE w.result_id = result AND w.check_id = line ->> 'check_id')
$$;
--> statement-breakpoint
-- safe: the version before reads none of what it adds
CREATE OR REPLACE FUNCTION verdicts_of_series(batch uuid, of_series text) RETURNS SETOF verdicts LANGUAGE sql STABLE AS $$
  SELECT r.id, r.project_id, r.batch_id, of_series, r.completed_at,
    lead(r.completed_at) OVER (ORDER BY r.completed_at, f.version, r.attempt),
    r.summary, first_value(r.id) OVER first, first_value(r.summary) OVER first,
    CASE WHEN r.summary = 'fail' THEN (
      SELECT coalesce(jsonb_agg(jsonb_build_object('check_id', line ->> 'check_id', 'label', line ->> 'label') ORDER BY place), '[]')
      FROM json_array_elements(r.checks) WITH ORDINALITY AS c (line, place)
      WHERE line ->> 'status' = 'fail' AND NOT EXISTS (
        SELECT FROM pre_qc_waivers w WHERE w.result_id = r.id AND w.check_id = line ->> 'check_id')) END,
    -- Where nothing that is not waived was found, the summary says so, and the checks are not read.
    CASE WHEN r.summary IN ('fail', 'warning') THEN findings_of_result(r.id, r.checks) ELSE '{}' END
  FROM files f JOIN pre_qc_results r ON r.file_id = f.id
  WHERE f.batch_id = batch AND coalesce(f.series_key, f.name_key) = of_series AND r.status = 'completed' AND r.completed_at IS NOT NULL
  WINDOW first AS (ORDER BY f.version, r.attempt)
$$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION write_verdicts(batches uuid[], of_series text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO verdicts AS v SELECT n.* FROM unnest(batches, of_series) AS s (batch_id, series)
    CROSS JOIN LATERAL verdicts_of_series(s.batch_id, s.series) n ORDER BY n.result_id
  ON CONFLICT (result_id) DO UPDATE SET (completed_at, replaced_at, summary, first_result_id, first_summary, failing, findings)
      = (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing, excluded.findings)
    WHERE (v.completed_at, v.replaced_at, v.summary, v.first_result_id, v.first_summary, v.failing, v.findings)
      IS DISTINCT FROM (excluded.completed_at, excluded.replaced_at, excluded.summary, excluded.first_result_id, excluded.first_summary, excluded.failing, excluded.findings);
END $$;
--> statement-breakpoint
-- safe: it notes the same, and what was found
CREATE OR REPLACE FUNCTION note_verdicts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_verdicts(array_agg(s.batch_id), array_agg(s.series)) FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM new_rows r JOIN files f ON f.id = r.file_id WHERE r.status = 'completed') s;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it notes the same, and what was found
CREATE OR REPLACE FUNCTION note_verdicts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE (n.status, n.summary, n.completed_at) IS DISTINCT FROM (o.status, o.summary, o.completed_at)) THEN RETURN NULL; END IF;
  -- Who completes results of one batch at once takes turns, and the second reads what the first wrote.
  PERFORM 1 FROM batch_counts WHERE batch_id IN (SELECT batch_id FROM old_rows) ORDER BY batch_id FOR UPDATE;
  DELETE FROM verdicts v USING new_rows n WHERE v.result_id = n.id AND (n.status <> 'completed' OR n.completed_at IS NULL);
  PERFORM write_verdicts(array_agg(s.batch_id), array_agg(s.series)) FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM new_rows r JOIN files f ON f.id = r.file_id) s;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it notes the same, and what was found
CREATE OR REPLACE FUNCTION note_verdicts_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_verdicts(array_agg(s.batch_id), array_agg(s.series)) FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM old_rows r JOIN files f ON f.id = r.file_id) s;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it notes the same, and what was found
CREATE OR REPLACE FUNCTION note_verdicts_waived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_verdicts(array_agg(s.batch_id), array_agg(s.series)) FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM changed_rows w JOIN pre_qc_results r ON r.id = w.result_id JOIN files f ON f.id = r.file_id) s;
  RETURN NULL;
END $$;
