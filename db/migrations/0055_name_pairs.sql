-- The parts of a name of two characters, by which search finds names that hold a word of two: those that a word begins with, and all
-- that are not of plain Latin letters, as words of two characters are usual in other scripts.
-- safe: it is new
CREATE FUNCTION name_pairs(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT COST 10000 PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT substr(n, i, 2)), '{}') FROM (SELECT lower(name) AS n) l, generate_series(1, length(n) - 1) i
  WHERE i = 1 OR substr(n, i, 2) ~ '[^ -~]' OR substr(n, i - 1, 1) !~ '[a-z0-9]'
$$;
--> statement-breakpoint
-- What it costs to compute: the planner would do so for every row rather than ask the index where it thinks that many fit.
-- safe: the version before asks the same index
ALTER FUNCTION name_grams(text) COST 10000;
--> statement-breakpoint
-- search: files.
CREATE INDEX IF NOT EXISTS "files_name_pairs_index" ON "files" USING gin (name_pairs(name)) WHERE is_current;
