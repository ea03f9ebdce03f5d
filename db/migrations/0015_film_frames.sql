CREATE TABLE "film_frames" (
	"file_id" uuid NOT NULL,
	"at_ms" integer NOT NULL,
	"part" text NOT NULL,
	"hash" bigint NOT NULL,
	"key1" integer NOT NULL,
	"key2" integer NOT NULL,
	"key3" integer NOT NULL,
	"key4" integer NOT NULL,
	CONSTRAINT "film_frames_file_id_at_ms_part_pk" PRIMARY KEY("file_id","at_ms","part"),
	CONSTRAINT "film_frames_part" CHECK ("film_frames"."part" in ('whole', 'middle'))
);
--> statement-breakpoint
ALTER TABLE "film_frames" ADD CONSTRAINT "film_frames_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "film_frames_key1_index" ON "film_frames" USING btree ("key1");--> statement-breakpoint
CREATE INDEX "film_frames_key2_index" ON "film_frames" USING btree ("key2");--> statement-breakpoint
CREATE INDEX "film_frames_key3_index" ON "film_frames" USING btree ("key3");--> statement-breakpoint
CREATE INDEX "film_frames_key4_index" ON "film_frames" USING btree ("key4");