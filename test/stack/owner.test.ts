import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { currentOwner } from "../../scripts/ground/owner.ts";
import { StackPlace } from "../../scripts/ground/paths.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { skipFor } from "../support/skip.ts";

const statOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()!.split(" ");

skipFor(it, lacking("linux"))(
  "a process that has ended does not own the stack, even if its parent has not reaped it",
  async () => {
    const place = new StackPlace(mkdtempSync(join(tmpdir(), "store-owner-")));
    // `sleep` never reaps its child.
    const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const pid = await new Promise<number>((resolve) =>
        parent.stdout.once("data", (text: Buffer) => resolve(Number(text))),
      );
      writeFileSync(place.ownerFile, JSON.stringify({ pid, started: statOf(pid)[19], supabase_url: "" }));
      expect(currentOwner(place)).toMatchObject({ pid });
      await vi.waitFor(() => expect(statOf(pid)[0]).toBe("Z"));
      expect(currentOwner(place)).toBeUndefined();
    } finally {
      parent.kill();
      rmSync(place.directory, { recursive: true });
    }
  },
);
