CREATE TABLE "pre_qc_measurements" (
	"result_id" uuid PRIMARY KEY NOT NULL,
	"subject" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pre_qc_measurements" ADD CONSTRAINT "pre_qc_measurements_result_id_pre_qc_results_id_fk" FOREIGN KEY ("result_id") REFERENCES "public"."pre_qc_results"("id") ON DELETE cascade ON UPDATE no action;