-- How many notifications are new, which every signed-in page says:
-- select count(*) from notifications where user_id = $1 and read_at is null and archived_at is null and (snoozed_until is null or snoozed_until <= $2)
CREATE INDEX IF NOT EXISTS "notifications_unread_inbox_index" ON "notifications" USING btree ("user_id","snoozed_until") WHERE read_at is null and archived_at is null;
