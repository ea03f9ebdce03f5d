CREATE TABLE "playback_proxies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"copy_sha256" text,
	"size" bigint,
	"codec" text,
	"width" integer,
	"height" integer,
	"frame_rate" double precision,
	"frames" integer,
	"duration_seconds" double precision,
	"has_audio" boolean,
	"dynamic_range" text,
	"is_deinterlaced" boolean,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "playback_proxies_kind" CHECK ("playback_proxies"."kind" in ('video', 'audio')),
	CONSTRAINT "playback_proxies_status" CHECK ("playback_proxies"."status" in ('queued', 'running', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "playback_proxies_sha256_key" ON "playback_proxies" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "playback_proxies_open_index" ON "playback_proxies" USING btree ("updated_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "files_played_sha256_index" ON "files" USING btree ("sha256") WHERE kind in ('video', 'audio');