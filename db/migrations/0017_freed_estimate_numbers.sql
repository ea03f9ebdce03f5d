ALTER TABLE "cost_estimate_numbers" ADD COLUMN "freed" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "cost_estimate_numbers" n SET "freed" = coalesce((
	SELECT array_agg(g) FROM generate_series(1, n."last") g WHERE NOT EXISTS (
		SELECT 1 FROM "cost_estimates" e WHERE e."number" = 'EST-' || n."year" || '-' || lpad(g::text, greatest(4, length(g::text)), '0'))), '{}');
