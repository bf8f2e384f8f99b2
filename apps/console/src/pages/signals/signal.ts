import type { Admin } from "../../../../client/index.ts";

type Signal =
  | Admin["RetakenPlace"]
  | Admin["SharedOrder"]
  | Admin["SignUpBurst"]
  | Admin["SharedPerson"]
  | Admin["SharedAccount"]
  | Admin["ReservedStock"];
export type Kind = Signal["kind"];

/** The kinds of signals, in the order of their tabs. */
export const kinds = [
  "retaken_place",
  "shared_order",
  "sign_up_burst",
  "shared_person",
  "shared_account",
  "reserved_stock",
] as const satisfies readonly Kind[];

/** The signals of one kind. */
export function ofKind<Chosen extends Kind>(signals: Signal[], kind: Chosen): Extract<Signal, { kind: Chosen }>[] {
  return signals.filter((signal): signal is Extract<Signal, { kind: Chosen }> => signal.kind === kind);
}
