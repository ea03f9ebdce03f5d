ALTER TABLE "playback_proxies" ADD COLUMN "peaks" real[];--> statement-breakpoint
ALTER TABLE "playback_proxies" ADD COLUMN "loudness" real[];--> statement-breakpoint
ALTER TABLE "playback_proxies" ADD COLUMN "pairs" jsonb;