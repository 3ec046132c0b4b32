import { Option, type Command } from "commander";
import type { ApplyOptions, DiffOptions } from "../commands/place/place-changes.ts";
import type { ChangeOptions } from "../commands/place/manage-place.ts";
import type { PlacesOptions } from "../commands/place/list-places.ts";

/** The commands for places: worktrees of their own for sessions. */
export function placeCommands(baton: Command): void {
  const places = baton
    .command("places")
    .description("list places: worktrees that Baton created for sessions")
    .option("--here", "only places of this repository")
    .option("--size", "measure how much disk each place takes")
    .option("--json", "print JSON")
    .action(async (options: PlacesOptions) => (await import("../commands/place/list-places.ts")).printPlaces(options));
  changeCommands(places);
  bringBackCommands(places);
}

function changeCommands(places: Command): void {
  const code = () => import("../commands/place/manage-place.ts");
  places
    .command("create [name]")
    .description("create a place without a session; #123 is a pull request")
    .option("--base <base>", "branch, tag or commit to begin at (default: what is checked out)")
    .option("--json", "print JSON")
    .action(async (name: string | undefined, options: ChangeOptions & { base?: string }) => (await code()).createPlace(name, options));
  places
    .command("prepare <place>")
    .description("run the setup of the repository in a place")
    .option("--yes", "approve the commands without a question")
    .option("--json", "print JSON")
    .action(async (place: string, options: ChangeOptions & { yes?: boolean }) => (await code()).preparePlace(place, options));
  places
    .command("save <place>")
    .description("commit everything in a place, untracked files included, under a ref of Baton's own")
    .option("--json", "print JSON")
    .action(async (place: string, options: ChangeOptions) => (await code()).savePlace(place, options));
  places
    .command("remove <place>")
    .description("save a place, then remove its folder; refused while anything uses it")
    .option("--yes", "do not ask")
    .option("--json", "print JSON")
    .action(async (place: string, options: ChangeOptions & { yes?: boolean }) => (await code()).removePlace(place, options));
  places
    .command("restore <place>")
    .description("bring a removed place back as it was")
    .option("--json", "print JSON")
    .action(async (place: string, options: ChangeOptions) => (await code()).restorePlace(place, options));
  places
    .command("repair <place>")
    .description("finish a step that was interrupted")
    .option("--json", "print JSON")
    .action(async (place: string, options: ChangeOptions) => (await code()).repairPlace(place, options));
}

function bringBackCommands(places: Command): void {
  const code = () => import("../commands/place/place-changes.ts");
  places
    .command("diff <place>")
    .description("print the changes of a place since its base")
    .option("--uncommitted", "only changes that are not committed")
    .option("--branch <branch>", "changes since the place left this branch")
    .option("--json", "print JSON")
    .action(async (place: string, options: DiffOptions) => (await code()).diffPlace(place, options));
  places
    .command("apply <place> [paths...]")
    .description("apply the changes of a place to the checkout that it came from")
    .addOption(
      new Option("--conflicts <what>", "what to do with a file that both sides changed in the same lines")
        .choices(["stop", "skip", "mark"])
        .default("stop"),
    )
    .option("--preview", "only print what would be done")
    .option("--json", "print JSON")
    .action(async (place: string, paths: string[], options: ApplyOptions) => (await code()).applyPlace(place, paths, options));
  places
    .command("revert <place>")
    .description("take back what was applied last")
    .option("--json", "print JSON")
    .action(async (place: string, options: { json?: boolean }) => (await code()).revertPlace(place, options));
}
