-- Measurements kept for trying other settings: film -> video, sound -> audio, misdeeds -> violations. A row that cannot be
-- read as jsonb (a NUL in a text) is given up: its file counts as not measured until it is checked again.
DO $$
DECLARE
  kept record;
  said jsonb;
  measures jsonb;
BEGIN
  FOR kept IN SELECT "result_id", "subject" FROM "pre_qc_measurements" LOOP
    BEGIN
      said := kept."subject"::jsonb;
      measures := coalesce(said -> 'measures', '{}');
      IF measures ? 'film' THEN
        measures := (measures - 'film') || jsonb_build_object('video', measures -> 'film');
      END IF;
      IF measures ? 'sound' THEN
        measures := (measures - 'sound') || jsonb_build_object('audio', measures -> 'sound');
      END IF;
      IF measures -> 'banner' ? 'misdeeds' THEN
        measures := jsonb_set(
          measures #- '{banner,misdeeds}', '{banner,violations}', measures #> '{banner,misdeeds}');
      END IF;
      said := jsonb_set(said, '{measures}', measures);
      IF jsonb_typeof(said -> 'neighbours') = 'array' THEN
        said := jsonb_set(said, '{neighbours}', coalesce(
          (SELECT jsonb_agg(CASE WHEN one ? 'film'
              THEN (one - 'film') || jsonb_build_object('video', one -> 'film') ELSE one END ORDER BY at)
            FROM jsonb_array_elements(said -> 'neighbours') WITH ORDINALITY AS all_of_them(one, at)),
          '[]'));
      END IF;
      UPDATE "pre_qc_measurements" SET "subject" = said::json WHERE "result_id" = kept."result_id";
    EXCEPTION WHEN data_exception THEN
      DELETE FROM "pre_qc_measurements" WHERE "result_id" = kept."result_id";
    END;
  END LOOP;
END $$;
