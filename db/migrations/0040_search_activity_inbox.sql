-- What the checks of a file found, for the search: label and sentence of each finding. Of a result that an old version stored
-- with characters PostgreSQL cannot read, nothing. The cost keeps the planner from reading all results in order.
-- safe: it is new
CREATE FUNCTION finding_text(checks json) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT COST 10000 AS $$
BEGIN
  RETURN (SELECT string_agg(concat_ws(': ', line->>'label', line->>'details'), E'\n')
    FROM json_array_elements(checks) line WHERE line->>'status' IN ('fail', 'warning', 'error'));
EXCEPTION WHEN data_exception OR untranslatable_character THEN
  RETURN NULL;
END $$;
--> statement-breakpoint
-- For this migration alone.
-- safe: it is new
CREATE FUNCTION pg_temp.recognised_words(subject json) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT COST 10000 AS $$
BEGIN
  RETURN (SELECT left(string_agg(word->>'text', ' '), 50000)
    FROM json_array_elements(subject->'measures'->'text'->'readings') reading, json_array_elements(reading->'words') word);
EXCEPTION WHEN data_exception OR untranslatable_character THEN
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TABLE "recognised_texts" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "recognised_texts" ADD CONSTRAINT "recognised_texts_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "recognised_texts" ("file_id", "body")
  SELECT file_id, body FROM (
    SELECT r.file_id, pg_temp.recognised_words(m.subject) AS body FROM pre_qc_measurements m JOIN pre_qc_results r ON r.id = m.result_id AND r.is_current
    WHERE m.subject->'measures'->'text'->'readings'->0 IS NOT NULL) read
  WHERE body IS NOT NULL;--> statement-breakpoint
CREATE INDEX "recognised_texts_words_index" ON "recognised_texts" USING gin (to_tsvector('simple', body));--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "file_comments_words_index" ON "file_comments" USING gin (to_tsvector('simple', body));--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "files_name_key_index" ON "files" USING btree ("name_key" text_pattern_ops,"id") WHERE is_current;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "pre_qc_results_findings_index" ON "pre_qc_results" USING gin (to_tsvector('simple', finding_text(checks))) WHERE is_current;
--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "upload_links" ADD COLUMN "opened_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "notifications_snoozed_index" ON "notifications" USING btree ("user_id","snoozed_until") WHERE snoozed_until is not null;