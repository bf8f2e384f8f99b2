import { expect, it } from "vitest";
import { cloneDatabase, connect, rolledBack } from "../support/index.ts";

it("the settings of a new store are those of its row, and a change names who made it last", async () => {
  const clone = await cloneDatabase();
  const sql = connect(clone.url);
  const found = await rolledBack(sql, async (transaction) => {
    await transaction`insert into auth.users (id, email, email_confirmed_at, role) values ('00000000-0000-4000-8000-0000000000e1', 'owner@example.com', now(), 'store_admin')`;
    await transaction`select app.add_administrator('owner@example.com', '{owner}', 'Wang Fang')`;
    await transaction`select set_config('request.jwt.claims', '{"role": "store_admin", "sub": "00000000-0000-4000-8000-0000000000e1"}', true)`;
    const [{ before } = { before: undefined }] =
      await transaction`select app.settings_json(s) as before from app.settings as s`;
    await transaction`select api.set_settings(p_receipt_days => 9), api.set_settings(p_receipt_days => 10)`;
    const [{ history } = { history: undefined }] = await transaction`select api.get_settings_history() as history`;
    return { before, history };
  });
  await sql.end();
  await clone.drop();
  expect(found.history.presets).toEqual(found.before);
  expect(found.history.changes).toMatchObject({ receipt_days: { by: { nickname: "Wang Fang" } } });
  expect(Object.keys(found.history.changes as object)).toEqual(["receipt_days"]);
});
