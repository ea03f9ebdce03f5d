ALTER TABLE "pre_qc_waivers" ADD COLUMN "reason_code" text DEFAULT 'other' NOT NULL;
--> statement-breakpoint
ALTER TABLE "pre_qc_waivers" ADD COLUMN "expires_at" timestamp (3) with time zone;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "pre_qc_waivers_expires_at_index" ON "pre_qc_waivers" USING btree ("expires_at") WHERE expires_at is not null;
--> statement-breakpoint
-- safe: the version before leaves the column to its default, which is among the words; waivers are few.
ALTER TABLE "pre_qc_waivers" ADD CONSTRAINT "pre_qc_waivers_reason_code" CHECK ("pre_qc_waivers"."reason_code" in ('agreed', 'intended', 'not_perceptible', 'wrong_finding', 'no_time', 'other'));
