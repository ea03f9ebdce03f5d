CREATE TABLE "remote_objects" (
	"key" text PRIMARY KEY NOT NULL,
	"remote_key" text NOT NULL,
	"size" bigint NOT NULL,
	"modified_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "remote_objects_remote_key_key" UNIQUE("remote_key")
);
