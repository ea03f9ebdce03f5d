CREATE TABLE "approval_workflow" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"allow_own" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "approval_workflow_single_row" CHECK ("approval_workflow"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "cost_estimate_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"estimate_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"side" text NOT NULL,
	"step" text,
	"decision" text NOT NULL,
	"user_id" uuid,
	"name" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cost_estimate_lines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"estimate_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"description" text NOT NULL,
	"quantity" numeric(30, 4) NOT NULL,
	"unit_price" numeric(30, 4) NOT NULL,
	"amount" numeric(30, 4) NOT NULL,
	"unit" text,
	"is_option" boolean DEFAULT false NOT NULL,
	"is_declined" boolean DEFAULT false NOT NULL,
	CONSTRAINT "cost_estimate_lines_quantity" CHECK ("cost_estimate_lines"."quantity" > 0)
);
--> statement-breakpoint
CREATE TABLE "cost_estimate_numbers" (
	"year" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cost_estimate_revisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"estimate_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"snapshot" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cost_estimates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"project_id" uuid NOT NULL,
	"title" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"currency" text NOT NULL,
	"discount_type" text,
	"discount_value" numeric(30, 4),
	"tax_rate" numeric(30, 4) DEFAULT '0' NOT NULL,
	"subtotal" numeric(30, 4) NOT NULL,
	"discount_amount" numeric(30, 4) NOT NULL,
	"tax_amount" numeric(30, 4) NOT NULL,
	"total" numeric(30, 4) NOT NULL,
	"valid_until" date,
	"notes" text DEFAULT '' NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"steps" jsonb,
	"allow_own" boolean DEFAULT false NOT NULL,
	"token_hash" text,
	"token_encrypted" text,
	"submitted_by" uuid,
	"submitted_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	"final_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cost_estimates_revision" CHECK ("cost_estimates"."revision" >= 1),
	CONSTRAINT "cost_estimates_discount" CHECK (("cost_estimates"."discount_type" is null) = ("cost_estimates"."discount_value" is null)),
	CONSTRAINT "cost_estimates_status" CHECK ("cost_estimates"."status" in ('draft', 'awaiting_internal_approval', 'awaiting_client_approval', 'approved', 'rejected'))
);
--> statement-breakpoint
ALTER TABLE "cost_estimate_decisions" ADD CONSTRAINT "cost_estimate_decisions_estimate_id_cost_estimates_id_fk" FOREIGN KEY ("estimate_id") REFERENCES "public"."cost_estimates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_estimate_decisions" ADD CONSTRAINT "cost_estimate_decisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_estimate_lines" ADD CONSTRAINT "cost_estimate_lines_estimate_id_cost_estimates_id_fk" FOREIGN KEY ("estimate_id") REFERENCES "public"."cost_estimates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_estimate_revisions" ADD CONSTRAINT "cost_estimate_revisions_estimate_id_cost_estimates_id_fk" FOREIGN KEY ("estimate_id") REFERENCES "public"."cost_estimates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_estimates" ADD CONSTRAINT "cost_estimates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_estimates" ADD CONSTRAINT "cost_estimates_submitted_by_users_id_fk" FOREIGN KEY ("submitted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cost_estimates" ADD CONSTRAINT "cost_estimates_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cost_estimate_decisions_estimate_id_index" ON "cost_estimate_decisions" USING btree ("estimate_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cost_estimate_lines_position_key" ON "cost_estimate_lines" USING btree ("estimate_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "cost_estimate_revisions_revision_key" ON "cost_estimate_revisions" USING btree ("estimate_id","revision");--> statement-breakpoint
CREATE UNIQUE INDEX "cost_estimates_number_key" ON "cost_estimates" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "cost_estimates_token_hash_key" ON "cost_estimates" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "cost_estimates_project_id_index" ON "cost_estimates" USING btree ("project_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "cost_estimates_status_index" ON "cost_estimates" USING btree ("status","id" DESC NULLS LAST);