ALTER TABLE "cost_estimate_revisions" ADD COLUMN "submitted_by" uuid;--> statement-breakpoint
ALTER TABLE "cost_estimate_revisions" ADD COLUMN "allow_own" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cost_estimate_revisions" ADD COLUMN "final_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "cost_estimate_revisions" ADD CONSTRAINT "cost_estimate_revisions_submitted_by_users_id_fk" FOREIGN KEY ("submitted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
UPDATE "cost_estimate_revisions" r SET
	"submitted_by" = (SELECT d."user_id" FROM "cost_estimate_decisions" d WHERE d."estimate_id" = r."estimate_id" AND d."revision" = r."revision" AND d."decision" = 'submitted' ORDER BY d."id" DESC LIMIT 1),
	"final_at" = (r."snapshot"->>'decided_at')::timestamptz,
	"snapshot" = jsonb_set(r."snapshot", '{client_url}', 'null');
