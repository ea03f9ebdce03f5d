ALTER TABLE "files" ADD COLUMN "series_key" text;--> statement-breakpoint
CREATE INDEX "files_series_index" ON "files" USING btree ("batch_id",coalesce(series_key, name_key));