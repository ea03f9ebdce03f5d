CREATE TABLE "image_tiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"failure" text,
	"width" integer,
	"height" integer,
	"has_alpha" boolean,
	"size" bigint,
	"offsets" bigint[],
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "image_tiles_status" CHECK ("image_tiles"."status" in ('queued', 'running', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "image_tiles_sha256_key" ON "image_tiles" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "image_tiles_open_index" ON "image_tiles" USING btree ("updated_at") WHERE status in ('queued', 'running');