/** A row of `app.settlements`. */
export interface Settlement {
  order_id: string;
  earner_uid: string | null;
  base: string;
  ratio: string | null;
  cycle_no: number | null;
  place: number | null;
  commission: string;
  reason: string | null;
  place_freed_at: Date | null;
}

/** A row of `app.user_bill`, with what is left of the grant after it, and the fee of the withdrawal that it names. */
export interface Grant {
  id: string;
  uid: string;
  order_id: string | null;
  type: string;
  source: string;
  brokerage_delta: string;
  frozen_delta: string;
  available_delta: string;
  /** Null for a row that is not basis x rate. */
  basis: string | null;
  rate: string | null;
  agent_level: number | null;
  passed_on: string | null;
  granted: string;
  fee: string | null;
  net_amount: string | null;
}

/** An order that points paid for: what they paid of each product. */
export interface PaidByPoints {
  id: string;
  pay_price: string;
  lines: Record<string, string>;
}

/** A request for a refund: the units that were asked for, and those that are left of it or paid back. */
export interface Request {
  id: string;
  order_id: string;
  state: keyof typeof REQUESTS;
  asked: string;
  units: string;
}

const REQUESTS = {
  requested: "asks for",
  refunded: "is granted",
  partly_refunded: "is granted in part",
  refused: "is refused",
  taken_back: "is taken back",
};

const WHY_NOBODY_EARNS: Record<string, string> = {
  no_referrer: "the buyer has no referrer",
  referrer_not_eligible: "the referrer has no order of their own",
  referrer_left: "the referrer has left",
  nobody_eligible: "nobody above has an order of their own",
  zero_base: "nothing is left of it",
  below_minimum: "below the minimum base",
  refunded: "it was refunded before it was settled",
};

const name = "[A-Z][a-z]+";
const money = "-?\\d+\\.\\d\\d";
const number = "-?\\d+(\\.\\d*[1-9])?";

/** The patterns of results. Results are compared with the effects in the store as whole sentences. */
const FORMS = [
  "nothing",
  `${name}: ${money} x ${number} = ${money} commission, cycle \\d+ place \\d+`,
  `${name}: ${money} x ${number} = ${number} commission points`,
  `${name}: \\d+ x ${number} = ${number} direct points at level \\d`,
  `${name}: \\d+ x \\(${number} - ${number}\\) = ${number} umbrella points at level \\d`,
  `${name}: ${number} x ${number} = ${number} points released`,
  `${name}: ${money} x ${number} = ${money} commission left, ${money} taken back`,
  `${name}: (${money}|\\d+) x ${number} = ${number} (commission|direct|umbrella) points left, ${number} taken back from frozen(, ${number} from available)?`,
  `${name}: place \\d+ of cycle \\d+ is free again`,
  `${name}: level \\d to \\d`,
  `order \\d+: nobody earns, (${Object.values(WHY_NOBODY_EARNS).join("|")})`,
  `order \\d+: points pay ${money} for \\w+(, ${money} for \\w+)*; ${money} is left to pay`,
  `${name}: ${money} x ${number} = ${number} points spent`,
  `${name}: ${number} points returned`,
  "order \\d+: the request asks for \\d+ of \\d+ units",
  "order \\d+: the request (is granted, \\d+ of \\d+ units|is granted in part, \\d+ of \\d+ units|is refused|is taken back)",
  `${name}: adjusted by ${money}, ${number} frozen, ${number} available`,
  `${name}: ${money} withdrawn, fee ${money}, ${money} to receive`,
  `${name}: ${money} returned`,
  `${name}: transfer of ${money}, state (approved|paying|confirming|transferring|succeeded|failed|cancelled)`,
  `${name}: transfer of ${money} cannot be cancelled`,
  `${name}: cannot withdraw ${money}, only ${money}`,
  `${name}: withdrawal of ${money} is not approved, ${money} is held`,
  `${name} can withdraw ${money}, ${money} is maturing`,
  `${name} can withdraw ${money}, ${money} is held, ${money} is maturing`,
  `${name} has ${money}, ${number} frozen, ${number} available`,
].map((form) => new RegExp(`^${form}$`));

/** The index of the pattern that a result matches. @throws Error if it matches none */
export function formOfResult(result: string): number {
  const form = FORMS.findIndex((pattern) => pattern.test(result));
  if (form === -1) throw new Error(`This is not a result that can be checked: ${result}`);
  return form;
}

