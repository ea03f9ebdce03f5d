CREATE TABLE "legal_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid,
	"agency_id" uuid,
	"reason" text NOT NULL,
	"set_by" uuid NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	"lifted_by" uuid,
	"lift_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "legal_holds_one_subject" CHECK (num_nonnulls("legal_holds"."project_id", "legal_holds"."agency_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "retention_items" (
	"run_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid,
	"amount" bigint NOT NULL,
	"removal" jsonb NOT NULL,
	"removed_amount" bigint DEFAULT 0 NOT NULL,
	"done_at" timestamp (3) with time zone,
	"is_kept" boolean DEFAULT false NOT NULL,
	CONSTRAINT "retention_items_run_id_subject_id_pk" PRIMARY KEY("run_id","subject_id")
);
--> statement-breakpoint
CREATE TABLE "retention_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'preview' NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"projects" jsonb NOT NULL,
	"removed" jsonb,
	"created_by" uuid NOT NULL,
	"started_by" uuid,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "retention_runs_status" CHECK ("retention_runs"."status" in ('preview', 'outdated', 'running', 'completed'))
);
--> statement-breakpoint
ALTER TABLE "service_settings" ADD COLUMN "retention" jsonb;--> statement-breakpoint
ALTER TABLE "service_settings" ADD COLUMN "retention_updated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "previews_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "removal" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "retention" jsonb;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_agency_id_agencies_id_fk" FOREIGN KEY ("agency_id") REFERENCES "public"."agencies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_set_by_users_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_lifted_by_users_id_fk" FOREIGN KEY ("lifted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_items" ADD CONSTRAINT "retention_items_run_id_retention_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."retention_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_runs" ADD CONSTRAINT "retention_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_runs" ADD CONSTRAINT "retention_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "legal_holds_project_id_key" ON "legal_holds" USING btree ("project_id") WHERE lifted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "legal_holds_agency_id_key" ON "legal_holds" USING btree ("agency_id") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "retention_items_waiting_index" ON "retention_items" USING btree ("run_id","kind","subject_id") WHERE done_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "retention_runs_running_key" ON "retention_runs" USING btree ("status") WHERE status = 'running';