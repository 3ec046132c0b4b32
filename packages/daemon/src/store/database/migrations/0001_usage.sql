CREATE TABLE IF NOT EXISTS `usage` (
	`day` text NOT NULL,
	`session_id` text NOT NULL,
	`model` text NOT NULL,
	`input` integer NOT NULL,
	`cached_input` integer NOT NULL,
	`cache_write` integer NOT NULL,
	`output` integer NOT NULL,
	`reasoning` integer NOT NULL,
	`cost` real NOT NULL,
	`unpriced` integer NOT NULL,
	`steps` integer NOT NULL,
	PRIMARY KEY(`day`, `session_id`, `model`)
);
