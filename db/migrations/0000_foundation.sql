CREATE TABLE "agencies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"scope" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_tokens_scope" CHECK ("api_tokens"."scope" in ('read', 'write'))
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"agency_id" uuid NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_id_agency_id_key" UNIQUE("id","agency_id")
);
--> statement-breakpoint
CREATE TABLE "media_categories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"naming_template" text,
	"media_types" text[] DEFAULT '{}'::text[] NOT NULL,
	"max_file_size" bigint,
	"pre_qc" jsonb NOT NULL,
	"profile_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pre_qc_profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"media_category_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"pre_qc_enabled" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "service_settings_single_row" CHECK ("service_settings"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"session_version" integer DEFAULT 1 NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('viewer', 'operator', 'coordinator', 'administrator'))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"type" text NOT NULL,
	"project_id" uuid,
	"batch_id" uuid,
	"subject_id" uuid,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"address" text,
	"request_id" text,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"href" text NOT NULL,
	"read_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"size" bigint NOT NULL,
	"media_type" text NOT NULL,
	"kind" text NOT NULL,
	"sha256" text NOT NULL,
	"media" jsonb NOT NULL,
	"object_key" text NOT NULL,
	"integrity" text DEFAULT 'sound' NOT NULL,
	"previews" jsonb,
	"perceptual_hash" bigint,
	"decision" text DEFAULT 'pending' NOT NULL,
	"decision_comment" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"supersedes_id" uuid,
	"is_current" boolean DEFAULT true NOT NULL,
	"source_type" text NOT NULL,
	"source_user_id" uuid,
	"source_link_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "files_size" CHECK ("files"."size" > 0),
	CONSTRAINT "files_decision" CHECK ("files"."decision" in ('pending', 'approved', 'rejected')),
	CONSTRAINT "files_integrity" CHECK ("files"."integrity" in ('sound', 'pending', 'quarantined')),
	CONSTRAINT "files_kind" CHECK ("files"."kind" in ('image', 'video', 'audio', 'document', 'archive', 'other')),
	CONSTRAINT "files_source" CHECK (("files"."source_type" = 'user' and "files"."source_user_id" is not null) or ("files"."source_type" = 'upload_link' and "files"."source_link_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner" text NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"claim" uuid NOT NULL,
	"status" integer,
	"fingerprint" text,
	"headers" jsonb,
	"body" text,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_owner_route_key_pk" PRIMARY KEY("owner","route","key")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"arrival_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"heartbeat_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pre_qc_results" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"file_sha256" text NOT NULL,
	"profile_id" uuid NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"is_current" boolean DEFAULT true NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"summary" text,
	"checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"engine_version" text,
	"fence" integer DEFAULT 0 NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pre_qc_results_status" CHECK ("pre_qc_results"."status" in ('queued', 'running', 'completed', 'failed')),
	CONSTRAINT "pre_qc_results_summary" CHECK ("pre_qc_results"."summary" in ('pass', 'warning', 'fail', 'not_applicable'))
);
--> statement-breakpoint
CREATE TABLE "pre_qc_waivers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"result_id" uuid NOT NULL,
	"check_id" text NOT NULL,
	"reason" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"media_category_id" uuid NOT NULL,
	"operator_id" uuid,
	"coordinator_id" uuid,
	"naming_template" text,
	"round" integer DEFAULT 0 NOT NULL,
	"submitted_at" timestamp (3) with time zone,
	"reviewed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "batches_status" CHECK ("batches"."status" in ('open', 'in_review', 'awaiting_resupply', 'approved', 'cancelled')),
	CONSTRAINT "batches_round" CHECK ("batches"."round" >= 0)
);
--> statement-breakpoint
CREATE TABLE "manifest_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"note" text
);
--> statement-breakpoint
CREATE TABLE "project_members" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_members_project_id_user_id_pk" PRIMARY KEY("project_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"agency_id" uuid NOT NULL,
	"campaign_id" uuid,
	"media_category_id" uuid,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_status" CHECK ("projects"."status" in ('active', 'on_hold', 'completed', 'cancelled', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "upload_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"token_hash" text NOT NULL,
	"token_encrypted" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"max_uses" integer,
	"use_count" integer DEFAULT 0 NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"password_hash" text,
	"note" text,
	"notify" boolean DEFAULT true NOT NULL,
	"created_by" uuid NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "upload_links_uses" CHECK ("upload_links"."use_count" >= 0 and ("upload_links"."max_uses" is null or "upload_links"."use_count" <= "upload_links"."max_uses")),
	CONSTRAINT "upload_links_max_uses" CHECK ("upload_links"."max_uses" is null or "upload_links"."max_uses" between 1 and 10000)
);
--> statement-breakpoint
CREATE TABLE "upload_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"link_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"file_count" integer DEFAULT 0 NOT NULL,
	"last_file_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_agency_id_agencies_id_fk" FOREIGN KEY ("agency_id") REFERENCES "public"."agencies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_profiles" ADD CONSTRAINT "pre_qc_profiles_media_category_id_media_categories_id_fk" FOREIGN KEY ("media_category_id") REFERENCES "public"."media_categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_profiles" ADD CONSTRAINT "pre_qc_profiles_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_supersedes_id_files_id_fk" FOREIGN KEY ("supersedes_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_source_user_id_users_id_fk" FOREIGN KEY ("source_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_source_link_id_upload_links_id_fk" FOREIGN KEY ("source_link_id") REFERENCES "public"."upload_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_results" ADD CONSTRAINT "pre_qc_results_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_results" ADD CONSTRAINT "pre_qc_results_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_results" ADD CONSTRAINT "pre_qc_results_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_results" ADD CONSTRAINT "pre_qc_results_profile_id_pre_qc_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."pre_qc_profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_waivers" ADD CONSTRAINT "pre_qc_waivers_result_id_pre_qc_results_id_fk" FOREIGN KEY ("result_id") REFERENCES "public"."pre_qc_results"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_qc_waivers" ADD CONSTRAINT "pre_qc_waivers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_media_category_id_media_categories_id_fk" FOREIGN KEY ("media_category_id") REFERENCES "public"."media_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_operator_id_users_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_coordinator_id_users_id_fk" FOREIGN KEY ("coordinator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "manifest_entries" ADD CONSTRAINT "manifest_entries_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_agency_id_agencies_id_fk" FOREIGN KEY ("agency_id") REFERENCES "public"."agencies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_media_category_id_media_categories_id_fk" FOREIGN KEY ("media_category_id") REFERENCES "public"."media_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_campaign_of_agency" FOREIGN KEY ("campaign_id","agency_id") REFERENCES "public"."campaigns"("id","agency_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_links" ADD CONSTRAINT "upload_links_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_links" ADD CONSTRAINT "upload_links_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_sessions" ADD CONSTRAINT "upload_sessions_link_id_upload_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."upload_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agencies_name_key" ON "agencies" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "agencies_code_key" ON "agencies" USING btree (lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "api_tokens_user_id_index" ON "api_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaigns_agency_id_code_key" ON "campaigns" USING btree ("agency_id",lower("code"));--> statement-breakpoint
CREATE INDEX "campaigns_agency_id_index" ON "campaigns" USING btree ("agency_id");--> statement-breakpoint
CREATE UNIQUE INDEX "media_categories_name_key" ON "media_categories" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "pre_qc_profiles_media_category_id_version_key" ON "pre_qc_profiles" USING btree ("media_category_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "events_sequence_key" ON "events" USING btree ("sequence");--> statement-breakpoint
CREATE INDEX "events_project_id_index" ON "events" USING btree ("project_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_batch_id_index" ON "events" USING btree ("batch_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_type_index" ON "events" USING btree ("type","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_user_id_event_id_key" ON "notifications" USING btree ("user_id","event_id");--> statement-breakpoint
CREATE INDEX "notifications_user_id_index" ON "notifications" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notifications_unread_index" ON "notifications" USING btree ("user_id") WHERE read_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "files_project_id_sha256_key" ON "files" USING btree ("project_id","sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "files_current_name_key" ON "files" USING btree ("batch_id","name_key") WHERE is_current;--> statement-breakpoint
CREATE UNIQUE INDEX "files_batch_id_name_version_key" ON "files" USING btree ("batch_id","name_key","version");--> statement-breakpoint
CREATE UNIQUE INDEX "files_object_key_key" ON "files" USING btree ("object_key");--> statement-breakpoint
CREATE INDEX "files_batch_id_index" ON "files" USING btree ("batch_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "files_project_id_index" ON "files" USING btree ("project_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "files_supersedes_id_index" ON "files" USING btree ("supersedes_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expires_at_index" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_arrival_at_index" ON "rate_limits" USING btree ("arrival_at");--> statement-breakpoint
CREATE UNIQUE INDEX "pre_qc_results_current_key" ON "pre_qc_results" USING btree ("file_id") WHERE is_current;--> statement-breakpoint
CREATE UNIQUE INDEX "pre_qc_results_file_id_attempt_key" ON "pre_qc_results" USING btree ("file_id","attempt");--> statement-breakpoint
CREATE INDEX "pre_qc_results_batch_id_index" ON "pre_qc_results" USING btree ("batch_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "pre_qc_results_project_id_index" ON "pre_qc_results" USING btree ("project_id","completed_at");--> statement-breakpoint
CREATE INDEX "pre_qc_results_unfinished_index" ON "pre_qc_results" USING btree ("status") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "pre_qc_waivers_result_id_check_id_key" ON "pre_qc_waivers" USING btree ("result_id","check_id");--> statement-breakpoint
CREATE INDEX "batches_project_id_index" ON "batches" USING btree ("project_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "batches_operator_id_index" ON "batches" USING btree ("operator_id","status");--> statement-breakpoint
CREATE INDEX "batches_coordinator_id_index" ON "batches" USING btree ("coordinator_id","status");--> statement-breakpoint
CREATE UNIQUE INDEX "manifest_entries_batch_id_name_key" ON "manifest_entries" USING btree ("batch_id","name_key");--> statement-breakpoint
CREATE INDEX "project_members_user_id_index" ON "project_members" USING btree ("user_id","project_id");--> statement-breakpoint
CREATE INDEX "projects_agency_id_index" ON "projects" USING btree ("agency_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "projects_status_index" ON "projects" USING btree ("status","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "upload_links_token_hash_key" ON "upload_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "upload_links_batch_id_index" ON "upload_links" USING btree ("batch_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "upload_sessions_link_id_key" ON "upload_sessions" USING btree ("link_id","key");