-- findSameContent: the versions of a project that hold a content; and the files that hold a measured content, whose project no one asks for.
CREATE INDEX IF NOT EXISTS "files_sha256_project_id_index" ON "files" USING btree ("sha256","project_id");--> statement-breakpoint
-- Its look-ups are served by files_sha256_project_id_index. On a million files nothing read it: the planner took the one below.
-- contract: not used since 0.1.0
DROP INDEX "files_project_id_sha256_index";--> statement-breakpoint
-- Its look-ups are served by files_sha256_project_id_index, which begins with the same column.
-- contract: not used since 0.1.0
DROP INDEX "files_sha256_index";--> statement-breakpoint
-- Analytics read it until it had rows of its own (0053).
-- contract: not used since 0.1.0
DROP INDEX "verdicts_completed_at_index";
