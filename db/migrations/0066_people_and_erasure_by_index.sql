-- previewErasure, eraseUser: the estimates whose steps name a person. Steps seldom change: nothing waits in a list of its own.
CREATE INDEX IF NOT EXISTS "cost_estimates_steps_index" ON "cost_estimates" USING gin ("steps" jsonb_path_ops) WITH (fastupdate=false);--> statement-breakpoint
-- previewErasure, eraseUser: the notifications of the events of a person, from the index alone, instead of all that are kept.
CREATE INDEX IF NOT EXISTS "notifications_event_id_index" ON "notifications" USING btree ("event_id");--> statement-breakpoint
-- The same of deliveries of webhooks.
CREATE INDEX IF NOT EXISTS "webhook_deliveries_event_id_index" ON "webhook_deliveries" USING btree ("event_id") WHERE event_id is not null;--> statement-breakpoint
-- listMyWork: the unfinished batches of a person in projects that go on, from the index alone.
CREATE INDEX IF NOT EXISTS "batches_operator_id_status_index" ON "batches" USING btree ("operator_id","status","id") INCLUDE ("project_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "batches_coordinator_id_status_index" ON "batches" USING btree ("coordinator_id","status","id") INCLUDE ("project_id");--> statement-breakpoint
-- Its look-ups are served by batches_operator_id_status_index, which begins with the same columns.
-- contract: not used since 0.1.0
DROP INDEX "batches_operator_id_index";--> statement-breakpoint
-- Its look-ups are served by batches_coordinator_id_status_index, which begins with the same columns.
-- contract: not used since 0.1.0
DROP INDEX "batches_coordinator_id_index";
