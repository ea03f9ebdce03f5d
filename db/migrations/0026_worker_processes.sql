ALTER TABLE "workers" ADD COLUMN "host" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "pid" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "is_background" boolean DEFAULT false NOT NULL;