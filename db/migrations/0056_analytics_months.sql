-- Sums of months for analytics, above the rows of batches (decision 0108): lib/domain/analytics/months.ts makes them.
CREATE TABLE "analytics_month_findings" (
	"agency_id" uuid NOT NULL,
	"month" date NOT NULL,
	"kind" text NOT NULL,
	"until_day" date,
	"profile_id" uuid,
	"check_id" text,
	"label" text,
	"newest_at" timestamp (3) with time zone,
	"count" integer NOT NULL,
	"overruled" integer,
	"newest_id" uuid,
	"fixed_id" uuid,
	"fixed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "analytics_month_results" (
	"agency_id" uuid NOT NULL,
	"month" date NOT NULL,
	"until_day" date,
	"pass" integer NOT NULL,
	"warning" integer NOT NULL,
	"fail" integer NOT NULL,
	"not_applicable" integer NOT NULL,
	"passed_first" integer NOT NULL,
	"checked_first" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_month_rounds" (
	"agency_id" uuid NOT NULL,
	"month" date NOT NULL,
	"from_day" date,
	"until_day" date,
	"batches" integer NOT NULL,
	"resupplies" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_month_turns" (
	"agency_id" uuid NOT NULL,
	"month" date NOT NULL,
	"holder" text NOT NULL,
	"hours" double precision[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_months" (
	"month" date PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE INDEX "analytics_month_findings_month_index" ON "analytics_month_findings" USING btree ("month","kind");--> statement-breakpoint
CREATE INDEX "analytics_month_results_month_index" ON "analytics_month_results" USING btree ("month");--> statement-breakpoint
CREATE INDEX "analytics_month_rounds_month_index" ON "analytics_month_rounds" USING btree ("month");--> statement-breakpoint
CREATE INDEX "analytics_month_turns_month_index" ON "analytics_month_turns" USING btree ("month");
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_month_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM analytics_months
    WHERE month IN (date_trunc('month', OLD.day::timestamp)::date, date_trunc('month', NEW.day::timestamp)::date);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: it is new
CREATE FUNCTION analytics_changed_by_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO analytics_changes (project_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- safe: what the version before computes removes a month as well, and it reads none
CREATE TRIGGER analytics_results_months AFTER INSERT OR UPDATE OR DELETE ON "analytics_results" FOR EACH ROW EXECUTE FUNCTION analytics_month_touched();
--> statement-breakpoint
-- safe: what the version before computes removes a month as well, and it reads none
CREATE TRIGGER analytics_findings_months AFTER INSERT OR UPDATE OR DELETE ON "analytics_findings" FOR EACH ROW EXECUTE FUNCTION analytics_month_touched();
--> statement-breakpoint
-- safe: what the version before computes removes a month as well, and it reads none
CREATE TRIGGER analytics_rounds_months AFTER INSERT OR UPDATE OR DELETE ON "analytics_rounds" FOR EACH ROW EXECUTE FUNCTION analytics_month_touched();
--> statement-breakpoint
-- safe: what the version before computes removes a month as well, and it reads none
CREATE TRIGGER analytics_turns_months AFTER INSERT OR UPDATE OR DELETE ON "analytics_turns" FOR EACH ROW EXECUTE FUNCTION analytics_month_touched();
--> statement-breakpoint
-- safe: what the version before writes is noted as well, and it computes the batches of a project that is noted
CREATE TRIGGER projects_analytics AFTER UPDATE OF agency_id ON "projects" FOR EACH ROW
  WHEN (OLD.agency_id IS DISTINCT FROM NEW.agency_id) EXECUTE FUNCTION analytics_changed_by_move();
