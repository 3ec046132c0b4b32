CREATE TABLE IF NOT EXISTS `browser_token` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `event` (
	`stream_id` text NOT NULL,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`command_id` text,
	`data` text NOT NULL,
	PRIMARY KEY(`stream_id`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `receipt` (
	`stream_id` text NOT NULL,
	`command_id` text NOT NULL,
	`at` integer NOT NULL,
	`answer` text NOT NULL,
	PRIMARY KEY(`stream_id`, `command_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `request` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `session` (
	`id` text PRIMARY KEY NOT NULL,
	`parent_id` text,
	`workspace` text NOT NULL,
	`title` text NOT NULL,
	`mode` text NOT NULL,
	`model` text,
	`status` text NOT NULL,
	`due` integer NOT NULL,
	`steps` integer NOT NULL,
	`cost` real NOT NULL,
	`open_requests` integer NOT NULL,
	`archived` integer NOT NULL,
	`seq` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `snapshot` (
	`stream_id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`version` integer NOT NULL,
	`state` text NOT NULL
);
