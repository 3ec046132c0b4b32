import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Seats\\n",
    "How many are left?"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "metadata": {"weight": 1.0},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["0\\n", "1\\n", "2\\n", "3\\n", "4\\n", "5\\n", "6\\n", "7\\n", "8\\n", "9\\n", "10\\n", "11\\n"]},
    {"data": {"image/png": "iVBORw0KGgo=", "text/plain": ["<Figure>"]}, "metadata": {}, "output_type": "display_data"},
    {"ename": "ValueError", "evalue": "no seats", "output_type": "error", "traceback": []}
   ],
   "source": [
    "left = 12\\n",
    "print(\\"left\\", left)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": "left = 12"
  }
 ],
 "metadata": {"language_info": {"name": "python"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

test("a notebook is read as cells with short outputs", async () => {
  await using bench = await Workbench.open({ "a.ipynb": NOTEBOOK, "b.ipynb": "not a notebook\n" });
  const { text } = await bench.run("read_file", { path: "a.ipynb" });
  expect(text.split("\n").map((line) => line.replace(/^\d+\t/, ""))).toEqual([
    "Notebook in python, 3 cells",
    "--- cell 1, markdown",
    "# Seats",
    "How many are left?",
    "--- cell 2, code",
    "left = 12",
    'print("left", left)',
    "--- output of cell 2",
    ...Array.from({ length: 10 }, (_, i) => String(i)),
    "(2 more lines)",
    "<Figure>",
    "(image/png)",
    "ValueError: no seats",
    "--- cell 3, code",
    "left = 12",
  ]);
  expect((await bench.run("read_file", { path: "b.ipynb" })).text).toBe("1\tnot a notebook");
});

test("an edit of a cell changes only that cell", async () => {
  await using bench = await Workbench.open({ "a.ipynb": NOTEBOOK });
  const edit = (old_text: string, new_text: string) => bench.run("edit_file", { path: "a.ipynb", old_text, new_text });
  expect(await edit('left = 12\nprint("left", left)', 'left = 11\nprint("left", left)')).toMatchObject({ outcome: "ok" });
  expect(readFileSync(bench.folder.at("a.ipynb"), "utf8")).toBe(NOTEBOOK.replace('"left = 12\\n"', '"left = 11\\n"'));
});

test("a text in two cells is refused", async () => {
  const [two, text] = [NOTEBOOK.replace('"source": "left = 12"', '"source": ["left = 12\\n", "1"]'), "left = 12\n"];
  await using bench = await Workbench.open({ "a.ipynb": two });
  expect(await bench.run("edit_file", { path: "a.ipynb", old_text: text, new_text: "left = 13\n" })).toMatchObject({
    outcome: "failed",
    text: "old_text is in 2 cells (2, 3). Add surrounding lines until it is unique.",
  });
});

test("an edit never breaks the JSON of a notebook", async () => {
  await using bench = await Workbench.open({ "a.ipynb": NOTEBOOK });
  const edit = (old_text: string, new_text: string) => bench.run("edit_file", { path: "a.ipynb", old_text, new_text });
  expect(await edit('print("left", left)', 'print("left:", left)\nprint("done")')).toMatchObject({ outcome: "ok" });
  expect(readFileSync(bench.folder.at("a.ipynb"), "utf8")).toContain('"print(\\"left:\\", left)\\n",\n    "print(\\"done\\")"');
  expect(await edit('"nbformat": 4,', '"nbformat": 4')).toMatchObject({ outcome: "failed" });
  expect(await edit('"nbformat_minor": 5', '"nbformat_minor": 4')).toMatchObject({ outcome: "ok" });
});
