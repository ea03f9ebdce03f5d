CREATE TABLE "letterhead" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"tax_id" text DEFAULT '' NOT NULL,
	"terms" text DEFAULT '' NOT NULL,
	"undo_minutes" integer DEFAULT 15 NOT NULL,
	"logo" "bytea",
	"logo_width" integer,
	"logo_height" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "letterhead_single_row" CHECK ("letterhead"."id" = 1)
);
