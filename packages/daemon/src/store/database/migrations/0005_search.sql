CREATE TABLE IF NOT EXISTS `search_session` (
	`n` integer PRIMARY KEY NOT NULL,
	`session_id` text,
	`pending` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `search_session_session_id_unique` ON `search_session` (`session_id`);