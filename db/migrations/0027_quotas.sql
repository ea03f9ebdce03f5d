CREATE TABLE "agency_storage" (
	"agency_id" uuid PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agencies" ADD COLUMN "storage_quota" bigint;--> statement-breakpoint
ALTER TABLE "upload_links" ADD COLUMN "max_bytes" bigint;--> statement-breakpoint
ALTER TABLE "agency_storage" ADD CONSTRAINT "agency_storage_agency_id_agencies_id_fk" FOREIGN KEY ("agency_id") REFERENCES "public"."agencies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agencies" ADD CONSTRAINT "agencies_storage_quota" CHECK ("agencies"."storage_quota" > 0);--> statement-breakpoint
ALTER TABLE "upload_links" ADD CONSTRAINT "upload_links_max_bytes" CHECK ("upload_links"."max_bytes" > 0);--> statement-breakpoint
INSERT INTO "agency_storage" ("agency_id", "bytes")
SELECT "projects"."agency_id", sum("files"."size") FROM "files" JOIN "projects" ON "projects"."id" = "files"."project_id" GROUP BY "projects"."agency_id";
