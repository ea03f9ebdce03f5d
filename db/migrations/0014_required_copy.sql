ALTER TABLE "batches" ADD COLUMN "required_copy" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "required_copy_changed_at" timestamp (3) with time zone;