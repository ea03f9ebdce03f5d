DROP INDEX "files_project_id_sha256_key";--> statement-breakpoint
CREATE INDEX "files_project_id_sha256_index" ON "files" USING btree ("project_id","sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "files_project_id_sha256_key" ON "files" USING btree ("project_id","sha256") WHERE is_current;