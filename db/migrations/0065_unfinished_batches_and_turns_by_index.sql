-- progressOf: the next day due of projects. listMembers: what of a project someone works on. Both from the index alone.
CREATE INDEX IF NOT EXISTS "batches_unfinished_index" ON "batches" USING btree ("project_id","id") INCLUDE ("due_on","status","operator_id","coordinator_id") WHERE status in ('open', 'in_review', 'awaiting_resupply');--> statement-breakpoint
-- getProjectScope: how many rounds the batches of a project took, from the index alone.
CREATE INDEX IF NOT EXISTS "batches_project_id_rounds_index" ON "batches" USING btree ("project_id") INCLUDE ("round");--> statement-breakpoint
-- previewErasure: how many events of a person are of before their names were sealed; all of them are in events_actor_id_newest_index.
CREATE INDEX IF NOT EXISTS "events_unsealed_actor_index" ON "events" USING btree ("actor_id") WHERE not (actor_name like 'sealed:1:%' or data::text like '%"sealed:1:%');--> statement-breakpoint
-- turnsOf: what turned a batch, without reading that it was made.
CREATE INDEX IF NOT EXISTS "events_turned_index" ON "events" USING btree ("batch_id","created_at") WHERE type in ('batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled');
