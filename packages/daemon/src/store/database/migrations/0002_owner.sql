CREATE TABLE IF NOT EXISTS `fence` (
	`held` integer NOT NULL,
	CONSTRAINT "held" CHECK("fence"."held" = 1)
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `owner` (
	`stream_id` text PRIMARY KEY NOT NULL,
	`daemon` text NOT NULL,
	`epoch` integer NOT NULL,
	`until` integer NOT NULL
);
