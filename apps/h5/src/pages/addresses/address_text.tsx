import type { Api } from "../../../../client/index.ts";
import { EntryText } from "../../components/entry.tsx";

/** An address as it is written on a parcel. */
export function AddressText({ address: { name, phone, region, street } }: { address: Api["Address"] }) {
  return (
    <EntryText name={name} number={phone}>
      {region.join(" ")} {street}
    </EntryText>
  );
}
