-- safe: it notes the same. A result that is claimed was no verdict and is none, and is half of all that changes while a batch is checked.
CREATE OR REPLACE FUNCTION note_verdicts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows n JOIN old_rows o ON o.id = n.id
      WHERE (n.status, n.summary, n.completed_at) IS DISTINCT FROM (o.status, o.summary, o.completed_at)
        AND 'completed' IN (n.status, o.status)) THEN RETURN NULL; END IF;
  -- Who completes results of one batch at once takes turns, and the second reads what the first wrote.
  PERFORM 1 FROM batch_counts WHERE batch_id IN (SELECT batch_id FROM old_rows) ORDER BY batch_id FOR UPDATE;
  DELETE FROM verdicts v USING new_rows n WHERE v.result_id = n.id AND (n.status <> 'completed' OR n.completed_at IS NULL);
  PERFORM write_verdicts(array_agg(s.batch_id), array_agg(s.series)) FROM (SELECT DISTINCT f.batch_id, coalesce(f.series_key, f.name_key) AS series
    FROM new_rows r JOIN files f ON f.id = r.file_id) s;
  RETURN NULL;
END $$;
