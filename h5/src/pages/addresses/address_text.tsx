import type { Api } from "../../../../client/index.ts";

/** An address as it is written on a parcel. */
export function AddressText({ address: { name, phone, region, street } }: { address: Api["Address"] }) {
  return (
    <span className="address">
      <span className="address-who">
        <strong>{name}</strong> <span className="figures">{phone}</span>
      </span>
      <span>
        {region.join(" ")} {street}
      </span>
    </span>
  );
}
