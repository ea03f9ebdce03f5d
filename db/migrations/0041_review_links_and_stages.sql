CREATE TABLE "guest_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"link_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"file_version" integer NOT NULL,
	"sha256" text NOT NULL,
	"decision" text NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guest_decisions_decision" CHECK ("guest_decisions"."decision" in ('approved', 'rejected'))
);
--> statement-breakpoint
CREATE TABLE "review_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"party" text NOT NULL,
	"token_hash" text NOT NULL,
	"token_encrypted" text NOT NULL,
	"password_hash" text,
	"note" text,
	"stage_id" uuid,
	"expires_at" timestamp (3) with time zone,
	"has_watermark" boolean DEFAULT true NOT NULL,
	"may_download" boolean DEFAULT false NOT NULL,
	"file_ids" uuid[],
	"deactivated_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_links_party" CHECK ("review_links"."party" in ('client', 'legal', 'brand', 'partner'))
);
--> statement-breakpoint
CREATE TABLE "review_stage_members" (
	"stage_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "review_stage_members_stage_id_user_id_pk" PRIMARY KEY("stage_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "review_stages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"name" text NOT NULL,
	"party" text NOT NULL,
	"position" integer NOT NULL,
	"needs" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"skipped_at" timestamp (3) with time zone,
	"skipped_by" uuid,
	"skip_reason" text,
	"withdrawn_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_stages_party" CHECK ("review_stages"."party" in ('internal', 'client', 'legal', 'brand', 'partner')),
	CONSTRAINT "review_stages_needs" CHECK ("review_stages"."needs" in ('all', 'any'))
);
--> statement-breakpoint
CREATE TABLE "stage_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"stage_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"decision" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stage_decisions_decision" CHECK ("stage_decisions"."decision" in ('approved', 'rejected'))
);
--> statement-breakpoint
ALTER TABLE "file_comments" ALTER COLUMN "created_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "file_comments" ADD COLUMN "review_link_id" uuid;--> statement-breakpoint
ALTER TABLE "guest_decisions" ADD CONSTRAINT "guest_decisions_link_id_review_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."review_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_decisions" ADD CONSTRAINT "guest_decisions_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_decisions" ADD CONSTRAINT "guest_decisions_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_links" ADD CONSTRAINT "review_links_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_links" ADD CONSTRAINT "review_links_stage_id_review_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."review_stages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_links" ADD CONSTRAINT "review_links_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_stage_members" ADD CONSTRAINT "review_stage_members_stage_id_review_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."review_stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_stage_members" ADD CONSTRAINT "review_stage_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_stages" ADD CONSTRAINT "review_stages_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_stages" ADD CONSTRAINT "review_stages_skipped_by_users_id_fk" FOREIGN KEY ("skipped_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_stages" ADD CONSTRAINT "review_stages_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stage_decisions" ADD CONSTRAINT "stage_decisions_stage_id_review_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."review_stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stage_decisions" ADD CONSTRAINT "stage_decisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stage_decisions" ADD CONSTRAINT "stage_decisions_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "guest_decisions_link_id_file_id_key" ON "guest_decisions" USING btree ("link_id","file_id");--> statement-breakpoint
CREATE INDEX "guest_decisions_file_id_index" ON "guest_decisions" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "guest_decisions_batch_id_index" ON "guest_decisions" USING btree ("batch_id");--> statement-breakpoint
CREATE UNIQUE INDEX "review_links_token_hash_key" ON "review_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "review_links_batch_id_newest_index" ON "review_links" USING btree ("batch_id","id");--> statement-breakpoint
CREATE INDEX "review_stage_members_user_id_index" ON "review_stage_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "review_stages_batch_id_index" ON "review_stages" USING btree ("batch_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "stage_decisions_stage_id_user_id_file_id_key" ON "stage_decisions" USING btree ("stage_id","user_id","file_id");--> statement-breakpoint
CREATE INDEX "stage_decisions_file_id_index" ON "stage_decisions" USING btree ("file_id");--> statement-breakpoint
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_review_link_id_review_links_id_fk" FOREIGN KEY ("review_link_id") REFERENCES "public"."review_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- safe: all that is there, and all that the version before writes, has created_by
ALTER TABLE "file_comments" ADD CONSTRAINT "file_comments_author" CHECK (num_nonnulls("file_comments"."created_by", "file_comments"."review_link_id") = 1);