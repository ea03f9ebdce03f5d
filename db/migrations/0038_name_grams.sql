-- The parts of a name of three characters each, by which search finds names that hold a text. Without an extension: not every
-- database lets its owner install one.
-- safe: it is new
CREATE FUNCTION name_grams(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT substr(n, i, 3)), '{}') FROM (SELECT lower(name) AS n) l, generate_series(1, length(n) - 2) i
$$;
--> statement-breakpoint
-- search: files.
CREATE INDEX IF NOT EXISTS "files_name_grams_index" ON "files" USING gin (name_grams(name)) WHERE is_current;
--> statement-breakpoint
-- search: batches.
CREATE INDEX IF NOT EXISTS "batches_name_grams_index" ON "batches" USING gin (name_grams(name));
--> statement-breakpoint
-- search: projects.
CREATE INDEX IF NOT EXISTS "projects_name_grams_index" ON "projects" USING gin (name_grams(name));
