CREATE TABLE "resumable_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"size" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"metadata" text NOT NULL,
	"verdict" json,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"locked_by" uuid,
	"locked_until" timestamp (3) with time zone,
	"is_wanted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "resumable_uploads_expires_at_index" ON "resumable_uploads" USING btree ("expires_at");