import type postgres from "postgres";
import type { Seal } from "../../functions/_shared/secrets/seals.ts";
import { disarm } from "../journal/planted.ts";
import type { Proof } from "./store.ts";

/** A value that was edited, and what was done. */
export type Edited<Value> = [what: string, value: Value];

const flipped = (hex: string, at: number) => {
  const place = at % hex.length;
  return `${hex.slice(0, place)}${hex[place] === "0" ? "1" : "0"}${hex.slice(place + 1)}`;
};

const added = (column: string, amount: string): [string, string] => [
  column,
  `update app.user_bill set ${column} = coalesce(${column}, 0) + ${amount} where id = $1`,
];

/** What can be done to the row $1 of a sealed month, or to it and $2, which has another time. */
const rowEdits: [string, string][] = [
  ...[
    "brokerage_delta",
    "frozen_delta",
    "available_delta",
    "brokerage_after",
    "frozen_after",
    "available_after",
    "basis",
    "passed_on",
  ].map((column) => added(column, "0.01")),
  ...["order_id", "agent_level", "reverses_id", "withdrawal_id", "adjustment_id", "uid"].map((column) =>
    added(column, "1000"),
  ),
  // A row of the same time may have the id that is greater by a thousand.
  added("id", "1000000000"),
  added("rate", "0.00001"),
  [
    "type",
    "update app.user_bill set type = case type when 'adjustment' then 'brokerage' else 'adjustment' end where id = $1",
  ],
  [
    "source",
    "update app.user_bill set source = case source when 'import' then 'cycle' else 'import' end where id = $1",
  ],
  ["time", "update app.user_bill set add_time = add_time + interval '1 microsecond' where id = $1"],
  ["another month", "update app.user_bill set add_time = add_time - interval '40 days' where id = $1"],
  ["a row that is gone", "delete from app.user_bill where id = $1"],
  [
    "a row that is there twice",
    `insert into app.user_bill
    select (jsonb_populate_record(b, jsonb_build_object('id', nextval('app.user_bill_id_seq')))).* from app.user_bill as b where b.id = $1`,
  ],
  [
    "two rows whose sequence is reversed",
    "update app.user_bill as b set add_time = o.add_time from app.user_bill as o where (b.id, o.id) in (($1, $2), ($2, $1))",
  ],
  [
    "a tail that is cut",
    `delete from app.user_bill as b using app.user_bill as l
    where l.id = $1 and (b.add_time, b.id) >= (l.add_time, l.id) and b.add_time < l.add_time + interval '31 days'`,
  ],
];

/** Takes the constraints that refuse rows of closed months in the bill and the release log. */
export async function acceptLateRows(sql: postgres.TransactionSql): Promise<void> {
  await sql.unsafe(`do $$
    declare
      v record;
    begin
      for v in
        select c.conrelid::regclass as part, c.conname from pg_constraint as c
        where c.contype = 'c' and pg_get_constraintdef(c.oid) like '%app.reject_late_row%'
      loop
        execute format('alter table %s drop constraint %I', v.part, v.conname);
      end loop;
    end $$`);
}

/** Lets the owner of the database edit rows of closed months. */
export async function openMonths(sql: postgres.TransactionSql): Promise<void> {
  await disarm(sql);
  await acceptLateRows(sql);
}

/** Edits a row of a month. @param rows the rows of the month @returns what was done */
export async function editRow(
  sql: postgres.TransactionSql,
  rows: { id: string; time: string }[],
  index: number,
): Promise<string> {
  const [what, statement] = rowEdits[index % rowEdits.length]!;
  const row = rows[(index * 7919) % rows.length]!;
  const other = rows.find(({ time }) => time !== row.time)!;
  await sql.unsafe(statement, statement.includes("$2") ? [row.id, other.id] : [row.id]);
  return `${what} of row ${row.id}`;
}

/** Only who sees the store, or an older list, knows that lines follow. */
export const CUT_TAIL = "a tail that is cut";

/** Edits a published list. */
export function editList(list: Seal[], index: number): Edited<Seal[]> {
  const at = (index * 7919) % list.length;
  const line = list[at]!;
  const withLine = (changed: Partial<Seal>) => list.with(at, { ...line, ...changed });
  const edits: (() => Edited<Seal[]>)[] = [
    () => ["another root", withLine({ root: flipped(line.root, index) })],
    () => ["another number of rows", withLine({ rows: line.rows + 1 })],
    () => [
      "another root before",
      withLine({ previous: line.previous === null ? line.root : flipped(line.previous, index) }),
    ],
    () => ["no root before", withLine({ previous: line.previous === null ? line.root : null })],
    () => ["another signature", withLine({ signature: flipped(line.signature, index) })],
    () => ["another key", withLine({ key: flipped(line.key, index) })],
    () => ["another month", withLine({ month: line.month.replace(/^..../, (year) => String(Number(year) + 1)) })],
    () => ["a head that is cut", list.slice(1 + (at % (list.length - 1)))],
    () => ["a line that is there twice", list.toSpliced(at, 0, line)],
    () => ["a line that is gone", list.toSpliced(1 + (at % (list.length - 2)), 1)],
    () => ["lines in another sequence", [...list.slice(1), list[0]!]],
    () => [CUT_TAIL, list.slice(0, 1 + (at % (list.length - 1)))],
  ];
  return edits[index % edits.length]!();
}

/** Edits what proves the rows of a member, at least three. */
export function editProof(proof: Proof, index: number): Edited<Proof> {
  const { rows } = proof;
  const at = (index * 7919) % rows.length;
  const row = rows[at]!;
  const withRow = (changed: Partial<Proof["rows"][number]>) => ({
    ...proof,
    rows: rows.with(at, { ...row, ...changed }),
  });
  const values = row.text.split("|");
  const place = (index * 31) % values.length;
  const hash = (index * 31) % row.path.length;
  const edits: (() => Edited<Proof>)[] = [
    () => ["another text", withRow({ text: values.with(place, `${values[place]!}1`).join("|") })],
    () => ["another salt", withRow({ salt: flipped(row.salt, index) })],
    () => ["another place", withRow({ place: row.place === 0 ? 1 : row.place - 1 })],
    () => ["a place after the last", withRow({ place: proof.seal.rows })],
    () => ["another path", withRow({ path: row.path.with(hash, flipped(row.path[hash]!, index)) })],
    () => ["a path that is cut", withRow({ path: row.path.slice(0, -1) })],
    () => ["a path that goes on", withRow({ path: [...row.path, row.salt] })],
    () => ["another member", { ...proof, uid: proof.uid + 1 }],
    () => ["another root", { ...proof, seal: { ...proof.seal, root: flipped(proof.seal.root, index) } }],
    () => ["another number of rows", { ...proof, seal: { ...proof.seal, rows: proof.seal.rows + 1 } }],
    () => ["another month", { ...proof, seal: { ...proof.seal, month: "2001-01" } }],
    () => ["a row that is there twice", { ...proof, rows: rows.toSpliced(at, 0, row) }],
    () => ["a row that is gone", { ...proof, rows: rows.toSpliced(1 + (at % (rows.length - 2)), 1) }],
    () => ["rows in another sequence", { ...proof, rows: rows.toReversed() }],
  ];
  return edits[index % edits.length]!();
}
