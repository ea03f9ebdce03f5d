ALTER TABLE "film_frames" RENAME TO "video_frames";--> statement-breakpoint
ALTER TABLE "video_frames" RENAME CONSTRAINT "film_frames_file_id_at_ms_part_pk" TO "video_frames_file_id_at_ms_part_pk";--> statement-breakpoint
ALTER TABLE "video_frames" RENAME CONSTRAINT "film_frames_file_id_files_id_fk" TO "video_frames_file_id_files_id_fk";--> statement-breakpoint
ALTER TABLE "video_frames" RENAME CONSTRAINT "film_frames_part" TO "video_frames_part";--> statement-breakpoint
ALTER INDEX "film_frames_key1_index" RENAME TO "video_frames_key1_index";--> statement-breakpoint
ALTER INDEX "film_frames_key2_index" RENAME TO "video_frames_key2_index";--> statement-breakpoint
ALTER INDEX "film_frames_key3_index" RENAME TO "video_frames_key3_index";--> statement-breakpoint
ALTER INDEX "film_frames_key4_index" RENAME TO "video_frames_key4_index";