export const NUMBER_OF_RESULT_FORMS = FORMS.length;

/** Describes a bill row with a sentence of the document. */
export function describeGrant(member: string, row: Grant, settlement: Settlement | undefined): string {
  if (row.type === "withdrawal")
    return `${member}: ${row.brokerage_delta.replace("-", "")} withdrawn, fee ${row.fee}, ${row.net_amount} to receive`;
  if (row.type === "withdrawal_returned") return `${member}: ${row.brokerage_delta} returned`;
  if (row.type === "points_returned") return `${member}: ${trimZeros(row.available_delta)} points returned`;
  if (row.type === "adjustment")
    return `${member}: adjusted by ${row.brokerage_delta}, ${trimZeros(row.frozen_delta)} frozen, ${trimZeros(row.available_delta)} available`;
  if (row.basis === null || row.rate === null) throw new Error(`Bill row ${row.id} does not state its basis and rate.`);
  const rate = trimZeros(row.rate);
  const source = row.source === "cycle" ? "commission" : row.source;
  switch (row.type) {
    case "brokerage":
      return `${member}: ${toCents(row.basis)} x ${rate} = ${row.brokerage_delta} commission, cycle ${settlement?.cycle_no} place ${settlement?.place}`;
    case "brokerage_reversal":
      return `${member}: ${toCents(row.basis)} x ${rate} = ${toCents(row.granted)} commission left, ${row.brokerage_delta.replace("-", "")} taken back`;
    case "points_spent":
      return `${member}: ${toCents(row.basis)} x ${rate} = ${trimZeros(row.available_delta).replace("-", "")} points spent`;
    case "frozen_points_release":
      return `${member}: ${trimZeros(row.basis)} x ${rate} = ${trimZeros(row.available_delta)} points released`;
    case "frozen_points_reversal": {
      const basis = row.source === "cycle" ? toCents(row.basis) : trimZeros(row.basis);
      const available =
        Number(row.available_delta) === 0 ? "" : `, ${trimZeros(row.available_delta).replace("-", "")} from available`;
      return `${member}: ${basis} x ${rate} = ${trimZeros(row.granted)} ${source} points left, ${trimZeros(row.frozen_delta).replace("-", "")} taken back from frozen${available}`;
    }
    default:
      break;
  }
  switch (row.source) {
    case "cycle":
      return `${member}: ${toCents(row.basis)} x ${rate} = ${trimZeros(row.frozen_delta)} commission points`;
    case "direct":
      return `${member}: ${trimZeros(row.basis)} x ${rate} = ${trimZeros(row.frozen_delta)} direct points at level ${row.agent_level}`;
    default: {
      const umbrella = Number(row.rate) + Number(row.passed_on);
      return `${member}: ${trimZeros(row.basis)} x (${umbrella} - ${trimZeros(row.passed_on ?? "")}) = ${trimZeros(row.frozen_delta)} umbrella points at level ${row.agent_level}`;
    }
  }
}

/** Describes what points paid of an order with a sentence of the document. */
export function describePoints(order: string, { lines, pay_price }: PaidByPoints): string {
  return `order ${order}: points pay ${Object.entries(lines)
    .map(([goods, paid]) => `${paid} for ${goods}`)
    .join(", ")}; ${pay_price} is left to pay`;
}

/** Describes a request for a refund with a sentence of the document. */
export function describeRequest(order: string, { state, asked, units }: Request): string {
  const text = `order ${order}: the request ${REQUESTS[state]}`;
  if (state === "refused" || state === "taken_back") return text;
  return `${text}${state === "requested" ? "" : ","} ${units} of ${asked} units`;
}

/** Describes a settlement without a commission row with a sentence of the document. */
export function describeSettlement(earner: string | null, order: string, row: Settlement): string {
  if (earner === null) return `order ${order}: nobody earns, ${WHY_NOBODY_EARNS[row.reason ?? ""] ?? row.reason}`;
  return `${earner}: ${row.base} x ${trimZeros(row.ratio ?? "")} = ${row.commission} commission, cycle ${row.cycle_no} place ${row.place}`;
}

function trimZeros(decimal: string): string {
  return decimal.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** Formats an amount of money that is stored with more than two decimals. The other decimals must be zeros. */
function toCents(decimal: string): string {
  const [whole, cents = ""] = trimZeros(decimal).split(".");
  return `${whole}.${cents.padEnd(2, "0")}`;
}
