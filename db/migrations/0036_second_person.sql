CREATE TABLE "pre_qc_waiver_proposals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"result_id" uuid NOT NULL,
	"check_id" text NOT NULL,
	"reason_code" text NOT NULL,
	"reason" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pre_qc_waiver_proposals_reason_code" CHECK ("pre_qc_waiver_proposals"."reason_code" in ('agreed', 'intended', 'not_perceptible', 'wrong_finding', 'no_time', 'other'))
);
--> statement-breakpoint
ALTER TABLE "service_settings" ADD COLUMN "waivers_need_second" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "pre_qc_waivers" ADD COLUMN "confirmed_by" uuid;
--> statement-breakpoint
ALTER TABLE "pre_qc_waiver_proposals" ADD CONSTRAINT "pre_qc_waiver_proposals_result_id_pre_qc_results_id_fk" FOREIGN KEY ("result_id") REFERENCES "public"."pre_qc_results"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pre_qc_waiver_proposals" ADD CONSTRAINT "pre_qc_waiver_proposals_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "pre_qc_waiver_proposals_result_id_check_id_key" ON "pre_qc_waiver_proposals" USING btree ("result_id","check_id");
--> statement-breakpoint
-- safe: the version before leaves the column null; waivers are few.
ALTER TABLE "pre_qc_waivers" ADD CONSTRAINT "pre_qc_waivers_confirmed_by_users_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
