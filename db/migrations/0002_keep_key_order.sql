ALTER TABLE "events" ALTER COLUMN "data" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "data" SET DEFAULT '{}'::json;--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "media" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "pre_qc_results" ALTER COLUMN "checks" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "pre_qc_results" ALTER COLUMN "checks" SET DEFAULT '[]'::json;