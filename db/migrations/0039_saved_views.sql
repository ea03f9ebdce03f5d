CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"place" text NOT NULL,
	"name" text NOT NULL,
	"query" json NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_place" CHECK ("saved_views"."place" in ('files', 'projects', 'batches'))
);
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_owner_id_place_name_key" ON "saved_views" USING btree ("owner_id","place",lower("name"));--> statement-breakpoint
CREATE INDEX "saved_views_shared_index" ON "saved_views" USING btree ("place") WHERE is_shared;