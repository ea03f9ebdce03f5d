-- browseFiles, newest first: what stands before a part of the list, or is called otherwise, is passed over in the index. Also by
-- decision, kind and sender; listFileFacets, previewPassing, getReviewRoom: counted from the index, without the rows.
CREATE INDEX IF NOT EXISTS "files_batch_id_states_index" ON "files" USING btree ("batch_id","id") INCLUDE ("name_key", "kind", "decision", "integrity", "removed_at", "source_type", "source_user_id", "source_link_id") WHERE is_current;
--> statement-breakpoint
-- previewPassing, browseFiles by verdict: what the newest results of a batch came to, without the rows, which hold their checks.
CREATE INDEX IF NOT EXISTS "pre_qc_results_batch_id_current_index" ON "pre_qc_results" USING btree ("batch_id") INCLUDE ("id", "file_id", "status", "summary") WHERE is_current;
--> statement-breakpoint
-- Its look-ups are served by files_batch_id_states_index, which begins with the same columns and includes what it included.
-- contract: not used since 0.1.0
DROP INDEX "files_batch_id_current_index";
--> statement-breakpoint
-- getManifestInShort, getPublicUploadLink: versions that were replaced, whose names stand in the manifest.
CREATE INDEX IF NOT EXISTS "files_batch_id_replaced_index" ON "files" USING btree ("batch_id","name_key") WHERE not is_current;
