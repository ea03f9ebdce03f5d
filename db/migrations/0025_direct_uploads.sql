CREATE TABLE "direct_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"handle" text,
	"intake" text NOT NULL,
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"part_size" bigint NOT NULL,
	"state" text NOT NULL,
	"sealed" text,
	"verdict" json,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "direct_uploads_state" CHECK ("direct_uploads"."state" in ('receiving', 'checking', 'accepted', 'refused', 'cancelled'))
);
--> statement-breakpoint
CREATE INDEX "direct_uploads_expires_at_index" ON "direct_uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "direct_uploads_owner_index" ON "direct_uploads" USING btree ("owner");