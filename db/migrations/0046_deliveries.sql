CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"target_id" uuid,
	"target_name" text NOT NULL,
	"target_kind" text NOT NULL,
	"round" integer NOT NULL,
	"verification" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"requested_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deliveries_status" CHECK ("deliveries"."status" in ('queued', 'sending', 'delivered', 'failed', 'cancelled')),
	CONSTRAINT "deliveries_target_kind" CHECK ("deliveries"."target_kind" in ('s3', 'sftp', 'webdav', 'http_put')),
	CONSTRAINT "deliveries_verification" CHECK ("deliveries"."verification" in ('size', 'checksum', 'read_back'))
);
--> statement-breakpoint
CREATE TABLE "delivery_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"file_id" uuid,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"path" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"bytes_sent" bigint DEFAULT 0 NOT NULL,
	"place" text,
	"proof" text,
	"delivered_at" timestamp (3) with time zone,
	CONSTRAINT "delivery_files_status" CHECK ("delivery_files"."status" in ('queued', 'sending', 'delivered', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "delivery_targets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"connection" json NOT NULL,
	"secrets_encrypted" text,
	"naming_template" text NOT NULL,
	"verification" text DEFAULT 'checksum' NOT NULL,
	"host_key" text,
	"last_test" json,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "delivery_targets_kind" CHECK ("delivery_targets"."kind" in ('s3', 'sftp', 'webdav', 'http_put')),
	CONSTRAINT "delivery_targets_verification" CHECK ("delivery_targets"."verification" in ('size', 'checksum', 'read_back'))
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_target_id_delivery_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."delivery_targets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_files" ADD CONSTRAINT "delivery_files_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_files" ADD CONSTRAINT "delivery_files_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_targets" ADD CONSTRAINT "delivery_targets_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_batch_id_newest_index" ON "deliveries" USING btree ("batch_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_target_id_index" ON "deliveries" USING btree ("target_id");--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_files_delivery_id_position_key" ON "delivery_files" USING btree ("delivery_id","position");--> statement-breakpoint
CREATE INDEX "delivery_files_file_id_index" ON "delivery_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "delivery_files_path_index" ON "delivery_files" USING btree ("path") WHERE status = 'delivered';--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_targets_name_key" ON "delivery_targets" USING btree (lower("name"));