CREATE TABLE "pre_qc_scoped_waivers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid,
	"check_id" text NOT NULL,
	"label" text NOT NULL,
	"reason_code" text NOT NULL,
	"reason" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"needs_second" boolean DEFAULT false NOT NULL,
	"confirmed_by" uuid,
	"withdrawn_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pre_qc_scoped_waivers_reason_code" CHECK ("pre_qc_scoped_waivers"."reason_code" in ('agreed', 'intended', 'not_perceptible', 'wrong_finding', 'no_time', 'other'))
);
--> statement-breakpoint
ALTER TABLE "pre_qc_waivers" ADD COLUMN "scope" text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE "pre_qc_waivers" ADD COLUMN "scoped_waiver_id" uuid;--> statement-breakpoint
ALTER TABLE "pre_qc_scoped_waivers" ADD CONSTRAINT "pre_qc_scoped_waivers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_scoped_waivers" ADD CONSTRAINT "pre_qc_scoped_waivers_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_scoped_waivers" ADD CONSTRAINT "pre_qc_scoped_waivers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_scoped_waivers" ADD CONSTRAINT "pre_qc_scoped_waivers_confirmed_by_users_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- scopedWaiversFor, listScopedWaivers: those of a project and its batches; one for each check.
CREATE UNIQUE INDEX "pre_qc_scoped_waivers_project_batch_check_key" ON "pre_qc_scoped_waivers" USING btree ("project_id",coalesce("batch_id", "project_id"),"check_id") WHERE withdrawn_at is null;--> statement-breakpoint
-- holdsIn looks for those of one batch.
CREATE INDEX "pre_qc_scoped_waivers_batch_id_index" ON "pre_qc_scoped_waivers" USING btree ("batch_id");--> statement-breakpoint
-- expireWaivers: those whose time is over.
CREATE INDEX "pre_qc_scoped_waivers_expires_at_index" ON "pre_qc_scoped_waivers" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
-- applyScopedWaiver, listScopedWaivers: the waivers that follow from one.
CREATE INDEX IF NOT EXISTS "pre_qc_waivers_scoped_waiver_id_index" ON "pre_qc_waivers" USING btree ("scoped_waiver_id") WHERE scoped_waiver_id is not null;