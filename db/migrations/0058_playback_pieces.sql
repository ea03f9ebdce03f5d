-- Pieces of a playback copy that is being made (decision 0109). The index serves the address of a piece and the sweeper, which ask by pieces_id.
ALTER TABLE "playback_proxies" ADD COLUMN "pieces_id" uuid;--> statement-breakpoint
ALTER TABLE "playback_proxies" ADD COLUMN "piece_starts" double precision[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "playback_proxies" ADD COLUMN "pieces_end" double precision;--> statement-breakpoint
ALTER TABLE "playback_proxies" ADD COLUMN "pieces_whole" double precision;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "playback_proxies_pieces_index" ON "playback_proxies" USING btree ("pieces_id") WHERE "playback_proxies"."pieces_id" is not null;