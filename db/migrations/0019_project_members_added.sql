ALTER TABLE "project_members" ADD COLUMN "added_at" timestamp (3) with time zone;--> statement-breakpoint
-- Nobody could be added until now: who neither created the project nor has a batch in it was replaced, and kept his access.
DELETE FROM "project_members" m
WHERE NOT EXISTS (SELECT 1 FROM "projects" p WHERE p.id = m.project_id AND p.created_by = m.user_id)
  AND NOT EXISTS (SELECT 1 FROM "batches" b WHERE b.project_id = m.project_id AND m.user_id IN (b.operator_id, b.coordinator_id));
