CREATE TABLE "person_keys" (
	"person_id" uuid PRIMARY KEY NOT NULL,
	"key" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "erased_at" timestamp (3) with time zone;