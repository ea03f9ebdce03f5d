-- Serves what each upload reads of its batch: the files that are rejected, which a new one may replace (lib/domain/files/held.ts).
CREATE INDEX IF NOT EXISTS "files_batch_id_rejected_index" ON "files" USING btree ("batch_id") WHERE is_current and decision = 'rejected';
