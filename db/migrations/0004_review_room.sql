CREATE TABLE "file_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"parent_id" uuid,
	"body" text NOT NULL,
	"anchor" json,
	"is_internal" boolean DEFAULT false NOT NULL,
	"created_by" uuid NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"edited_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_comments_answer" CHECK ("file_comments"."parent_id" is null or ("file_comments"."anchor" is null and "file_comments"."resolved_at" is null))
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "decision_reason" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "due_on" date;--> statement-breakpoint
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_parent_id_file_comments_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."file_comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_comments_batch_id_index" ON "file_comments" USING btree ("batch_id","id");--> statement-breakpoint
CREATE INDEX "file_comments_file_id_index" ON "file_comments" USING btree ("file_id","id");--> statement-breakpoint
CREATE INDEX "file_comments_parent_id_index" ON "file_comments" USING btree ("parent_id");