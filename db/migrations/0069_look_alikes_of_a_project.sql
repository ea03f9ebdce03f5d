-- The keys by which images that look alike are found: seven parts of the perceptual hash, each with its place, so that of two hashes
-- that differ in at most six bits at least one part is the same. They begin somewhere else in each project.
-- safe: it is new, unless an operator has made it before, with the index
CREATE OR REPLACE FUNCTION look_alike_keys(project uuid, hash bigint) RETURNS int[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY[
    uuid_hash(project) # (hash & 511)::int,
    uuid_hash(project) # (1024 + ((hash >> 9) & 511))::int,
    uuid_hash(project) # (2048 + ((hash >> 18) & 511))::int,
    uuid_hash(project) # (3072 + ((hash >> 27) & 511))::int,
    uuid_hash(project) # (4096 + ((hash >> 36) & 511))::int,
    uuid_hash(project) # (5120 + ((hash >> 45) & 511))::int,
    uuid_hash(project) # (6144 + ((hash >> 54) & 1023))::int]
$$;
--> statement-breakpoint
-- findNeighbours: images of the project that look alike. It is asked right after a hash is written: nothing waits in a list of its own.
CREATE INDEX IF NOT EXISTS "files_look_alikes_index" ON "files" USING gin (look_alike_keys(project_id, perceptual_hash)) WITH (fastupdate=false) WHERE perceptual_hash is not null and is_current;
--> statement-breakpoint
-- Its keys were of all projects: the more files there were, the more of them were compared for each image.
-- contract: not used since 0.1.0
DROP INDEX "files_perceptual_bands_index";
