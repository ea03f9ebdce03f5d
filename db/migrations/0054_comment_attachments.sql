-- Files that comments and replies carry (docs/comments.md). The attachments of comments are read by comment_id, in their
-- order; whether another row still names an object, before it is deleted, by object_id.
CREATE TABLE "comment_attachments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"comment_id" uuid NOT NULL,
	"object_id" uuid NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"has_picture" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "comment_attachments" ADD CONSTRAINT "comment_attachments_comment_id_file_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."file_comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "comment_attachments_comment_id_index" ON "comment_attachments" USING btree ("comment_id","id");--> statement-breakpoint
CREATE INDEX "comment_attachments_object_id_index" ON "comment_attachments" USING btree ("object_id");