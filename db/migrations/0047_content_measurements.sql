CREATE TABLE "content_measurements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"version" text NOT NULL,
	"way" text NOT NULL,
	"document" "bytea",
	"bytes" integer,
	"made_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claim" uuid,
	"claimed_until" timestamp (3) with time zone,
	CONSTRAINT "content_measurements_state" CHECK (("content_measurements"."document" is null) = ("content_measurements"."claim" is not null))
);
--> statement-breakpoint
ALTER TABLE "pre_qc_results" ADD COLUMN "measured_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "content_measurements_sha256_key" ON "content_measurements" USING btree ("sha256","version","way");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "files_sha256_index" ON "files" USING btree ("sha256");