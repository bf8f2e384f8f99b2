import { callsOf, commentOn, files, routines } from "../../../scripts/structure/sql_source.ts";

/**
 * Codes that never leave a function, although a function that it calls raises them, with the reasons. "*" means that it
 * catches every error.
 */
const NEVER: Record<string, [codes: string[], reason: string]> = {
  "app.may_change": [["*"], "it returns false"],
  "app.verify_end_to_end": [["*"], "an error is a finding"],
  "app.expire_orders": [["order_not_found"], "an error of an order is a warning"],
  "app.receive_delivered_orders": [
    ["order_not_found", "order_state_conflict", "import_unfinished"],
    "an error of an order is a warning",
  ],
  "app.run_settlement_jobs": [["order_state_conflict", "import_unfinished"], "an error of an order postpones its job"],
  "app.take_payment": [
    ["order_state_conflict", "order_already_paid", "payment_reference_used"],
    "the order is locked, and a conflict is an outcome",
  ],
  "app.expire_order": [["order_state_conflict"], "only an unpaid order expires"],
  "app.refund_order": [["import_unfinished"], "it settles only orders that are refunded completely"],
  "app.as_service": [["unauthenticated"], "it executes no function for members"],
  "app.approve_withdrawal": [["invalid_argument"], "an approval has neither a reason nor a reference of a payment"],
  "app.record_transfer_state": [["withdrawal_state_conflict"], "it ends only what is paying"],
  "app.record_transfer_notification": [["withdrawal_not_found"], "it has found the withdrawal"],
  "app.record_refund_notification": [["refund_not_found"], "it has found the refund"],
  "app.lock_attempt": [["order_not_found"], "an attempt has an order"],
  "app.record_refund_state": [["order_not_found"], "a refund has an order"],
  "api.refund_payment": [["order_not_found"], "a payment with the outcome attention has an order"],
  "api.retry_provider_refund": [["order_not_found"], "a refund has an order"],
  "api.create_order": [["user_not_found"], "the caller is a member"],
  "api.create_article": [["article_not_found"], "it has inserted the article"],
  "api.create_article_category": [["article_category_not_found"], "it has inserted the category"],
  "app.apply_schedule": [["invalid_argument"], "set_schedule accepts valid schedules only"],
  "app.verify_schedule": [["invalid_argument"], "set_schedule accepts valid schedules only"],
  "app.schedule_json": [["invalid_argument"], "set_schedule accepts valid schedules only"],
  "app.drain_settlement_jobs": [
    ["invalid_argument", "invalid time"],
    "its batches are within the limits, and it passes no time",
  ],
  "app.continue_unfinished_runs": [
    ["invalid_argument", "invalid time"],
    "the arguments are those of the run that was cut",
  ],
};

/** The code of a time p_now that is not valid. Functions of schema api pass null or the clock. */
const INVALID_TIME = "invalid time";
const TAKES_A_TIME = ["app.effect_time", "app.create_plan"];

interface Node {
  name: string;
  /** The endpoint in its comment, such as `PUT /adminapi/order/{id}/pay`. */
  serves: string;
  /** The codes that it raises itself. */
  fails: string[];
  calls: string[];
}

const nodes = new Map(
  files.flatMap(({ text }) =>
    routines(text).map((found): [string, Node] => {
      const { name, statement } = found;
      const code = statement
        .slice(statement.indexOf("("))
        .replace(/'(?:[^']|'')*'|--.*/g, (part) => (part.startsWith("--") ? "" : part));
      const isOfTime = TAKES_A_TIME.includes(name);
      return [
        name,
        {
          name,
          serves: name.startsWith("api.") ? (/Serves\s+([^.]*)\./.exec(commentOn(found))?.[1] ?? "") : "",
          fails: [
            ...[...code.matchAll(/app\.fail\(\s*'(\w+)'/g)].map(([, raised]) => raised!),
            ...(isOfTime ? [INVALID_TIME] : []),
          ],
          calls: callsOf(found).filter((callee) => !(isOfTime && callee === "app.require_time")),
        },
      ];
    }),
  ),
);

const raisedBy = new Map<string, Set<string>>();

/** The codes that leave a function. */
function codesOf(name: string): Set<string> {
  const known = raisedBy.get(name);
  const node = nodes.get(name);
  if (known || !node) return known ?? new Set();
  const codes = new Set(node.fails);
  // A function that calls itself is found here.
  raisedBy.set(name, codes);
  for (const callee of node.calls) for (const code of codesOf(callee)) codes.add(code);
  const never = NEVER[name]?.[0] ?? [];
  for (const code of never) codes.delete(code);
  if (never.includes("*")) codes.clear();
  return codes;
}

/** An invalid time is an invalid_argument in schema app. In schema api, it cannot occur. */
function raised({ name }: Node): string[] {
  const codes = [...codesOf(name)].flatMap((code) =>
    code !== INVALID_TIME ? [code] : name.startsWith("app.") ? ["invalid_argument"] : [],
  );
  return [...new Set(codes)].sort();
}

/** The exceptions of which no code could leave the function, even without them. */
export function unneededExceptions(): string[] {
  return Object.entries(NEVER)
    .filter(([name, [codes]]) => {
      const reachable = new Set(nodes.get(name)?.calls.flatMap((callee) => [...codesOf(callee)]));
      return codes.includes("*") ? reachable.size === 0 : codes.some((code) => !reachable.has(code));
    })
    .map(([name]) => name);
}

/** The text of the table: what clients may call, with the endpoint, then the functions inside the store. */
export function raisedErrors(): string {
  const raising = [...nodes.values()]
    .map((node) => ({ ...node, codes: raised(node) }))
    .filter(({ codes }) => codes.length > 0)
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const rows = (schema: string) =>
    raising
      .filter(({ name }) => name.startsWith(`${schema}.`))
      .map(
        ({ name, serves, codes }) =>
          `| \`${name.slice(4)}\` | ${schema === "api" ? `${serves} | ` : ""}${codes.map((code) => `\`${code}\``).join(", ")} |`,
      );
  return `<!-- Written by \`npm test -- contract/raised_errors --update\`; do not edit. -->

# Which function raises which error

The codes that a function and the functions that it calls can raise. [errors.md](../../../docs/errors.md) explains the codes.

## What clients may call

| function of schema api | serves | errors |
|---|---|---|
${rows("api").join("\n")}

## Inside the store

| function of schema app | errors |
|---|---|
${rows("app").join("\n")}
`;
}
