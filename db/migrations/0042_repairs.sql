CREATE TABLE "repairs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"result_id" uuid NOT NULL,
	"destination_id" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"steps" json NOT NULL,
	"fixes" json NOT NULL,
	"name" text NOT NULL,
	"size" bigint,
	"sha256" text,
	"media_type" text,
	"media" json,
	"object_key" text,
	"sentence" text,
	"parts" json,
	"checks" json,
	"summary" text,
	"failure" text,
	"requested_by" uuid,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"comment" text,
	"accepted_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "repairs_status" CHECK ("repairs"."status" in ('queued', 'running', 'proposed', 'failed', 'accepted', 'refused'))
);
--> statement-breakpoint
ALTER TABLE "repairs" ADD CONSTRAINT "repairs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repairs" ADD CONSTRAINT "repairs_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repairs" ADD CONSTRAINT "repairs_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repairs" ADD CONSTRAINT "repairs_result_id_pre_qc_results_id_fk" FOREIGN KEY ("result_id") REFERENCES "public"."pre_qc_results"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repairs" ADD CONSTRAINT "repairs_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repairs" ADD CONSTRAINT "repairs_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repairs" ADD CONSTRAINT "repairs_accepted_id_files_id_fk" FOREIGN KEY ("accepted_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "repairs_open_key" ON "repairs" USING btree ("file_id") WHERE status in ('queued', 'running', 'proposed');--> statement-breakpoint
CREATE INDEX "repairs_file_id_newest_index" ON "repairs" USING btree ("file_id","id");--> statement-breakpoint
CREATE INDEX "repairs_result_id_index" ON "repairs" USING btree ("result_id");--> statement-breakpoint
CREATE INDEX "repairs_accepted_id_index" ON "repairs" USING btree ("accepted_id");