-- listUploadLinks: whether files come in through a link at this moment.
CREATE INDEX IF NOT EXISTS "resumable_uploads_owner_index" ON "resumable_uploads" USING btree ("owner");
